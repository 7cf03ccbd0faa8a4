#include "reservoir/import/runs/well_states.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::StepFiles;

// Places in INTEHEAD, as the manuals of the format number them from 0.
constexpr std::size_t wells_place = 16;
constexpr std::size_t connections_place = 17;
constexpr std::size_t well_width_place = 24;
constexpr std::size_t well_state_width_place = 26;
constexpr std::size_t name_width_place = 27;
constexpr std::size_t connection_width_place = 32;
constexpr std::size_t connection_property_width_place = 33;
constexpr std::size_t connection_state_width_place = 34;

// Places in an entry of IWEL, XWEL, ICON, SCON and XCON. Rates are negative for injection.
constexpr std::size_t kind_place = 6;
constexpr std::size_t status_place = 10;  // negative for a well that is shut, whose connections ICON may call open
constexpr std::size_t pressure_place = 6;
constexpr std::size_t factor_place = 0;  // of SCON
constexpr std::size_t least_connection_width = 6;
constexpr std::size_t oil_rate_place = 0;
constexpr std::size_t water_rate_place = 1;
constexpr std::size_t gas_rate_place = 2;
constexpr std::size_t produced_gas_place = 5;
constexpr std::size_t injected_gas_place = 8;

constexpr double most_counted = 2147483647.0;

/// A rate or total; 0 for what is negative or no number.
double amount(double value) { return std::isfinite(value) && value > 0.0 ? value : 0.0; }

/// An array of entries of one width; places beyond its end hold 0.
class Entries {
   public:
    Entries(StepFiles& states, std::size_t step, const char* keyword, double width)
        : width_(width > 0.0 ? static_cast<std::size_t>(width) : 0),
          values_(states.has(step, keyword) ? states.numbers(step, keyword) : std::vector<double>()) {}
    std::size_t count() const { return width_ == 0 ? 0 : values_.size() / width_; }
    double at(std::size_t entry, std::size_t place) const {
        return place < width_ && entry < count() ? values_[entry * width_ + place] : 0.0;
    }
    bool has(std::size_t place) const { return place < width_ && !values_.empty(); }

   private:
    std::size_t width_;
    std::vector<double> values_;
};

WellKind kind_of(double number) {
    return number == 1.0   ? WellKind::producer
           : number == 4.0 ? WellKind::gas_injector
           : number > 1.0  ? WellKind::other_injector
                           : WellKind::unknown;
}

/// Reads the wells of one step.
class WellReader {
   public:
    WellReader(StepFiles& states, std::size_t step, const CornerPointGrid& grid, const eclipse::Units& units)
        : states_(states),
          step_(step),
          grid_(grid),
          units_(units),
          head_(states.numbers(step, "INTEHEAD")),
          icon_(states, step, "ICON", head(connection_width_place)),
          scon_(states, step, "SCON", head(connection_property_width_place)),
          xcon_(states, step, "XCON", head(connection_state_width_place)),
          iwel_(states, step, "IWEL", head(well_width_place)),
          xwel_(states, step, "XWEL", head(well_state_width_place)),
          names_(states.has(step, "ZWEL") ? states.texts(step, "ZWEL") : std::vector<std::string>()) {}

    std::vector<WellState> wells() const {
        std::vector<WellState> found;
        if (!icon_.has(least_connection_width - 1)) {
            return found;
        }
        const double per_well = std::max(head(connections_place), 1.0);
        for (std::size_t at = 0; at < icon_.count(); ++at) {
            const auto number = static_cast<std::size_t>(static_cast<double>(at) / per_well);
            if (!(static_cast<double>(number) < head(wells_place))) {
                break;
            }
            if (number == found.size()) {
                found.push_back(well(number));
            }
            if (icon_.at(at, 0) >= 1.0) {  // others hold no connection
                found.back().connections.push_back(connection(at, iwel_.at(number, status_place) < 0.0));
            }
        }
        return found;
    }

