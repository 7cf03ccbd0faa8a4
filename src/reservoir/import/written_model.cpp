#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <span>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/eclipse/grdecl.hpp"
#include "reservoir/eclipse/units.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::ValueRuns;

// Text can repeat a value more often than any memory holds.
constexpr std::int64_t most_cells = std::int64_t{1} << 24;

class WrittenModel : public ReservoirModel {
   public:
    WrittenModel(const std::string& path, const std::string& units)
        : name_(path),
          text_(eclipse::read_grdecl_text(path)),
          units_(eclipse::units_named(units.empty() ? (text_.units.empty() ? "METRIC" : text_.units) : units)),
          metres_(units_.metres) {
        if (!text_.units.empty() && text_.units != units_.name) {
            throw InvalidData(name_ + ": the text has the keyword " + text_.units + ", but the values state " +
                              units_.name + " (one unit system holds); leave units out, or correct one of them");
        }
        if (const ValueRuns* unit = find("GRIDUNIT")) {
            metres_ = unit->runs.front().second;
        }
        if (const ValueRuns* pillars = find("COORD")) {
            read_grid(*pillars);
        }
    }

    const std::string& name() const override { return name_; }
    const CornerPointGrid* grid() override { return grid_ ? &*grid_ : nullptr; }
    std::optional<std::vector<double>> property(std::string_view keyword, std::int64_t cells) override;
    std::vector<std::string> notes(bool is_radial, bool states_flow) override;
    const std::vector<double>& times() override { return no_times_; }
    std::vector<double> pressure(std::size_t) override { return {}; }
    std::vector<double> gas_saturation(std::size_t) override { return {}; }
    std::optional<std::vector<double>> temperature(std::size_t) override { return std::nullopt; }
    std::optional<double> salinity() override {
        return text_.molality ? std::optional(salinity_of(*text_.molality)) : std::nullopt;
    }
    std::optional<InjectionHistory> injected(double, double) override { return std::nullopt; }

   private:
    const ValueRuns* find(std::string_view keyword) const {
        const auto found = text_.arrays.find(std::string(keyword));
        return found == text_.arrays.end() ? nullptr : &found->second;
    }
    void read_grid(const ValueRuns& pillars);
    void place_on_map();
    /// Values of an array that may have defaults, `usual` in their place; nothing without the array.
    std::optional<std::vector<double>> values_of(std::string_view keyword, std::int64_t cells, double usual) const;
    /// Marks of the cells; those that hold no value are added to `undefined`.
    std::vector<std::uint8_t> active_cells(std::int64_t cells, UndefinedCells& undefined) const;
    std::vector<std::uint8_t> active_cells(std::int64_t cells) const {
        UndefinedCells ignored;
        return active_cells(cells, ignored);
    }
    void require_positive(std::string_view keyword, std::span<const double> values) const;
    std::optional<std::vector<double>> pore_volumes(std::int64_t cells) const;
    /// Least pore volume of an active cell [rm3], one for all or one for each; nothing when the text states none.
    std::optional<std::vector<double>> least_pore_volumes() const;

    std::string name_;
    eclipse::Grdecl text_;
    eclipse::Units units_;
    double metres_;
    std::optional<CornerPointGrid> grid_;
    std::vector<double> no_times_;
};

