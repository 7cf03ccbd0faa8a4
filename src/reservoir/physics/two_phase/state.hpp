#pragma once

#include <cstddef>
#include <vector>

namespace plumecast::two_phase {

/// The unknowns of a case at one time, and what a step leaves to the next.
struct State {
    std::vector<double> buildup;     ///< [bar]
    std::vector<double> mass;        ///< CO2 per pore volume [kg/m3]
    std::vector<double> saturation;  ///< of gas
    std::vector<double> brine;       ///< without CO2, per pore volume [kg/m3]
    double release_days = 0.0;       ///< over which volume beyond the pores is made up for
    std::vector<double> dissolved;   ///< CO2 per volume of brine [kg/m3]
    std::vector<double> peak;        ///< largest saturation that a step ended with; empty without hysteresis
    double well = 0.0;               ///< build-up in the well [bar]
    std::vector<double> inflow;      ///< share of each row in the injected mass
    std::vector<bool> is_shut;       ///< rows that would give brine to the well, all while nothing is injected
    bool is_limited = false;         ///< whether the well's pressure is at its limit, and less than asked is injected
    double injected = 0.0;           ///< CO2 in all [kg]
};

/// What a time step works with, per cell: properties at its latest pressure and saturation, and what it knows of its
/// start and of its stages before.
struct StepValues {
    explicit StepValues(std::size_t cells) {
        for (auto* part :
             {&density,        &density_slope, &viscosity,   &limit,           &gas_mobility,      &brine_mobility,
              &capillary,      &gas_slope,     &brine_slope, &capillary_slope, &mass_slope,        &weight,
              &old_mass,       &old_dissolved, &dissolution, &dissolved_in,    &outward,           &upward,
              &outward_factor, &upward_factor, &dissolvable, &old_brine,       &old_concentration, &deferred,
              &brine_outward,  &brine_upward}) {
            part->assign(cells, 0.0);
        }
    }

    std::vector<double> density, density_slope, viscosity;  ///< of Co2State
    std::vector<double> limit;        ///< of what brine dissolves [kg/m3]: that of Co2State, or `dissolvable` if less
    std::vector<double> dissolvable;  ///< what it may hold at the end of the step by the rate of dissolution [kg/m3]
    std::vector<double> gas_mobility, brine_mobility, capillary;  ///< [1/cP], [1/cP], [bar]
    std::vector<double> gas_slope, brine_slope, capillary_slope;  ///< by the mass of the cell
    std::vector<double> mass_slope;                               ///< of saturation by mass, 0 without gas
    std::vector<double> weight;                                   ///< of brine at the start of the step [kg/m3]
    std::vector<double> old_mass, old_dissolved;                  ///< at the start, per pore volume [kg/m3]
    std::vector<double> dissolution;                              ///< volume lost as CO2 dissolved, per pore volume
    std::vector<double> dissolved_in;                   ///< CO2 that came in dissolved, per pore volume [kg/m3]
    std::vector<double> outward, upward;                ///< volume flow through the outer and lower face [m3/day]
    std::vector<double> outward_factor, upward_factor;  ///< by the drop of build-up across the face [m3/day/bar]
    std::vector<double> old_brine,
        old_concentration;         ///< at the start: brine per pore volume, CO2 per volume of brine [kg/m3]
    std::vector<double> deferred;  ///< volume beyond the pores that later steps make up for
    std::vector<double> brine_outward, brine_upward;  ///< volume flow of brine, as `outward` and `upward` [m3/day]
    double injected_rate = 0.0;                       ///< of the last transport [kg/day]
    double well_density = 0.0;                        ///< of CO2 in the well [kg/m3]
};

}  // namespace plumecast::two_phase
