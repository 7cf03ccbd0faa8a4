#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/import/case_arrays.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

/// Pressures are absolute, so that those of active cells lie above 0.
void require_pressures(ReservoirModel& model, const std::vector<double>& pressure, double day) {
    const std::vector<std::uint8_t> active = active_marks(model, static_cast<std::int64_t>(pressure.size()));
    for (std::size_t cell = 0; cell < pressure.size(); ++cell) {
        if (active[cell] != 0 && !(pressure[cell] > 0.0)) {
            throw InvalidData(fmt::format(
                "{}: PRESSURE of {} is {} bar on day {:.6g} (absolute pressures lie above 0); leave the case out, or "
                "run it again",
                model.name(), cell_of_deck(model, cell), number_text(pressure[cell]), day));
        }
    }
}

}  // namespace

CaseArrays case_outputs(ReservoirModel& model, const CaseSteps& steps, double density, const StoredGrid& shape,
                        const StoredGrid& grid) {
    const auto cells = static_cast<std::size_t>(grid.map_cells());
    CaseArrays arrays;
    const auto store = [&](const char* name, std::size_t time, const std::vector<double>& values) {
        std::vector<float>& all = arrays[name];
        all.resize(cells * steps.snapshots.size());
        std::ranges::copy(over_grid(values, shape, grid), all.begin() + static_cast<std::ptrdiff_t>(time * cells));
    };
    const std::vector<double> initial = model.pressure(steps.initial);
    require_pressures(model, initial, model.times()[steps.initial]);
    const auto volumes = shape.cells.find("cell_volume");
    const bool has_volumes = volumes != shape.cells.end();
    const auto is_empty = [&](std::size_t cell) { return has_volumes && volumes->second[cell] == 0.0F; };
    for (std::size_t t = 0; t < steps.snapshots.size(); ++t) {
        std::vector<double> gas = model.gas_saturation(steps.snapshots[t]);
        std::vector<double> buildup = model.pressure(steps.snapshots[t]);
        require_pressures(model, buildup, model.times()[steps.snapshots[t]]);
        auto dissolved = density > 0.0 ? model.dissolved_gas(steps.snapshots[t]) : std::nullopt;
        for (std::size_t cell = 0; cell < gas.size(); ++cell) {
            buildup[cell] -= initial[cell];
            if (!std::isfinite(gas[cell]) || !std::isfinite(buildup[cell]) || gas[cell] < -1e-4 || gas[cell] > 1.0001) {
                throw InvalidData(fmt::format(
                    "{}: cell {} has gas saturation {} and build-up {} bar on day {:.6g} (a "
                    "saturation lies between "
                    "0 and 1, both are finite); leave the case out",
                    model.name(), cell, number_text(gas[cell]), number_text(buildup[cell]), steps.times[t]));
            }
            gas[cell] = is_empty(cell) ? 0.0 : std::clamp(gas[cell], 0.0, 1.0);
            buildup[cell] *= is_empty(cell) ? 0.0 : 1.0;
            if (dissolved && !std::isfinite((*dissolved)[cell])) {
                throw InvalidData(
                    fmt::format("{}: the CO2 dissolved in cell {} on day {:.6g} is not finite (RS, RSW or "
                                "the volume factor of the brine is damaged); leave the case out",
                                model.name(), cell, steps.times[t]));
            }
            if (dissolved) {
                (*dissolved)[cell] = is_empty(cell) ? 0.0 : std::max((*dissolved)[cell], 0.0) * density;
            }
        }
        store("gas_saturation", t, gas);
        store("pressure_buildup", t, buildup);
        if (dissolved) {
            store("dissolved_co2", t, *dissolved);
        }
    }
    return arrays;
}

}  // namespace plumecast
