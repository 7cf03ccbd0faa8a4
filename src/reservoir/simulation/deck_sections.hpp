#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/case_model/geology.hpp"
#include "reservoir/simulation/deck_constants.hpp"

/// The parts that decks of OPM Flow have in common, whatever the grid.
namespace plumecast::deck {

/// Depth of the top of the formation in the deck [m]; the fluids do not know it.
inline constexpr double top_depth = 1000.0;
/// Largest bottom hole pressure of a well of a case without a limit of its own [bar].
inline constexpr double bottom_hole_pressure_limit = 950.0;

/// Whether a case is simulated with hysteresis, which takes brine as the water phase.
bool has_hysteresis(const SampledCase& inputs);

/// RUNSPEC of a grid of columns x lines x rows cells with so many wells of up to `rows` connections each.
std::string runspec(const std::string& title, std::size_t columns, std::size_t lines, std::size_t rows,
                    std::size_t wells, BrinePhase brine, bool has_hysteresis = false);
/// A keyword with its values; lines of a deck end at 128 characters.
std::string array(const char* keyword, const std::vector<double>& values);
/// Permeability and porosity.
std::string rock(const Geology& rock);
/// JFUNC, which scales the capillary pressure of brine as water to the rock; nothing for brine as oil, of which PROPS
/// states it cell by cell.
std::string capillary_scaling(BrinePhase brine);
/// PROPS: fluids, rock compressibility, saturation functions with capillary pressure scaled to the rock.
std::string props(const SampledCase& inputs, const Geology& rock, BrinePhase brine);
/// SOLUTION and SUMMARY: brine at rest without CO2.
std::string solution_and_summary(const SampledCase& inputs, BrinePhase brine);
/// RPTRST: the arrays that read_flow_results() needs.
std::string restart_arrays(BrinePhase brine);
/// A well of a deck that injects by a schedule.
struct ScheduledWell {
    std::string name;
    InjectionSchedule schedule;
    double pressure_limit = bottom_hole_pressure_limit;  ///< [bar], where it injects less than its rate
};
/// TSTEP to the days of reports, from change to change of the rate of any well, each after the control of the wells
/// that change: at their rate, or shut, so that nothing flows through them, at 0.
std::string steps_and_rates(const std::vector<ScheduledWell>& wells, std::span<const double> days);

}  // namespace plumecast::deck
