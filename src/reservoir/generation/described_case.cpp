#include "reservoir/generation/described_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/cases/case_content.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/simulation/deck.hpp"

namespace plumecast {
namespace {

std::vector<double> map_of(const Dataset& dataset, const char* name, std::int64_t which) {
    std::vector<float> map(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, std::span(&which, 1), map);
    return {map.begin(), map.end()};
}

[[noreturn]] void refuse(const Dataset& dataset, const std::string& what, const std::string& why) {
    throw InvalidData(fmt::format("{}: {} ({}); simulate such cases by yourself", dataset.path(), what, why));
}

/// Rows from the top in which all cells are active.
std::size_t active_rows(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> active = map_of(dataset, "active", which);
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const auto end = std::ranges::find(active, 0.0);
    const auto count = static_cast<std::size_t>(end - active.begin());
    if (count == 0 || count % columns != 0 || std::any_of(end, active.end(), [](double one) { return one != 0.0; })) {
        refuse(dataset, fmt::format("case {} has inactive cells above or beside active ones", which),
               "decks of radial cases have whole rows alone");
    }
    return count / columns;
}

SampledCase sampled_case(const Dataset& dataset, std::int64_t which) {
    const auto value = [&](const char* name) { return double{dataset.scalar(name)[static_cast<std::size_t>(which)]}; };
    const auto value_if_any = [&](const char* name) { return dataset.has(name) ? value(name) : 0.0; };
    SampledCase inputs;
    inputs.number = which;
    inputs.injection_rate = value("injection_rate");
    inputs.initial_pressure = value("initial_pressure");
    inputs.temperature = value("temperature");
    inputs.temperature_gradient = dataset.stated("temperature_gradient").value_or(0.0);
    inputs.irreducible_water_saturation = value_if_any("irreducible_water_saturation");  // else there are tables
    inputs.van_genuchten_lambda = value_if_any("van_genuchten_lambda");
    inputs.salinity = value_if_any("salinity");
    inputs.residual_gas_saturation = value_if_any("residual_gas_saturation");
    inputs.bottom_hole_pressure_limit = value_if_any("bottom_hole_pressure_limit");
    inputs.dissolution_rate_limit = dissolution_rate_limit(dataset, which);
    inputs.thickness = value_if_any("thickness");
    inputs.schedule_ends = dataset.schedule_ends();
    inputs.schedule_rates = stated_schedule(dataset, which).rates;
    if (!inputs.schedule_ends.empty()) {
        for (InjectionSchedule& well : schedules_of_wells(dataset, which)) {
            inputs.wells.push_back({.schedule_rates = std::move(well.rates)});
        }
    }
    return inputs;
}

/// What decks have of a box, where its layers are level or corners tell its cells.
void require_described_box(const Dataset& dataset) {
    if (!is_box(dataset) && dataset.cell_values("pillars").empty()) {
        refuse(dataset, "it has a corner-point grid without /grid/pillars and corner_depths",
               "the simulator takes cells by their corners");
    }
}

/// Whether cells start with brine that the simulator has: that of the reservoir, or of its surface conditions.
bool starts_as_decks_do(const RockFluidSettings& stated) {
    return std::isnan(stated.initial_brine_temperature) ||
           std::abs(stated.initial_brine_temperature - initial_brine_temperature) < 1e-3;
}

/// Throws InvalidData for a formation that grows warmer with depth, where the release cannot compute that.
void require_one_temperature(const Dataset& dataset, const FlowRelease& release) {
    if (dataset.stated("temperature_gradient").value_or(0.0) != 0.0 && release.brine != BrinePhase::water) {
        throw InvalidData(
            fmt::format("{}: it states a temperature_gradient ({} lets gas appear as at its surface "
                        "temperature then); take OPM Flow 2024.10 or newer",
                        dataset.path(), release.version));
    }
}

/// Results of the active cells over all cells of the grid; 0 in the others.
FlowResults over_all_cells(const FlowResults& results, const std::vector<char>& active) {
    const auto spread = [&active](const std::vector<double>& values) {
        std::vector<double> all(active.size(), 0.0);
        for (std::size_t cell = 0, next = 0; cell < active.size(); ++cell) {
            all[cell] = active[cell] != 0 ? values[next++] : 0.0;
        }
        return all;
    };
    FlowResults all{spread(results.pore_volume), spread(results.initial_pressure), {}};
    for (const Snapshot& snapshot : results.snapshots) {
        Snapshot& wide = all.snapshots.emplace_back(snapshot);
        for (std::vector<double>* field : {&wide.pressure, &wide.gas_saturation, &wide.dissolved_ratio,
                                           &wide.inverse_gas_volume, &wide.inverse_brine_volume}) {
            *field = spread(*field);
        }
    }
    return all;
}

}  // namespace

void require_described(const Dataset& dataset, const std::vector<std::int64_t>& cases) {
    dataset.require_reservoir("a simulation");
    if (!starts_as_decks_do(rock_fluid_of(dataset))) {
        refuse(dataset, "it states an initial_brine_temperature that the simulator does not know",
               "its simulations would start with other pressures");
    }
    if (dataset.geometry() == Geometry::cartesian) {
        require_described_box(dataset);
        return;
    }
    for (const std::int64_t which : cases) {
        active_rows(dataset, which);
    }
}

void require_simulated(const Dataset& dataset, const std::vector<std::int64_t>& cases, const FlowRelease& release) {
    require_described(dataset, cases);
    const std::vector<float>& temperatures = dataset.scalar("temperature");
    const bool traps = dataset.has("residual_gas_saturation");
    for (const std::int64_t which : cases) {
        const auto place = static_cast<std::size_t>(which);
        std::vector<double> found{double{temperatures[place]}};
        if (dataset.geometry() != Geometry::cartesian) {
            require_one_temperature(dataset, release);
            const Reservoir reservoir = described_reservoir(dataset, which);
            const double height = reservoir.thickness();
            const TemperatureProfile profile(reservoir.inputs.temperature, 0.5 * height,
                                             reservoir.rock_fluid.temperature_gradient,
                                             reservoir.rock_fluid.initial_brine_temperature);
            found = {profile.at(0.0), profile.at(height)};
        } else if (!dataset.injects_nothing(which)) {
            const BoxCase box = described_box(dataset, which).box;
            require_one_temperature(dataset, release);
            found = {box.temperature_at(0.0), box.temperature_at(box.z_edges.back())};
        }
        for (const double value : found) {
            if (value < release.lowest_temperature || value > release.highest_temperature) {
                throw InvalidData(fmt::format(
                    "{}: case {} has {:g} degC (the CO2 tables of {} hold {} to {} degC); leave it out", dataset.path(),
                    which, value, release.version, release.lowest_temperature, release.highest_temperature));
            }
        }
        if (std::isfinite(dissolution_rate_limit(dataset, which)) && release.brine != BrinePhase::water) {
            throw InvalidData(fmt::format(
                "{}: case {} has a dissolution_rate_limit ({} does not keep the mass of CO2 with DRSDT); take OPM Flow "
                "2024.10 or newer",
                dataset.path(), which, release.version));
        }
        if (traps && dataset.scalar("residual_gas_saturation")[place] > 0.0F && release.brine != BrinePhase::water) {
            throw InvalidData(fmt::format(
                "{}: case {} has a residual_gas_saturation ({} does not keep the mass of CO2 with hysteresis); take "
                "OPM Flow 2024.10 or newer",
                dataset.path(), which, release.version));
        }
    }
}

Reservoir described_reservoir(const Dataset& dataset, std::int64_t which) {
    Reservoir reservoir;
    reservoir.inputs = sampled_case(dataset, which);
    reservoir.rock_fluid = rock_fluid_of(dataset);
    reservoir.grid = {dataset.r_edges(), dataset.z_edges()};
    for (double& edge : reservoir.grid.z_edges) {
        edge -= dataset.z_edges().front();
    }
    reservoir.active_rows = active_rows(dataset, which);
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const auto of_rows = [&](const char* name) {
        std::vector<double> map = map_of(dataset, name, which);
        map.resize(reservoir.active_rows * columns);
        return map;
    };
    reservoir.rock = {of_rows("permeability_r"), of_rows("permeability_z"), of_rows("porosity")};
    const std::vector<double> open = of_rows("perforation");
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        reservoir.perforation.push_back(open[row * columns]);
    }
    const bool is_closed = std::ranges::none_of(reservoir.perforation, [](double part) { return part > 0.0; });
    if (is_closed && !dataset.injects_nothing(which)) {
        refuse(dataset, fmt::format("case {} has no perforated cell", which), "nothing can be injected");
    }
    return reservoir;
}

