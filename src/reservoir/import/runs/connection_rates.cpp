#include "reservoir/import/runs/connection_rates.hpp"

#include <algorithm>
#include <set>

namespace plumecast {
namespace {

constexpr double least_share_of_moves = 0.01;  // of a well's gas, that a report step must inject to be looked at

constexpr double least_kept = 0.5;  // of the gas that enters cells, that a balance of cells must leave

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

/// What a well injected into its cells on balance in the report step that a state ends, below 0 where gas came back.
/// Empty unless it injected. Where most of the gas comes back the balance tells no shares: then they are those of the
/// cells that take gas, and the sum is what the well injected.
std::map<std::int64_t, double> ConnectionRates::cells_at(std::size_t state, const std::string& well) const {
    std::map<std::int64_t, double> cells;
    const WellState* at = find(state, well);
    if (state == 0 || at == nullptr) {
        return cells;
    }
    const bool has_totals = counts(state, well);
    const double length = run_.days[state] - run_.days[state - 1];
    const double returns = at->kind == WellKind::producer ? 0.0 : 1.0;
    for (const ConnectionState& connection : at->connections) {
        cells[connection.cell] += has_totals ? connection.total - returns * connection.produced
                                             : (connection.rate - connection.back_flow) * length;
    }
    const WellState* before = has_totals ? find(state - 1, well) : nullptr;
    for (std::size_t i = 0; before != nullptr && i < before->connections.size(); ++i) {
        const ConnectionState& connection = before->connections[i];
        cells[connection.cell] -= connection.total - returns * connection.produced;
    }
    double sum = 0.0;
    double entered = 0.0;
    for (const auto& [cell, amount] : cells) {
        sum += amount;
        entered += std::max(amount, 0.0);
    }
    if (!(sum > 0.0)) {
        return {};
    }
    const bool is_clear = sum > least_kept * entered;
    for (auto& [cell, amount] : cells) {
        amount = is_clear ? amount : std::max(amount, 0.0) * sum / entered;
    }
    std::erase_if(cells, [](const auto& entry) { return entry.second == 0.0; });
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

bool ConnectionRates::changes_connections(const std::vector<std::string>& wells,
                                          const std::function<bool(std::int64_t cell)>& counts) const {
    std::set<std::set<std::int64_t>> ways;
    for (std::size_t state = 0; state < states_.size(); ++state) {
        std::set<std::int64_t> open;
        bool do_inject = false;
        for (const std::string& well : wells) {
            const WellState* at = find(state, well);
            if (at == nullptr || !(at->rate() > 0.0)) {
                continue;
            }
            do_inject = true;
            for (const ConnectionState& connection : at->connections) {
                if (connection.is_open && counts(connection.cell)) {
                    open.insert(connection.cell);
                }
            }
        }
        if (do_inject) {
            ways.insert(open);
        }
    }
    return ways.size() > 1;
}

/// Share of the gas that entered cells in the report step that a state ends, which came back from others by then.
double ConnectionRates::returned_share(std::size_t state, const std::string& well) const {
    const WellState* at = find(state, well);
    if (state == 0 || at == nullptr || at->kind == WellKind::producer || !counts(state, well)) {
        return 0.0;
    }
    double entered = at->total();
    double returned = 0.0;
    for (const ConnectionState& connection : at->connections) {
        returned += connection.produced;
    }
    if (const WellState* before = find(state - 1, well)) {
        entered -= before->total();
        for (const ConnectionState& connection : before->connections) {
            returned -= connection.produced;
        }
    }
    return returned > 0.0 && returned < entered ? returned / entered : 0.0;
}

double ConnectionRates::back_flow(const std::string& well) const {
    double most = 0.0;
    for (std::size_t state = 0; state < states_.size(); ++state) {
        const WellState* at = find(state, well);
        if (at != nullptr && at->rate() > 0.0) {
            most = std::max(most, at->back_flow() / at->inflow());
        }
        most = std::max(most, returned_share(state, well));
    }
    return most;
}

double ConnectionRates::moved(const std::vector<std::string>& wells, const std::map<std::int64_t, double>& means,
                              const std::function<bool(std::int64_t cell)>& counts) const {
    double all = 0.0;
    for (const auto& [cell, volume] : means) {
        all += volume;
    }
    double most = 0.0;
    for (std::size_t state = 1; state < states_.size() && all > 0.0; ++state) {
        std::map<std::int64_t, double> parts;
        double sum = 0.0;
        for (const std::string& well : wells) {
            for (const auto& [cell, amount] : cells_at(state, well)) {
                parts[cell] += counts(cell) ? amount : 0.0;
                sum += counts(cell) ? amount : 0.0;
            }
        }
        if (!(sum > least_share_of_moves * all)) {
            continue;
        }
        double elsewhere = 0.0;
        for (const auto& [cell, volume] : means) {
            const auto part = parts.find(cell);
            elsewhere += std::max(volume / all - (part == parts.end() ? 0.0 : std::max(part->second, 0.0) / sum), 0.0);
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
