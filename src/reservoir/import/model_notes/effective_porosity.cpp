#include "reservoir/import/model_notes/effective_porosity.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

constexpr double least_departure = 0.02;           // programs differ in the volumes of skewed cells
constexpr double least_departure_of_rings = 1e-3;  // which are not skewed

/// Cells whose pore volume departs from PORO times NTG times volume, and how far.
struct Departures {
    std::int64_t count = 0;
    double least = 1.0;
    double most = 1.0;

    void add(double ratio) {
        least = count == 0 ? ratio : std::min(least, ratio);
        most = count == 0 ? ratio : std::max(most, ratio);
        ++count;
    }
    std::string range() const {
        const std::string from = fmt::format("{:.4g}", least);
        const std::string to = fmt::format("{:.4g}", most);
        return from == to ? to : from + " to " + to;
    }
};

/// Volumes of a cell [m3]: between its corners, and as a data set has it.
struct CellVolumes {
    double of_corners = 0.0;
    double stored = 0.0;
};

CellVolumes cell_volumes(const eclipse::CornerPointGrid& grid, const StoredGrid& shape, std::size_t cell) {
    const auto at = static_cast<std::int64_t>(cell);
    const std::int64_t in_layer = grid.nx() * grid.ny();
    const double volume = grid.volume(at % grid.nx(), at % in_layer / grid.nx(), at / in_layer);
    return {volume, shape.geometry == Geometry::radial ? ring_volume(shape, cell) : volume};
}

}  // namespace

EffectivePorosity effective_porosity(ReservoirModel& model, const StoredGrid& shape) {
    const std::int64_t cells = shape.model_cells();
    const bool is_radial = shape.geometry == Geometry::radial;
    auto porosity = model.property("PORO", cells);
    if (!porosity) {
        throw InvalidData(model.name() +
                          ": no PORO (the data set needs it); let the simulator write it to INIT, or add it "
                          "to the GRDECL file");
    }
    const std::vector<std::uint8_t> active = active_marks(model, cells);
    require_rock(model, "PORO", *porosity, active);
    EffectivePorosity result{std::move(*porosity), {}, {}};
    if (const auto net = model.property("NTG", cells)) {
        require_rock(model, "NTG", *net, active);
        for (std::size_t cell = 0; cell < result.values.size(); ++cell) {
            result.values[cell] *= (*net)[cell];
        }
    }
    const eclipse::CornerPointGrid* grid = model.grid();
    const auto volumes = grid != nullptr ? model.property("PORV", cells) : std::nullopt;
    if (volumes) {
        require_rock(model, "PORV", *volumes, active);
    }
    const double tolerance = is_radial ? least_departure_of_rings : least_departure;
    Departures applied, chords, too_large;
    const bool is_compared = grid != nullptr && (volumes || is_radial);
    for (std::size_t cell = 0; is_compared && cell < result.values.size(); ++cell) {
        if (grid->active()[cell] == 0) {
            continue;
        }
        const auto [of_corners, stored] = cell_volumes(*grid, shape, cell);
        const double of_shape = of_corners / stored;
        const double ratio = volumes ? (*volumes)[cell] / (result.values[cell] * stored) : of_shape;
        if (!std::isfinite(ratio) || std::abs(ratio - 1.0) <= tolerance) {
            continue;
        }
        const bool is_chord = std::abs(ratio / of_shape - 1.0) <= tolerance;
        const bool fits = ratio > 0.0 && result.values[cell] * ratio <= 1.0;
        (is_chord ? chords : fits ? applied : too_large).add(ratio);
        result.values[cell] *= fits ? ratio : 1.0;
    }
    if (chords.count > 0) {
        result.notes.push_back(
            fmt::format("straight pillars bound the {} of the wedge by chords, {} times as large as between the arcs "
                        "of a data set: "
                        "the porosity is so much smaller, so that the whole ring holds what the wedge does; "
                        "permeabilities are kept "
                        "(a narrower wedge departs less)",
                        counted(chords.count, "cell"), chords.range()));
    }
    if (applied.count > 0) {
        result.notes.push_back(
            fmt::format("pore volumes of {} are {} times PORO x NTG x cell volume (MULTPV, PORV): the "
                        "porosity of the data set is made to hold them",
                        counted(applied.count, "cell"), applied.range()));
    }
    if (too_large.count > 0 && !is_radial) {
        result.pore_volumes = std::move(*volumes);
        result.notes.push_back(
            fmt::format("pore volumes of {} are {} times PORO x NTG x cell volume (MULTPV, PORV), as those of an "
                        "aquifer at the sides: pore_volume holds them beside the porosity",
                        counted(too_large.count, "cell"), too_large.range()));
    } else if (too_large.count > 0) {
        result.notes.push_back(
            fmt::format("pore volumes of {} are {} times PORO x NTG x cell volume (MULTPV, PORV), which "
                        "is left out: a data set holds porosities up to 1",
                        counted(too_large.count, "cell"), too_large.range()));
    }
    return result;
}

}  // namespace plumecast