   private:
    /// 0 for what the head lacks and for what is no count.
    double head(std::size_t place) const {
        const double value = place < head_.size() ? head_[place] : 0.0;
        return value >= 0.0 && value <= most_counted ? value : 0.0;
    }
    WellState well(std::size_t number) const {
        WellState state;
        const double width = head(name_width_place);
        const double at = static_cast<double>(number) * width;
        if (width >= 1.0 && at < static_cast<double>(names_.size())) {
            state.name = names_[static_cast<std::size_t>(at)];
        }
        state.name = state.name.empty() ? fmt::format("well {}", number + 1) : state.name;
        state.kind = kind_of(iwel_.at(number, kind_place));
        state.bottom_hole_pressure = xwel_.at(number, pressure_place) * units_.bar;
        return state;
    }
    ConnectionState connection(std::size_t at, bool is_shut) const {
        const std::array<double, 3> place = {icon_.at(at, 1) - 1.0, icon_.at(at, 2) - 1.0, icon_.at(at, 3) - 1.0};
        const auto is_within = [](double at_axis, std::int64_t extent) {  // false for a NaN
            return at_axis >= 0.0 && at_axis < static_cast<double>(extent);
        };
        if (!is_within(place[0], grid_.nx()) || !is_within(place[1], grid_.ny()) || !is_within(place[2], grid_.nz())) {
            states_.incomplete(step_, "ICON with a connection outside the grid", "give files of one run");
        }
        ConnectionState state;
        state.cell = grid_.index(static_cast<std::int64_t>(place[0]), static_cast<std::int64_t>(place[1]),
                                 static_cast<std::int64_t>(place[2]));
        state.is_open = !is_shut && icon_.at(at, 5) > 0.0;
        // Reservoir volumes of the unit system, and its pressures.
        state.factor = amount(scon_.at(at, factor_place)) * units_.reservoir_volume / units_.bar;
        state.rate = amount(-xcon_.at(at, gas_rate_place)) * units_.surface_volume;
        state.back_flow = amount(xcon_.at(at, gas_rate_place)) * units_.surface_volume;
        state.total = amount(xcon_.at(at, injected_gas_place)) * units_.surface_volume;
        state.produced = amount(xcon_.at(at, produced_gas_place)) * units_.surface_volume;
        state.has_other_flow = xcon_.at(at, oil_rate_place) != 0.0 || xcon_.at(at, water_rate_place) != 0.0 ||
                               xcon_.at(at, gas_rate_place) > 0.0;
        return state;
    }

    StepFiles& states_;
    std::size_t step_;
    const CornerPointGrid& grid_;
    const eclipse::Units& units_;
    std::vector<double> head_;
    Entries icon_;
    Entries scon_;
    Entries xcon_;
    Entries iwel_;
    Entries xwel_;
    std::vector<std::string> names_;
};

}  // namespace

double WellState::rate() const { return std::max(inflow() - back_flow(), 0.0); }

double WellState::inflow() const {
    return std::accumulate(connections.begin(), connections.end(), 0.0,
                           [](double sum, const ConnectionState& one) { return sum + one.rate; });
}

double WellState::back_flow() const {
    return std::accumulate(connections.begin(), connections.end(), 0.0,
                           [](double sum, const ConnectionState& one) { return sum + one.back_flow; });
}

double WellState::total() const {
    return std::accumulate(connections.begin(), connections.end(), 0.0,
                           [](double sum, const ConnectionState& one) { return sum + one.total; });
}

bool WellState::has_other_flow() const {
    return std::ranges::any_of(connections, [](const ConnectionState& one) { return one.has_other_flow; });
}

std::vector<WellState> well_states(StepFiles& states, std::size_t step, const CornerPointGrid& grid,
                                   const eclipse::Units& units) {
    return states.has(step, "ICON") ? WellReader(states, step, grid, units).wells() : std::vector<WellState>();
}

}  // namespace plumecast