void WrittenModel::read_grid(const ValueRuns& pillars) {
    const ValueRuns* size = find("SPECGRID") != nullptr ? find("SPECGRID") : find("DIMENS");
    const ValueRuns* depths = find("ZCORN");
    if (size == nullptr || depths == nullptr) {
        throw InvalidData(name_ + ": COORD without " + (size == nullptr ? "SPECGRID" : "ZCORN") +
                          " (a corner-point grid needs all three); add it, or leave COORD out");
    }
    const std::vector<double> extents = size->expand(3, "SPECGRID");
    const ValueRuns* other = find("DIMENS");
    if (other != nullptr && other != size && other->expand(3, "DIMENS") != extents) {
        throw InvalidData(other->place + ": DIMENS with other extents than SPECGRID (one grid is read); correct one");
    }
    double cells = 1.0;
    for (const double extent : extents) {
        cells *= extent;
        if (extent != std::floor(extent)) {
            throw InvalidData(size->place + ": " + number_text(extent) +
                              " cells along an axis (a whole number is needed); correct SPECGRID");
        }
        if (!(extent >= 1.0) || cells > static_cast<double>(most_cells)) {
            throw InvalidData(size->place + ": a grid of " + number_text(cells) + " cells (1 to " +
                              std::to_string(most_cells) + " are read); correct SPECGRID");
        }
    }
    const std::array<std::int64_t, 3> n = {static_cast<std::int64_t>(extents[0]), static_cast<std::int64_t>(extents[1]),
                                           static_cast<std::int64_t>(extents[2])};
    const bool is_cylindrical = find("CYLINDRICAL") != nullptr;
    std::vector<double> coord = pillars.expand(6 * (n[0] + 1) * (n[1] + 1), "COORD");
    std::vector<double> zcorn = depths->expand(8 * n[0] * n[1] * n[2], "ZCORN");
    for (std::size_t i = 0; i < coord.size(); ++i) {
        coord[i] *= is_cylindrical && i % 3 == 1 ? 1.0 : metres_;
    }
    std::ranges::transform(zcorn, zcorn.begin(), [this](double depth) { return depth * metres_; });
    grid_ = CornerPointGrid::of_pillars(n, std::move(coord), std::move(zcorn));
    grid_->set_cylindrical(is_cylindrical);
    grid_->set_active(active_cells(grid_->cells()));
    place_on_map();
}

void WrittenModel::place_on_map() {
    const ValueRuns* axes = find("MAPAXES");
    if (axes == nullptr || find("GRIDMAP") != nullptr) {
        return;
    }
    const ValueRuns* unit = find("MAPUNITS");
    const std::vector<double> points = axes->expand(axes->count <= 6 ? axes->count : 6, "MAPAXES");
    grid_->set_map_axes(
        eclipse::map_axes_of(points, unit == nullptr ? metres_ : unit->runs.front().second, axes->place));
}

std::optional<std::vector<double>> WrittenModel::values_of(std::string_view keyword, std::int64_t cells,
                                                           double usual) const {
    const ValueRuns* runs = find(keyword);
    if (runs == nullptr) {
        return std::nullopt;
    }
    std::vector<double> values = runs->expand(cells, std::string(keyword));
    std::ranges::replace_if(
        values, [](double value) { return std::isnan(value); }, usual);
    return values;
}

/// Cells that ACTNUM does not exclude and that have a pore volume, as simulators take them.
std::vector<std::uint8_t> WrittenModel::active_cells(std::int64_t cells, UndefinedCells& undefined) const {
    std::vector<std::uint8_t> active(static_cast<std::size_t>(cells), 1);
    const auto marks = values_of("ACTNUM", cells, 1.0);
    for (std::size_t cell = 0; marks && cell < active.size(); ++cell) {
        const double mark = (*marks)[cell];
        if (mark != 0.0 && mark != 1.0) {
            throw InvalidData(find("ACTNUM")->place + ": ACTNUM with " + number_text(mark) +
                              " (cells of rock without pores, or of one porosity of two, are not read); write 0 or 1");
        }
        active[cell] = mark == 0.0 ? 0 : 1;
    }
    for (const std::string_view keyword : rock_keywords) {
        const auto values = values_of(keyword, cells, 1.0);
        for (std::size_t cell = 0; values && cell < active.size(); ++cell) {
            undefined.mark(keyword, cell, (*values)[cell], active);
        }
    }
    for (const auto& values : {values_of("PORO", cells, 1.0), values_of("NTG", cells, 1.0), pore_volumes(cells),
                               values_of("ISOLNUM", cells, 1.0)}) {
        for (std::size_t cell = 0; values && cell < active.size(); ++cell) {
            active[cell] = (*values)[cell] == 0.0 ? std::uint8_t{0} : active[cell];
        }
    }
    return active;
}