StatedBox described_box(const Dataset& dataset, std::int64_t which) {
    StatedBox stated{{}, box_case(dataset, which), {}, dataset.has("transmissibility_x")};
    stated.inputs = sampled_case(dataset, which);
    if (!is_box(dataset)) {
        stated.corner_points = corner_points_of(dataset);
    }
    stated.box.check(fmt::format("{}: case {}", dataset.path(), which));
    return stated;
}

PreparedCase described_case(const Dataset& dataset, std::int64_t which, BrinePhase brine, int output_bits) {
    const auto finish = [drawn = inputs_of(dataset, which, 1).arrays, cells = static_cast<std::size_t>(dataset.cells()),
                         which, output_bits](const FlowResults& results) {
        FinishedCase finished{which, std::nullopt, drawn};
        add_outputs(results, cells, output_bits, finished.arrays);
        return finished;
    };
    if (dataset.geometry() != Geometry::cartesian) {
        const Reservoir radial = described_reservoir(dataset, which);
        return {radial.inputs,
                radial.rock.porosity.size(),
                deck_text(radial, dataset.times(), brine),
                finish,
                {},
                radial.rock_fluid.rock_compressibility};
    }
    if (dataset.injects_nothing(which)) {  // which nothing is simulated for
        return {sampled_case(dataset, which), static_cast<std::size_t>(dataset.cells()), "", finish, {}};
    }
    const StatedBox stated = described_box(dataset, which);
    const auto count = static_cast<std::size_t>(std::ranges::count(stated.box.active, char{1}));
    return {stated.inputs,
            count,
            deck_text(stated, dataset.times(), brine),
            [finish, active = stated.box.active](const FlowResults& results) {
                return finish(over_all_cells(results, active));
            },
            {},
            stated.box.rock_fluid.rock_compressibility};
}

}  // namespace plumecast
