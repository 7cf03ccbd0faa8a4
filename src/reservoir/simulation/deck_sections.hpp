#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/case_model/geology.hpp"
#include "reservoir/physics/corner_point_connections.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/simulation/deck_constants.hpp"

/// The parts that decks of OPM Flow have in common, whatever the grid.
namespace plumecast::deck {

/// Depth of the top of the formation in the deck [m]; the fluids do not know it.
inline constexpr double top_depth = 1000.0;
/// Largest bottom hole pressure of a well of a case without a limit of its own [bar].
inline constexpr double bottom_hole_pressure_limit = 950.0;

/// Relative permeabilities and capillary pressures of a case.
struct SaturationFunctions {
    std::vector<std::vector<SaturationRow>> drainage;
    /// One for each of drainage, where a case is simulated with hysteresis, which takes brine as the water phase.
    std::vector<std::vector<SaturationRow>> imbibition;
    std::vector<std::size_t> region;  ///< [cells] which of drainage they have, counted from 1; none where there is one
    bool is_scaled = true;            ///< capillary pressures are those of rock whose leverett_factor() is 1

    bool has_hysteresis() const { return !imbibition.empty(); }
};

/// After van Genuchten and Corey, with hysteresis where returning brine traps more gas than drainage leaves.
SaturationFunctions saturation_functions(const SampledCase& inputs, const RockFluidSettings& rock_fluid);
/// Those of tables, likewise.
SaturationFunctions saturation_functions(const SampledCase& inputs,
                                         const std::vector<std::vector<SaturationRow>>& tables,
                                         const std::vector<std::size_t>& region);

/// RUNSPEC of a grid of columns x lines x rows cells with so many wells of up to `rows` connections each.
std::string runspec(const std::string& title, std::size_t columns, std::size_t lines, std::size_t rows,
                    std::size_t wells, BrinePhase brine, const SaturationFunctions& functions);
/// A keyword with its values; lines of a deck end at 128 characters.
std::string array(const char* keyword, const std::vector<double>& values);
/// The cells of a box between edges [m], the first `rows` of them; the top of the formation is at `top_depth`.
std::string level_layers(const BoxGrid& grid, std::size_t rows);
/// COORD and ZCORN of a corner-point grid whose depths count from `top` [m] in the deck.
std::string corner_points(CornerPoints grid, double top = top_depth);
/// Permeability and porosity.
std::string rock(const Geology& rock);
/// JFUNC, which scales the capillary pressure of brine as water to the rock; nothing for brine as oil, of which PROPS
/// states it cell by cell. `permeability`: X, or XY for the mean of both horizontal ones.
std::string capillary_scaling(BrinePhase brine, std::string_view permeability = "X");
/// PROPS: fluids, rock compressibility [1/bar], saturation functions with capillary pressure scaled to the rock.
std::string props(const SampledCase& inputs, double compressibility, const SaturationFunctions& functions,
                  const Geology& rock, BrinePhase brine);
/// RTEMP: one temperature [degC].
std::string temperature(double everywhere);
/// RTEMPVD: temperatures [degC] at two depths [m], between and beyond which they change linearly; for releases that
/// take brine as water.
std::string temperature(std::pair<double, double> depths, std::pair<double, double> at);
/// SOLUTION and SUMMARY: brine at rest without CO2, at temperatures; what is trapped of CO2 with hysteresis.
std::string solution_and_summary(const SampledCase& inputs, const std::string& temperatures, BrinePhase brine,
                                 bool has_hysteresis);
/// RPTRST: the arrays that read_flow_results() needs.
std::string restart_arrays(BrinePhase brine);
/// DRSDT, where a case limits the rate of dissolution: the increase of the ratio of dissolved gas [sm3/sm3/day] that
/// brine of the initial pressure has with that of the concentration; nothing else.
std::string limit_of_dissolution(const SampledCase& inputs);
/// A well of a deck that injects by a schedule.
struct ScheduledWell {
    std::string name;
    InjectionSchedule schedule;
    double pressure_limit = bottom_hole_pressure_limit;  ///< [bar], where it injects less than its rate
};
/// TSTEP to the days of reports, from change to change of the rate of any well, each after the control of the wells
/// that change: at their rate, or shut, so that nothing flows through them, at 0.
std::string steps_and_rates(const std::vector<ScheduledWell>& wells, std::span<const double> days);

/// A vertical well of a box.
struct BoxDeckWell {
    std::size_t line = 0;
    std::size_t column = 0;
    double depth = 0.0;           ///< of the centre of its uppermost open cell in the deck [m]
    std::vector<double> factors;  ///< [rows] of its connections [cP m3/(day bar)], 0 where it is closed
    InjectionSchedule injection;
};
/// SCHEDULE of a box whose wells INJ1, INJ2 ... have a radius [m], to the days of reports.
std::string box_schedule(const std::vector<BoxDeckWell>& wells, double well_radius, std::span<const double> days,
                         BrinePhase brine);

}  // namespace plumecast::deck
