#include "reservoir/generation/described_case.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/rock_fluid.hpp"
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
    inputs.irreducible_water_saturation = value("irreducible_water_saturation");
    inputs.van_genuchten_lambda = value("van_genuchten_lambda");
    inputs.salinity = value_if_any("salinity");
    inputs.residual_gas_saturation = value_if_any("residual_gas_saturation");
    inputs.bottom_hole_pressure_limit = value_if_any("bottom_hole_pressure_limit");
    inputs.thickness = value("thickness");
    inputs.schedule_ends = dataset.schedule_ends();
    const std::size_t periods = inputs.schedule_ends.size();
    const auto rates = dataset.schedule_rates().begin() + static_cast<std::ptrdiff_t>(periods) * which;
    inputs.schedule_rates.assign(rates, rates + static_cast<std::ptrdiff_t>(periods));
    return inputs;
}

}  // namespace

void require_described(const Dataset& dataset, const std::vector<std::int64_t>& cases) {
    if (dataset.geometry() != Geometry::radial) {
        refuse(dataset, "its grid is not radial", "decks are written of radial cases alone here");
    }
    const FileAttributes stated = attributes_of(rock_fluid_of(dataset));
    if (std::ranges::none_of(std::vector{false, true}, [&](bool is_weighed) {
            return attributes_of(deck_rock_fluid(is_weighed, std::nullopt)) == stated;
        })) {
        refuse(dataset, "it states other properties of rock and fluids than decks of generate have",
               "its simulations would be of other reservoirs");
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
        described_reservoir(dataset, which);
        const auto place = static_cast<std::size_t>(which);
        const double value = double{temperatures[place]};
        if (value < release.lowest_temperature || value > release.highest_temperature) {
            throw InvalidData(fmt::format(
                "{}: case {} has {:g} degC (the CO2 tables of {} hold {} to {} degC); leave it out", dataset.path(),
                which, value, release.version, release.lowest_temperature, release.highest_temperature));
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

}  // namespace plumecast
