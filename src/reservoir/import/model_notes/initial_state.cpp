#include "reservoir/import/model_notes/initial_state.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/units.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"
#include "reservoir/physics/brine.hpp"

namespace plumecast {
namespace {

constexpr double tolerated_pressure = 2.0;  // [bar]: what brine of another temperature weighs over some hundred metres
constexpr double tolerated_temperature = 1.0;  // [degC]
constexpr double least_dissolved = 1e-6;       // [sm3/rm3]

}  // namespace

double dissolved_before_injection(ReservoirModel& model, const CaseSteps& steps, const Injection& injection,
                                  double ring_share) {
    const auto dissolved =
        steps.snapshots.empty() || injection.density == 0.0 ? std::nullopt : model.dissolved_gas(steps.initial);
    if (!dissolved) {
        return 0.0;
    }
    const auto volumes = model.property("PORV", static_cast<std::int64_t>(dissolved->size()));
    double volume = 0.0;
    for (std::size_t cell = 0; cell < dissolved->size(); ++cell) {
        const double amount = (*dissolved)[cell];
        volume += !(amount > least_dissolved) ? 0.0
                  : volumes                   ? amount * (*volumes)[cell] / ring_share
                                              : std::numeric_limits<double>::infinity();
    }
    const double injected = injection.mass.empty() ? injection.rate.value_or(0.0) * steps.times.back() / days_per_year
                                                   : injection.mass.back();
    return volume == 0.0 ? 0.0 : volume * injection.density / (kilograms_per_megatonne * injected);
}

std::string pressure_departure(ReservoirModel& model, std::size_t initial, const StoredGrid& shape,
                               const CaseArrays& inputs) {
    const double top = inputs.at("initial_pressure")[0], temperature = inputs.at("temperature")[0],
                 salinity = inputs.at("salinity")[0];
    const std::vector<double> pressure = model.pressure(initial);
    const std::vector<std::uint8_t> active = active_marks(model, static_cast<std::int64_t>(pressure.size()));
    const auto volumes = shape.cells.find("cell_volume");
    std::size_t farthest = 0;
    double largest = 0.0;
    for (std::size_t cell = 0; cell < pressure.size(); ++cell) {
        if (active[cell] == 0 || (volumes != shape.cells.end() && !(volumes->second[cell] > 0.0F))) {
            continue;
        }
        const double expected = hydrostatic_pressure(top, temperature, salinity, cell_depth(shape, cell));
        if (std::abs(pressure[cell] - expected) > std::abs(largest)) {
            largest = pressure[cell] - expected;
            farthest = cell;
        }
    }
    if (!(std::abs(largest) > tolerated_pressure)) {
        return "";
    }
    return fmt::format(
        "the pressure before injection is {:.4g} bar in {}, {:.3g} bar {} that of brine at rest below {:.4g} bar at "
        "the "
        "top (a data set tells pressures before injection by initial_pressure alone): pressures and fracture margins "
        "of "
        "reports, and reduced physics, are off by that there; build-up is not",
        pressure[farthest], cell_of_deck(model, farthest), std::abs(largest), largest > 0.0 ? "above" : "below", top);
}

std::string temperature_change(ReservoirModel& model, const CaseSteps& steps) {
    const auto before = model.temperature(steps.initial), after = model.temperature(steps.snapshots.back());
    double largest = 0.0;
    for (std::size_t cell = 0; before && after && cell < before->size(); ++cell) {
        const double change = (*after)[cell] - (*before)[cell];
        largest = std::abs(change) > std::abs(largest) ? change : largest;
    }
    return std::abs(largest) > tolerated_temperature
               ? fmt::format(
                     "temperatures change by up to {:.3g} degC until day {:.6g} (TEMP, as of cold CO2 or the "
                     "keyword THERMAL): a data set holds those before injection, and reduced physics keeps them",
                     largest, steps.times.back())
               : "";
}

}  // namespace plumecast
