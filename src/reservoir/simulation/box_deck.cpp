#include "reservoir/simulation/box_deck.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/deck_sections.hpp"

namespace plumecast {
namespace {

constexpr double well_radius = 0.1;  // [m]

/// Pore volumes of the sides times those of the aquifer that they stand for; corners count once.
std::string aquifer(const BoxReservoir& reservoir) {
    const std::size_t lines = reservoir.grid.lines(), columns = reservoir.grid.columns();
    std::string text = "EQUALS\n";
    const auto side = [&](std::size_t i1, std::size_t i2, std::size_t j1, std::size_t j2) {
        fmt::format_to(std::back_inserter(text), " MULTPV {:g} {} {} {} {} 1 {} /\n", reservoir.aquifer, i1, i2, j1, j2,
                       reservoir.active_rows);
    };
    side(1, 1, 1, lines);
    side(columns, columns, 1, lines);
    side(1, columns, 1, 1);
    side(1, columns, lines, lines);
    return text + "/\n";
}

/// The sides of cells that faults follow, each with its multiplier of transmissibilities.
std::string faults(const BoxReservoir& reservoir) {
    std::string sides, multipliers;
    for (std::size_t i = 0; i < reservoir.faults.size(); ++i) {
        const FaultTrace& fault = reservoir.faults[i];
        if (fault.first == fault.end) {
            continue;  // its ends lie within one cell
        }
        const auto along = fmt::format("{} {}", fault.first + 1, fault.end), at = fmt::format("{0} {0}", fault.at);
        const bool is_along_y = fault.along == FaultAxis::y;
        fmt::format_to(std::back_inserter(sides), " F{} {} {} 1 {} {} /\n", i + 1, is_along_y ? at : along,
                       is_along_y ? along : at, reservoir.active_rows, is_along_y ? "X" : "Y");
        fmt::format_to(std::back_inserter(multipliers), " F{} {:.9g} /\n", i + 1, reservoir.fault_multipliers[i]);
    }
    return sides.empty() ? "" : "FAULTS\n" + sides + "/\nMULTFLT\n" + multipliers + "/\n";
}

std::string grid(const BoxReservoir& reservoir, BrinePhase brine) {
    return "GRID\nINIT\n" + deck::capillary_scaling(brine) +
           (reservoir.corner_points
                ? deck::corner_points(first_rows(*reservoir.corner_points, reservoir.active_rows)) + faults(reservoir)
                : deck::level_layers(reservoir.grid, reservoir.active_rows)) +
           deck::rock(reservoir.rock) + aquifer(reservoir);
}

/// [active rows] by Peaceman, 0 where the well is closed.
std::vector<double> connection_factors(const BoxReservoir& reservoir, const BoxWell& well) {
    const double dx = reservoir.grid.x_edges[1] - reservoir.grid.x_edges[0];
    const double dy = reservoir.grid.y_edges[1] - reservoir.grid.y_edges[0];
    std::vector<double> factors(reservoir.active_rows, 0.0);
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        if (well.perforation[row] > 0.0) {
            const double permeability = reservoir.rock.permeability_r[reservoir.cell(row, well)];
            factors[row] = box_connection_factor(dx, dy, reservoir.row_height() * well.perforation[row], permeability,
                                                 permeability, well_radius);
        }
    }
    return factors;
}

double reference_depth(const BoxReservoir& reservoir, const BoxWell& well) {
    const auto first = std::ranges::find_if(well.perforation, [](double part) { return part > 0.0; });
    const auto row = static_cast<std::size_t>(first - well.perforation.begin());
    return deck::top_depth + reservoir.depth(reservoir.cell(row, well));
}

/// Of a well of a case.
InjectionSchedule injection_of(const SampledCase& inputs, const BoxWell& well) {
    return inputs.schedule_ends.empty()
               ? InjectionSchedule{{std::numeric_limits<double>::infinity()}, {well.injection_rate}}
               : InjectionSchedule{inputs.schedule_ends, well.schedule_rates};
}

std::string schedule(const BoxReservoir& reservoir, std::span<const double> times, BrinePhase brine) {
    std::vector<deck::BoxDeckWell> wells;
    for (const BoxWell& well : reservoir.wells) {
        wells.push_back({well.line, well.column, reference_depth(reservoir, well), connection_factors(reservoir, well),
                         injection_of(reservoir.inputs, well)});
    }
    return deck::box_schedule(wells, well_radius, report_days(reservoir.inputs, times), brine);
}

}  // namespace

std::string deck_text(const BoxReservoir& reservoir, std::span<const double> times, BrinePhase brine) {
    const RockFluidSettings usual;
    const deck::SaturationFunctions functions = deck::saturation_functions(reservoir.inputs, usual);
    return deck::runspec(fmt::format("CO2 box case {}", reservoir.inputs.number), reservoir.grid.columns(),
                         reservoir.grid.lines(), reservoir.active_rows, reservoir.wells.size(), brine, functions) +
           grid(reservoir, brine) +
           deck::props(reservoir.inputs, usual.rock_compressibility, functions, reservoir.rock, brine) +
           deck::solution_and_summary(reservoir.inputs, deck::temperature(reservoir.inputs.temperature), brine,
                                      functions.has_hysteresis()) +
           schedule(reservoir, times, brine);
}

}  // namespace plumecast
