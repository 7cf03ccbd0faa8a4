#include "reservoir/import/runs/connection_rates.hpp"

#include <algorithm>
#include <set>

namespace plumecast {
namespace {

constexpr double least_share_of_moves = 0.01;  // of a well's gas, that a report step must inject to be looked at

}  // namespace

ConnectionRates::ConnectionRates(const RunRecord& run) : run_(run), states_(run.wells) {
    for (const auto& wells : states_) {
        for (const WellState& well : wells) {
            has_rates_ = has_rates_ || well.rate() > 0.0;
            has_totals_ = has_totals_ || well.total() > 0.0;
        }
    }
    if (!has_rates_ && !has_totals_) {
        assume_rates();
    }
    has_rates_ = has_rates_ || has_totals_;
    for (const auto& wells : states_) {
        for (const WellState& well : wells) {
            const bool injects = well.rate() > 0.0 || well.total() > 0.0;
            if (injects && std::ranges::find(wells_, well.name) == wells_.end()) {
                wells_.push_back(well.name);
            }
        }
    }
}

/// Without rates, every open connection takes gas but those of wells that are known to do something else.
void ConnectionRates::assume_rates() {
    for (auto& wells : states_) {
        for (WellState& well : wells) {
            const bool injects =
                (well.kind == WellKind::unknown || well.kind == WellKind::gas_injector) && !well.has_other_flow();
            for (ConnectionState& connection : well.connections) {
                connection.rate = injects && connection.is_open ? run_.injectivity(connection.cell) : 0.0;
            }
        }
    }
}

const WellState* ConnectionRates::find(std::size_t state, const std::string& well) const {
    const auto found = std::ranges::find(states_[state], well, &WellState::name);
    return found == states_[state].end() ? nullptr : &*found;
}

/// Whether the totals at the beginning of a report step are known: a well that is not listed there had injected
/// nothing, unless the run goes on from another one that may have known it.
bool ConnectionRates::counts(std::size_t state, const std::string& well) const {
    return has_totals_ && (find(state - 1, well) != nullptr || state > 1 || run_.days.front() <= 0.0);
}

std::optional<double> ConnectionRates::total(std::size_t state, const std::string& well) const {
    const WellState* at = find(state, well);
    return has_totals_ && at != nullptr ? std::optional(at->total()) : std::nullopt;
}

double ConnectionRates::rate(std::size_t state, const std::string& well) const {
    const WellState* at = find(state, well);
    return at == nullptr ? 0.0 : at->rate();
}

double ConnectionRates::amount(std::size_t state, const std::string& well) const {
    double sum = 0.0;
    for (const auto& [cell, amount] : cells_at(state, well)) {
        sum += amount;
    }
    return sum;
}

std::map<std::int64_t, double> ConnectionRates::cells_at(std::size_t state, const std::string& well) const {
    std::map<std::int64_t, double> cells;
    const WellState* at = find(state, well);
    if (state == 0 || at == nullptr) {
        return cells;
    }
    const bool has_totals = counts(state, well);
    const double inflow = at->inflow();
    const double kept = inflow > 0.0 ? at->rate() / inflow : 0.0;  // by the formation, where cells give some back
    for (const ConnectionState& connection : at->connections) {
        cells[connection.cell] +=
            has_totals ? connection.total : kept * connection.rate * (run_.days[state] - run_.days[state - 1]);
    }
    const WellState* before = has_totals ? find(state - 1, well) : nullptr;
    for (std::size_t i = 0; before != nullptr && i < before->connections.size(); ++i) {
        cells[before->connections[i].cell] -= before->connections[i].total;
    }
    std::erase_if(cells, [](const auto& entry) { return !(entry.second > 0.0); });
    return cells;
}

std::map<std::int64_t, double> ConnectionRates::cells(std::size_t state, const std::string& well) const {
    for (std::size_t distance = 0; distance < states_.size(); ++distance) {
        auto found = state >= distance ? cells_at(state - distance, well) : std::map<std::int64_t, double>();
        if (found.empty() && state + distance < states_.size()) {
            found = cells_at(state + distance, well);
        }
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

bool ConnectionRates::changes_connections(const std::string& well) const {
    std::set<std::set<std::int64_t>> ways;
    for (std::size_t state = 0; state < states_.size(); ++state) {
        const WellState* at = find(state, well);
        if (at == nullptr || !(at->rate() > 0.0)) {
            continue;
        }
        std::set<std::int64_t> open;
        for (const ConnectionState& connection : at->connections) {
            if (connection.is_open) {
                open.insert(connection.cell);
            }
        }
        ways.insert(open);
    }
    return ways.size() > 1;
}

double ConnectionRates::back_flow(const std::string& well) const {
    double most = 0.0;
    for (std::size_t state = 0; state < states_.size(); ++state) {
        const WellState* at = find(state, well);
        if (at != nullptr && at->rate() > 0.0) {
            most = std::max(most, at->back_flow() / at->inflow());
        }
    }
    return most;
}

double ConnectionRates::moved(const std::string& well, const std::map<std::int64_t, double>& means) const {
    double all = 0.0;
    for (const auto& [cell, volume] : means) {
        all += volume;
    }
    double most = 0.0;
    for (std::size_t state = 1; state < states_.size() && all > 0.0; ++state) {
        const auto parts = cells_at(state, well);
        const double sum = amount(state, well);
        if (!(sum > least_share_of_moves * all)) {
            continue;
        }
        double elsewhere = 0.0;
        for (const auto& [cell, volume] : means) {
            const auto part = parts.find(cell);
            elsewhere += std::max(volume / all - (part == parts.end() ? 0.0 : part->second / sum), 0.0);
        }
        most = std::max(most, elsewhere);
    }
    return most;
}

std::vector<std::string> ConnectionRates::others(double from) const {
    std::vector<std::string> names;
    for (std::size_t state = 0; state < states_.size(); ++state) {
        for (const WellState& well : states_[state]) {
            const bool is_other = well.has_other_flow() && well.rate() <= 0.0;
            if (run_.days[state] > from && is_other && std::ranges::find(names, well.name) == names.end()) {
                names.push_back(well.name);
            }
        }
    }
    return names;
}

}  // namespace plumecast
