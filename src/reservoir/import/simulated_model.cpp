#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/eclipse/summary.hpp"
#include "reservoir/eclipse/units.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::StepFiles;
using eclipse::Units;

constexpr std::array<std::string_view, 9> initial_keywords = {"INTEHEAD", "PORV",  "PORO",  "NTG",    "PERMX",
                                                              "PERMY",    "PERMZ", "PERMR", "PERMTHT"};
constexpr std::array<std::string_view, 9> state_keywords = {"INTEHEAD", "DOUBHEAD", "PRESSURE", "SGAS", "SWAT",
                                                            "SOIL",     "TEMP",     "ICON",     "XCON"};

// Places in INTEHEAD, as the manuals of the format number them from 0.
constexpr std::size_t unit_item = 2;
constexpr std::size_t phases_item = 14;
constexpr std::size_t wells_item = 16;
constexpr std::size_t connections_item = 17;
constexpr std::size_t connection_width_item = 32;
constexpr std::size_t connection_state_width_item = 34;
constexpr double water_and_gas = 6.0;
constexpr std::size_t gas_rate_item = 2;  // of XCON, negative for injection

class SimulatedModel : public ReservoirModel {
   public:
    explicit SimulatedModel(const std::string& path)
        : files_(eclipse::find_case(path)),
          name_(files_.root.string()),
          initial_(std::array{files_.init}, initial_keywords),
          states_(files_.restart, state_keywords) {
        if (initial_.steps() == 0) {
            throw InvalidData(files_.init.string() +
                              ": the file is empty (it holds the properties); run the case again");
        }
        units_ = eclipse::units_of(item(initial_, 0, unit_item), files_.init.string());
        if (units_.name == "LAB") {
            throw InvalidData(
                files_.init.string() +
                ": LAB units (programs differ in whether its days are hours there); run the case in METRIC");
        }
        for (std::size_t step = 0; step < states_.steps(); ++step) {
            const std::vector<double> head = states_.numbers(step, "DOUBHEAD");
            if (head.empty() || !std::isfinite(head[0])) {
                states_.incomplete(step, "DOUBHEAD without a time", "run the case again");
            }
            times_.push_back(head[0]);
        }
    }

    const std::string& name() const override { return name_; }
    const CornerPointGrid* grid() override {
        if (!grid_) {
            grid_ = eclipse::read_grid(files_.grid, units_.metres);
            const auto& active = grid_->active();
            active_cells_ = std::ranges::count_if(active, [](std::uint8_t mark) { return mark != 0; });
        }
        return &*grid_;
    }
    std::optional<std::vector<double>> property(std::string_view keyword, std::int64_t) override {
        return initial_.has(0, keyword) ? std::optional(over_cells(initial_, 0, keyword)) : std::nullopt;
    }
    const std::vector<double>& times() override { return times_; }
    std::vector<double> pressure(std::size_t step) override {
        std::vector<double> values = over_cells(states_, step, "PRESSURE");
        std::ranges::transform(values, values.begin(), [this](double value) { return value * units_.bar; });
        return values;
    }
    std::vector<double> gas_saturation(std::size_t step) override;
    std::optional<std::vector<double>> temperature(std::size_t step) override;
    std::vector<Connection> connections(std::size_t step) override;
    std::optional<InjectionHistory> injected(double from, double to) override;

   private:
    static double item(StepFiles& files, std::size_t step, std::size_t place) {
        const std::vector<double> head = files.numbers(step, "INTEHEAD");
        if (head.size() <= place) {
            files.incomplete(step, fmt::format("INTEHEAD with {} values", head.size()), "run the case again");
        }
        if (!(std::abs(head[place]) <= std::numeric_limits<std::int32_t>::max())) {
            files.incomplete(step, "INTEHEAD with values that are no whole numbers", "run the case again");
        }
        return head[place];
    }
    std::vector<double> over_cells(StepFiles& files, std::size_t step, std::string_view keyword);

    eclipse::CaseFiles files_;
    std::string name_;
    StepFiles initial_;
    StepFiles states_;
    Units units_;
    std::vector<double> times_;
    std::optional<CornerPointGrid> grid_;
    std::int64_t active_cells_ = 0;
};