std::optional<std::vector<double>> WrittenModel::least_pore_volumes() const {
    for (const char* keyword : {"MINPVV", "MINPV", "MINPORV"}) {
        if (const ValueRuns* stated = find(keyword)) {
            const std::int64_t count = std::string_view(keyword) == "MINPVV" ? grid_->cells() : 1;
            constexpr double usual = 1e-6;
            std::vector<double> least = *values_of(keyword, stated->count == 0 ? 0 : count, usual);
            least.resize(std::max<std::size_t>(least.size(), 1), usual);
            std::ranges::transform(least, least.begin(),
                                   [this](double volume) { return volume * units_.reservoir_volume; });
            return least;
        }
    }
    return std::nullopt;
}

/// PORV where the text states it, and 0 in cells below the least pore volume; NaN elsewhere.
std::optional<std::vector<double>> WrittenModel::pore_volumes(std::int64_t cells) const {
    const auto least = grid_ ? least_pore_volumes() : std::nullopt;
    const ValueRuns* stated = find("PORV");
    const auto multiplier = values_of("MULTPV", cells, 1.0);
    if (!least && stated == nullptr && !multiplier) {
        return std::nullopt;
    }
    if (multiplier) {
        require_positive("MULTPV", *multiplier);
    }
    std::vector<double> volumes(static_cast<std::size_t>(cells), std::nan(""));
    if (stated != nullptr) {
        volumes = stated->expand(cells, "PORV");
        require_positive("PORV", volumes);
        std::ranges::transform(volumes, volumes.begin(),
                               [this](double volume) { return volume * units_.reservoir_volume; });
    }
    if (!grid_) {
        return volumes;
    }
    const auto porosity = values_of("PORO", cells, 0.0);
    const auto net = values_of("NTG", cells, 1.0);
    for (std::size_t cell = 0; porosity && cell < volumes.size(); ++cell) {
        const auto at = static_cast<std::int64_t>(cell);
        const std::int64_t i = at % grid_->nx(), j = at / grid_->nx() % grid_->ny(), k = at / grid_->nx() / grid_->ny();
        const double share = (*porosity)[cell] * (net ? (*net)[cell] : 1.0);
        const double usual = share * grid_->volume(i, j, k);
        const double volume =
            (std::isnan(volumes[cell]) ? usual : volumes[cell]) * (multiplier ? (*multiplier)[cell] : 1.0);
        const bool is_too_small = least && volume < (*least)[least->size() == 1 ? 0 : cell];
        volumes[cell] = is_too_small ? 0.0 : volume;
    }
    return volumes;
}

void WrittenModel::require_positive(std::string_view keyword, std::span<const double> values) const {
    const auto negative = std::ranges::find_if(values, [](double value) { return value < 0.0; });
    if (negative != values.end()) {
        throw InvalidData(find(keyword)->place + ": " + std::string(keyword) + " with " + number_text(*negative) +
                          " at place " + std::to_string(negative - values.begin() + 1) +
                          " (volumes and their multipliers are 0 or more); correct it");
    }
}

std::optional<std::vector<double>> WrittenModel::property(std::string_view keyword, std::int64_t cells) {
    if (keyword == "PORV") {
        return pore_volumes(cells);
    }
    if (keyword == "ACTNUM") {
        const std::vector<std::uint8_t> active = active_cells(cells);
        return std::vector<double>(active.begin(), active.end());
    }
    return values_of(keyword, cells, keyword == "NTG" ? 1.0 : std::nan(""));
}

std::vector<std::string> WrittenModel::notes(bool, bool) {
    std::vector<std::string> notes = text_.notes;
    const ValueRuns* porosity = find("PORO");
    UndefinedCells undefined;
    if (porosity != nullptr) {
        active_cells(porosity->count, undefined);
    }
    std::ranges::copy(undefined.notes(), std::back_inserter(notes));
    for (const char* keyword : {"PORV", "MULTPV", "MINPV", "MINPORV", "MINPVV"}) {
        if (find(keyword) != nullptr && !grid_) {
            notes.push_back(std::string(keyword) +
                            " is left out: pore volumes are worked out of a corner-point grid in the same text");
        }
    }
    return notes;
}

}  // namespace

std::unique_ptr<ReservoirModel> written_model(const std::string& path, const std::string& units) {
    return std::make_unique<WrittenModel>(path, units);
}

}  // namespace plumecast
