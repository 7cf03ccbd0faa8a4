#include "deck.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/simulation/deck_sections.hpp"

namespace plumecast {
namespace {

using deck::array;
using deck::top_depth;

/// Pillars at (r, -pi r) and (r, +pi r): a trapezoid of them has the area of the ring.
std::string pillars(const Reservoir& reservoir) {
    std::string text = "COORD\n";
    for (const double side : {-std::numbers::pi, std::numbers::pi}) {
        for (const double r : reservoir.grid.r_edges) {
            fmt::format_to(std::back_inserter(text), " {0:.10g} {1:.10g} {2:.10g} {0:.10g} {1:.10g} {3:.10g}\n", r,
                           side * r, top_depth, top_depth + reservoir.grid.z_edges.back());
        }
    }
    return text + "/\n";
}

std::string corner_depths(const Reservoir& reservoir) {
    std::string text = "ZCORN\n";
    const std::size_t corners = 4 * reservoir.columns();
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        for (const std::size_t edge : {row, row + 1}) {
            fmt::format_to(std::back_inserter(text), " {}*{:.10g}\n", corners,
                           top_depth + reservoir.grid.z_edges[edge]);
        }
    }
    return text + "/\n";
}

std::string grid(const Reservoir& reservoir, BrinePhase brine) {
    return "GRID\nINIT\n" + deck::capillary_scaling(brine) + pillars(reservoir) + corner_depths(reservoir) +
           deck::rock(reservoir.rock);
}

cylinder::Ring ring(const Reservoir& reservoir, std::size_t column) {
    return {reservoir.grid.r_edges[column], reservoir.grid.r_edges[column + 1]};
}

std::string edit(const Reservoir& reservoir) {
    const std::size_t columns = reservoir.columns();
    std::vector<double> outwards;
    std::vector<double> downwards;
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        const double dz = reservoir.row_height(row);
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t cell = row * columns + j;
            const auto& kr = reservoir.rock.permeability_r;
            const auto& kz = reservoir.rock.permeability_z;
            const bool has_next = j + 1 < columns;
            const bool has_below = row + 1 < reservoir.active_rows;
            outwards.push_back(has_next ? cylinder::radial_transmissibility(ring(reservoir, j), kr[cell],
                                                                            ring(reservoir, j + 1), kr[cell + 1], dz)
                                        : 0.0);
            downwards.push_back(has_below ? cylinder::vertical_transmissibility(ring(reservoir, j), dz, kz[cell],
                                                                                reservoir.row_height(row + 1),
                                                                                kz[cell + columns])
                                          : 0.0);
        }
    }
    return "EDIT\n" + array("TRANX", outwards) + array("TRANZ", downwards);
}

std::string connections(const Reservoir& reservoir) {
    std::string text = "COMPDAT\n";
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        if (reservoir.perforation[row] > 0.0) {
            const double factor = cylinder::well_connection_factor(
                ring(reservoir, 0), reservoir.rock.permeability_r[row * reservoir.columns()],
                reservoir.row_height(row) * reservoir.perforation[row]);
            fmt::format_to(std::back_inserter(text), " INJ 1 1 {0} {0} OPEN 1* {1:.9g} {2:g} /\n", row + 1, factor,
                           2.0 * reservoir.grid.r_edges.front());
        }
    }
    return text + "/\n";
}

deck::ScheduledWell limited_well(const SampledCase& inputs) {
    deck::ScheduledWell well{"INJ", injection_of(inputs)};
    if (inputs.bottom_hole_pressure_limit > 0.0) {
        well.pressure_limit = inputs.bottom_hole_pressure_limit;
    }
    return well;
}

std::string temperatures(const Reservoir& reservoir) {
    const double height = reservoir.thickness();
    const TemperatureProfile profile(reservoir.inputs.temperature, 0.5 * height,
                                     reservoir.rock_fluid.temperature_gradient,
                                     reservoir.rock_fluid.initial_brine_temperature);
    return profile.grows_warmer()
               ? deck::temperature({top_depth, top_depth + height}, {profile.at(0.0), profile.at(height)})
               : deck::temperature(reservoir.inputs.temperature);
}

std::string schedule(const Reservoir& reservoir, std::span<const double> times, BrinePhase brine) {
    const auto first = std::ranges::find_if(reservoir.perforation, [](double part) { return part > 0.0; });
    const auto row = static_cast<std::size_t>(first - reservoir.perforation.begin());
    const double depth = top_depth + 0.5 * (reservoir.grid.z_edges[row] + reservoir.grid.z_edges[row + 1]);
    return "SCHEDULE\n" + deck::restart_arrays(brine) + deck::limit_of_dissolution(reservoir.inputs) +
           fmt::format("WELSPECS\n INJ G 1 1 {:.6f} GAS /\n/\n", depth) + connections(reservoir) +
           deck::steps_and_rates({limited_well(reservoir.inputs)}, report_days(reservoir.inputs, times)) + "END\n";
}

}  // namespace

RockFluidSettings deck_rock_fluid(bool weighs_brine_at_surface_temperature, std::optional<double> aquifer_factor) {
    RockFluidSettings settings;
    settings.aquifer_factor = aquifer_factor.value_or(settings.aquifer_factor);
    settings.residual_gas_saturation = residual_gas_saturation;
    settings.entry_pressure = entry_pressure;
    settings.rock_compressibility = rock_compressibility;
    if (weighs_brine_at_surface_temperature) {
        settings.initial_brine_temperature = initial_brine_temperature;
    }
    return settings;
}

InjectionSchedule injection_of(const SampledCase& inputs) {
    return inputs.schedule_ends.empty()
               ? InjectionSchedule{{std::numeric_limits<double>::infinity()}, {inputs.injection_rate}}
               : InjectionSchedule{inputs.schedule_ends, inputs.schedule_rates};
}

namespace {

/// Whether the rate of any well is another one in the period after the i-th.
bool changes_after(const SampledCase& inputs, std::size_t i) {
    const auto changes = [i](const std::vector<double>& rates) {
        return rates[i] != (i + 1 < rates.size() ? rates[i + 1] : 0.0);
    };
    return inputs.wells.empty() ? changes(inputs.schedule_rates)
                                : std::ranges::any_of(inputs.wells, changes, &SampledWell::schedule_rates);
}

}  // namespace

std::vector<double> report_days(const SampledCase& inputs, std::span<const double> times) {
    constexpr double tolerance = 1e-6;
    std::vector<double> days(times.begin(), times.end());
    for (std::size_t i = 0; i < inputs.schedule_ends.size(); ++i) {
        const double end = inputs.schedule_ends[i];
        const bool is_known =
            std::ranges::any_of(times, [end](double time) { return std::abs(time - end) <= tolerance * end; });
        if (changes_after(inputs, i) && end < times.back() && !is_known) {
            days.push_back(end);
        }
    }
    std::ranges::sort(days);
    return days;
}

std::string deck_text(const Reservoir& reservoir, std::span<const double> times, BrinePhase brine) {
    const deck::SaturationFunctions functions = deck::saturation_functions(reservoir.inputs, reservoir.rock_fluid);
    return deck::runspec(fmt::format("CO2 radial case {}", reservoir.inputs.number), reservoir.columns(), 1,
                         reservoir.active_rows, 1, brine, functions) +
           grid(reservoir, brine) + edit(reservoir) +
           deck::props(reservoir.inputs, reservoir.rock_fluid.rock_compressibility, functions, reservoir.rock, brine) +
           deck::solution_and_summary(reservoir.inputs, temperatures(reservoir), brine, functions.has_hysteresis()) +
           schedule(reservoir, times, brine);
}

}  // namespace plumecast