/// Arrays hold the active cells only, a few hold all.
std::vector<double> SimulatedModel::over_cells(StepFiles& files, std::size_t step, std::string_view keyword) {
    const CornerPointGrid& grid = *this->grid();
    std::vector<double> values = files.numbers(step, keyword);
    const auto count = static_cast<std::int64_t>(values.size());
    if (count != grid.cells() && count != active_cells_) {
        files.incomplete(step,
                         fmt::format("{} with {} values for a grid of {} cells, {} of them active", keyword, count,
                                     grid.cells(), active_cells_),
                         "give files of one run");
    }
    std::vector<double> all(grid.active().size(), 0.0);
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < all.size(); ++cell) {
        if (grid.active()[cell] != 0) {
            all[cell] = count == grid.cells() ? values[cell] : values[next++];
        }
    }
    return all;
}

std::vector<double> SimulatedModel::gas_saturation(std::size_t step) {
    if (states_.has(step, "SGAS")) {
        return over_cells(states_, step, "SGAS");
    }
    if (!states_.has(step, "SWAT") || item(states_, step, phases_item) != water_and_gas) {
        states_.incomplete(step, "no SGAS, and no SWAT of a run with water and gas alone",
                           "let the simulator write SGAS");
    }
    std::vector<double> gas = over_cells(states_, step, "SWAT");
    for (std::size_t cell = 0; cell < gas.size(); ++cell) {
        gas[cell] = grid_->active()[cell] != 0 ? 1.0 - gas[cell] : 0.0;
    }
    return gas;
}

std::optional<std::vector<double>> SimulatedModel::temperature(std::size_t step) {
    if (!states_.has(step, "TEMP")) {
        return std::nullopt;
    }
    std::vector<double> values = over_cells(states_, step, "TEMP");
    std::ranges::transform(values, values.begin(), [this](double value) { return units_.celsius(value); });
    return values;
}

std::vector<Connection> SimulatedModel::connections(std::size_t step) {
    std::vector<Connection> found;
    if (!states_.has(step, "ICON")) {
        return found;
    }
    const CornerPointGrid& grid = *this->grid();
    const std::vector<double> icon = states_.numbers(step, "ICON");
    const std::vector<double> xcon = states_.has(step, "XCON") ? states_.numbers(step, "XCON") : std::vector<double>();
    const auto width = static_cast<std::size_t>(std::max(item(states_, step, connection_width_item), 0.0));
    const auto state_width = static_cast<std::size_t>(std::max(item(states_, step, connection_state_width_item), 0.0));
    const double places = item(states_, step, wells_item) * item(states_, step, connections_item);
    for (std::size_t at = 0; width >= 6 && (at + 1) * width <= icon.size() && static_cast<double>(at) < places; ++at) {
        const double* entry = icon.data() + at * width;
        const std::array<double, 3> place = {entry[1] - 1.0, entry[2] - 1.0, entry[3] - 1.0};
        if (entry[0] < 1.0 || entry[5] <= 0.0) {  // no connection, or a shut one
            continue;
        }
        const auto is_within = [](double at_axis, std::int64_t extent) {  // false for a NaN
            return at_axis >= 0.0 && at_axis < static_cast<double>(extent);
        };
        if (!is_within(place[0], grid.nx()) || !is_within(place[1], grid.ny()) || !is_within(place[2], grid.nz())) {
            states_.incomplete(step, "ICON with a connection outside the grid", "give files of one run");
        }
        const std::size_t rate_at = at * state_width + gas_rate_item;
        const double rate = state_width > gas_rate_item && rate_at < xcon.size() ? xcon[rate_at] : 0.0;
        found.push_back({grid.index(static_cast<std::int64_t>(place[0]), static_cast<std::int64_t>(place[1]),
                                    static_cast<std::int64_t>(place[2])),
                         std::max(-rate, 0.0) * units_.surface_volume});
    }
    return found;
}

std::optional<InjectionHistory> SimulatedModel::injected(double from, double to) {
    const eclipse::SummarySeries total = eclipse::read_summary(files_, "FGIT");
    if (total.days.empty()) {
        return std::nullopt;
    }
    InjectionHistory history{{0.0}, {0.0}};
    double before = 0.0;
    for (std::size_t i = 0; i < total.days.size() && total.days[i] <= to * (1.0 + 1e-6) + 1e-9; ++i) {
        const double day = total.days[i] - from;
        const double volume = total.values[i] * units_.surface_volume;
        if (day <= 1e-9) {
            before = volume;
        } else if (day > history.days.back()) {
            history.days.push_back(day);
            history.volumes.push_back(std::max(volume - before, history.volumes.back()));
        }
    }
    return history.days.size() > 1 ? std::optional(history) : std::nullopt;
}

}  // namespace

std::unique_ptr<ReservoirModel> simulated_model(const std::string& path) {
    return std::make_unique<SimulatedModel>(path);
}

}  // namespace plumecast
