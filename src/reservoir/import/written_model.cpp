#include <algorithm>
#include <array>
#include <map>

#include <plumecast/core/error.hpp>
#include <plumecast/core/number_text.hpp>
#include <plumecast/reservoir/eclipse/grdecl.hpp>

#include "reservoir/eclipse/units.hpp"
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
        : name_(path), arrays_(eclipse::read_grdecl(path)), metres_(eclipse::units_named(units).metres) {
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
    const std::vector<double>& times() override { return no_times_; }
    std::vector<double> pressure(std::size_t) override { return {}; }
    std::vector<double> gas_saturation(std::size_t) override { return {}; }
    std::optional<std::vector<double>> temperature(std::size_t) override { return std::nullopt; }
    std::optional<InjectionHistory> injected(double, double) override { return std::nullopt; }

   private:
    const ValueRuns* find(std::string_view keyword) const {
        const auto found = arrays_.find(std::string(keyword));
        return found == arrays_.end() ? nullptr : &found->second;
    }
    void read_grid(const ValueRuns& pillars);

    std::string name_;
    std::map<std::string, ValueRuns> arrays_;
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
    double cells = 1.0;
    for (const double extent : extents) {
        cells *= extent;
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
    if (const ValueRuns* marks = find("ACTNUM")) {
        const std::vector<double> values = marks->expand(grid_->cells(), "ACTNUM");
        std::vector<std::uint8_t> active(values.size());
        std::ranges::transform(values, active.begin(), [](double value) { return value == 0.0 ? 0 : 1; });
        grid_->set_active(std::move(active));
    }
}

std::optional<std::vector<double>> WrittenModel::property(std::string_view keyword, std::int64_t cells) {
    const ValueRuns* values = find(keyword);
    return values == nullptr ? std::nullopt : std::optional(values->expand(cells, std::string(keyword)));
}

}  // namespace

std::unique_ptr<ReservoirModel> written_model(const std::string& path, const std::string& units) {
    return std::make_unique<WrittenModel>(path, units);
}

}  // namespace plumecast
