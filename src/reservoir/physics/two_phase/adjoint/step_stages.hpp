#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// A pressure that was solved for, with all that its equations were made of, per cell.
struct PressureStage {
    PressureStage(std::size_t columns, std::size_t rows) : system(columns, rows) {}

    ColumnSystem system;
    std::vector<Co2State> co2;
    std::vector<double> saturation, gas_mobility, brine_mobility, capillary;
    std::vector<double> before, buildup;  ///< build-up before the solution and after it [bar]
    std::vector<double> dissolution;      ///< volume lost as CO2 dissolved, as far as it was known
    std::vector<double> inflow;           ///< shares of the rows that the density in the well came from
    std::vector<bool> is_shut;
    bool is_limited = false;  ///< whether the pressure in the well was held
    double well = 0.0, well_density = 0.0;
};

/// A transport of CO2, at the fluids of the pressure before it.
struct TransportStage {
    std::size_t columns = 0;                    ///< that were gone through; further out nothing changed
    std::vector<Co2State> co2;                  ///< as in the pressure stage, of all columns gone through
    std::vector<double> guess, mass;            ///< before and after
    std::vector<double> saturation, dissolved;  ///< after
    std::vector<double> dissolved_in;           ///< CO2 that came in dissolved, per pore volume [kg/m3]
    std::vector<double> outward, upward;        ///< volume flow of both phases [m3/day]
    std::vector<double> inflow;                 ///< shares of the rows in the injected mass
    double injected_rate = 0.0;                 ///< [kg/day]
    bool is_limited = false;                    ///< whether that was the most that the pressure in the well let in
};

/// What a time step went through: a round or two of pressure and transport, and the pressure at its end.
struct StepStages {
    StepStages(std::size_t columns, std::size_t rows) : pressures(3, PressureStage(columns, rows)), transports(2) {}

    double days = 0.0;
    double released = 1.0;  ///< share of State::shrinkage that was made up for
    std::size_t reached = 0;
    std::size_t rounds = 0;
    bool has_forgotten = false;              ///< whether volumes were forgotten before
    State before;                            ///< after that
    std::vector<PressureStage> pressures;    ///< those of the rounds, then the last
    std::vector<TransportStage> transports;  ///< of the rounds
};

}  // namespace plumecast::two_phase
