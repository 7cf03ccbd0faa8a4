#include "reservoir/import/model_notes/effective_porosity.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

constexpr double least_departure = 0.02;  // programs differ in the volumes of skewed cells

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

}  // namespace

EffectivePorosity effective_porosity(ReservoirModel& model, std::int64_t cells, bool keeps_volumes) {
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
    Departures applied, too_large;
    for (std::size_t cell = 0; volumes && cell < result.values.size(); ++cell) {
        const auto at = static_cast<std::int64_t>(cell);
        const std::int64_t i = at % grid->nx(), j = at / grid->nx() % grid->ny(), k = at / grid->nx() / grid->ny();
        const double usual = result.values[cell] * grid->volume(i, j, k);
        const double ratio = (*volumes)[cell] / usual;
        if (grid->active()[cell] == 0 || !std::isfinite(ratio) || std::abs(ratio - 1.0) <= least_departure) {
            continue;
        }
        const bool fits = ratio > 0.0 && result.values[cell] * ratio <= 1.0;
        (fits ? applied : too_large).add(ratio);
        result.values[cell] *= fits ? ratio : 1.0;
    }
    if (applied.count > 0) {
        result.notes.push_back(
            fmt::format("pore volumes of {} are {} times PORO x NTG x cell volume (MULTPV, PORV): the "
                        "porosity of the data set is made to hold them",
                        counted(applied.count, "cell"), applied.range()));
    }
    if (too_large.count > 0 && keeps_volumes) {
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
