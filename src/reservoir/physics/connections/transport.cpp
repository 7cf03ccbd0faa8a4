#include "reservoir/physics/connections/transport.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::connections {
namespace {

constexpr int most_sweeps = 300;
constexpr int most_newton_steps = 40;
constexpr double column_share = 0.02;  // of the tolerance, to which a column is solved
constexpr int damped_from = 8;         // iterations of a column
constexpr double most_left = 100.0;    // tolerances, that a column may lack where damping alone ends its moves
constexpr double lost_mass = 1e-3;     // that a cell may lack after a step [kg/m3]
constexpr double allowance = 0.01;     // of saturation that a cell may gain which had too much already

/// Density of CO2 over what brine holds, the scale of masses per pore volume [kg/m3].
double scale_of(const CellState& cell) { return cell.gas_density - cell.limit; }

}  // namespace

Transport::Transport(const FlowModel& model, const CellProperties& properties)
    : model_(model), properties_(properties) {
    column_of_.resize(model.cells());
    std::size_t longest = 0;
    for (std::size_t column = 0; column < model.columns(); ++column) {
        const std::size_t first = model.column_starts[column], last = model.column_starts[column + 1];
        std::fill(column_of_.begin() + static_cast<std::ptrdiff_t>(first),
                  column_of_.begin() + static_cast<std::ptrdiff_t>(last), column);
        longest = std::max(longest, last - first);
    }
    add_faces();
    mass_.resize(model.cells());
    supply_.resize(model.cells());
    order_.resize(model.columns());
    is_due_.resize(model.columns());
    for (auto* part : {&lower_, &centre_, &upper_, &residual_, &steps_}) {
        part->resize(longest);
    }
}

void Transport::add_faces() {
    face_starts_.assign(model_.cells() + 1, 0);
    for (const Connection& one : model_.connections) {
        ++face_starts_[one.from + 1];
        ++face_starts_[one.to + 1];
        below_.push_back(model_.depth[one.from] - model_.depth[one.to]);
    }
    std::partial_sum(face_starts_.begin(), face_starts_.end(), face_starts_.begin());
    faces_.resize(2 * model_.connections.size());
    neighbours_.resize(model_.columns());
    std::vector<std::size_t> next(face_starts_.begin(), face_starts_.end() - 1);
    for (std::size_t i = 0; i < model_.connections.size(); ++i) {
        const auto [from, to, transmissibility] = model_.connections[i];
        const bool is_one_column = column_of_[from] == column_of_[to];
        faces_[next[from]++] = {i, to, true, is_one_column && to == from + 1, is_one_column && from == to + 1};
        faces_[next[to]++] = {i, from, false, is_one_column && from == to + 1, is_one_column && to == from + 1};
        if (!is_one_column) {
            neighbours_[column_of_[from]].push_back(column_of_[to]);
            neighbours_[column_of_[to]].push_back(column_of_[from]);
        }
    }
    for (std::vector<std::size_t>& columns : neighbours_) {
        std::ranges::sort(columns);
        columns.erase(std::ranges::unique(columns).begin(), columns.end());
    }
}

PhaseFlow Transport::flow(std::size_t connection) const {
    const auto& [from, to, transmissibility] = model_.connections[connection];
    const CellState &one = (*cells_)[from], &other = (*cells_)[to];
    const double volume = (*volumes_)[connection];
    if (one.saturation == 0.0 && other.saturation == 0.0) {
        return brine_flow(one, other, volume);
    }
    return phase_flow(one, other, volume, transmissibility * drive_of_gas(one, other, below_[connection]),
                      transmissibility);
}

/// By falling mean potential of gas, in which cells count by their saturation.
void Transport::order_columns(const std::vector<double>& pressures) {
    std::vector<double> potential(model_.columns());
    for (std::size_t column = 0; column < model_.columns(); ++column) {
        double sum = 0.0, weights = 0.0;
        for (std::size_t cell = model_.column_starts[column]; cell < model_.column_starts[column + 1]; ++cell) {
            const CellState& state = (*cells_)[cell];
            const double weight = 1e-6 + state.saturation;
            sum += weight * (pressures[cell] - state.gas_density * two_phase::gravity * model_.depth[cell]);
            weights += weight;
        }
        potential[column] = weights > 0.0 ? sum / weights : 0.0;
    }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater(), [&](std::size_t column) { return potential[column]; });
}

/// Balance of CO2 in the cells of a column [kg] and its slopes by their masses; the largest residual in terms of
/// saturation.
double Transport::linearise(std::size_t column) {
    const std::size_t first = model_.column_starts[column], count = model_.column_starts[column + 1] - first;
    for (std::size_t i = 0; i < count; ++i) {
        const double pores = (*cells_)[first + i].pore_volume;
        residual_[i] = pores * mass_[first + i] - supply_[first + i];
        centre_[i] = pores;
        lower_[i] = upper_[i] = 0.0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t at = face_starts_[first + i]; at < face_starts_[first + i + 1]; ++at) {
            const Face& face = faces_[at];
            if (face.is_last) {
                continue;  // that of the cell before
            }
            const PhaseFlow through = flow(face.connection);
            const double out = face.is_from ? step_.days : -step_.days;
            const double by_own = out * (face.is_from ? through.by_from : through.by_to);
            residual_[i] += out * through.co2;
            centre_[i] += by_own;
            if (face.is_next) {
                const double by_next = out * (face.is_from ? through.by_to : through.by_from);
                upper_[i] += by_next;
                residual_[i + 1] -= out * through.co2;
                lower_[i + 1] -= by_own;
                centre_[i + 1] -= by_next;
            }
        }
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const CellState& cell = (*cells_)[first + i];
        largest = std::max(largest, std::abs(residual_[i]) / (cell.pore_volume * scale_of(cell)));
    }
    return largest;
}

/// Solves the system of linearise() and moves the masses by its solution, within limits; the largest change in terms of
/// saturation.
double Transport::update(std::size_t column, int iteration) {
    const std::size_t first = model_.column_starts[column], count = model_.column_starts[column + 1] - first;
    for (std::size_t i = 1; i < count; ++i) {
        const double factor = lower_[i] / centre_[i - 1];
        centre_[i] -= factor * upper_[i - 1];
        residual_[i] -= factor * residual_[i - 1];
    }
    for (std::size_t i = count; i-- > 0;) {
        residual_[i] = (residual_[i] - (i + 1 < count ? upper_[i] * residual_[i + 1] : 0.0)) / centre_[i];
    }
    const double longest = iteration < damped_from ? 0.2 : iteration < 20 ? 0.05 : 0.01;
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        CellState& cell = (*cells_)[first + i];
        const double scale = scale_of(cell), before = mass_[first + i];
        double step = -std::clamp(residual_[i], -longest * scale, longest * scale);
        // Slopes that jump may let masses go round in circles: a cell that turns back goes half as far as it came.
        const bool turns = step * steps_[i] < 0.0;
        if (steps_[i] != 0.0 && iteration >= (turns ? damped_from : 2 * damped_from)) {
            const double bound = (turns ? 0.5 : 1.0) * std::abs(steps_[i]);
            step = std::clamp(step, -bound, bound);
        }
        double mass = before + step;
        // An iteration in which gas appears or vanishes ends soon after, since slopes jump there.
        if (before < cell.limit) {
            mass = std::min(mass, cell.limit + 0.01 * scale);
        } else if (before > cell.limit) {
            mass = std::max(mass, 0.98 * cell.limit);
        }
        mass = std::clamp(mass, 0.0, cell.limit + scale);
        largest = std::isfinite(mass) ? std::max(largest, std::abs(mass - before) / scale) : mass;
        mass_[first + i] = mass;
        steps_[i] = mass - before;
        properties_.set_mass(cell, first + i, mass);
    }
    return largest;
}

/// False where it does not converge. `change` is that of the masses in terms of saturation.
bool Transport::solve_column(std::size_t column, double& change) {
    const std::size_t first = model_.column_starts[column], last = model_.column_starts[column + 1];
    const std::vector<double> before(mass_.begin() + static_cast<std::ptrdiff_t>(first),
                                     mass_.begin() + static_cast<std::ptrdiff_t>(last));
    const double wanted = column_share * step_.tolerance;
    bool is_solved = false;
    for (int iteration = 0; iteration < most_newton_steps && !is_solved; ++iteration) {
        const double residual = linearise(column);
        is_solved = residual < wanted && iteration > 0;
        if (!is_solved) {
            const double moved = update(column, iteration);
            if (!std::isfinite(moved)) {
                return false;
            }
            is_solved = moved < wanted && (iteration < damped_from || residual < most_left * step_.tolerance);
        }
    }
    change = 0.0;
    for (std::size_t cell = first; cell < last; ++cell) {
        change = std::max(change, std::abs(mass_[cell] - before[cell - first]) / scale_of((*cells_)[cell]));
    }
    return is_solved;
}

/// Solves the columns that are due, in both directions in turn, until none is.
bool Transport::sweep() {
    for (int round = 0; round < most_sweeps; ++round) {
        bool has_changed = false;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::size_t column = order_[round % 2 == 0 ? i : order_.size() - 1 - i];
            if (is_due_[column] == 0) {
                continue;
            }
            is_due_[column] = 0;
            double change = 0.0;
            if (!solve_column(column, change)) {
                return false;
            }
            if (change > step_.tolerance) {
                has_changed = true;
                for (const std::size_t other : neighbours_[column]) {
                    is_due_[other] = 1;
                }
            }
        }
        if (!has_changed) {
            return true;
        }
    }
    return false;
}

/// The masses that the final flow leaves.
void Transport::store(const std::vector<double>& sources, const Masses& before, Masses& after) const {
    after = before;
    for (std::size_t cell = 0; cell < model_.cells(); ++cell) {
        after.co2[cell] += step_.days * sources[cell];
    }
    for (std::size_t i = 0; i < model_.connections.size(); ++i) {
        const auto& [from, to, transmissibility] = model_.connections[i];
        const PhaseFlow through = flow(i);
        const CellState& brine_cell = (*cells_)[through.brine_leaves_from ? from : to];
        const double co2 = step_.days * through.co2;
        const double brine = step_.days * through.brine * properties_.brine_content(brine_cell);
        after.co2[from] -= co2;
        after.co2[to] += co2;
        after.brine[from] -= brine;
        after.brine[to] += brine;
    }
}

bool Transport::are_possible(const std::vector<CellState>& cells, const Masses& masses, const Masses& before,
                             const std::vector<double>& saturations) const {
    for (std::size_t cell = 0; cell < model_.cells(); ++cell) {
        const CellState& state = cells[cell];
        const double mass = masses.co2[cell] / state.pore_volume;
        const double gas = (mass - state.limit) / scale_of(state);
        const double brine = masses.brine[cell] / (state.brine_density * state.pore_volume);
        const double most = properties_.largest_saturation(cell) + overshoot;
        const bool has_room = gas <= most || gas <= std::min(saturations[cell] + allowance, 1.0 + overshoot);
        const bool has_brine = brine >= 1.0 - most || masses.brine[cell] >= before.brine[cell];
        if (!(mass >= -lost_mass && has_room && has_brine)) {
            return false;
        }
    }
    return true;
}

bool Transport::move(const Step& step, std::vector<CellState>& cells, const std::vector<double>& pressures,
                     const std::vector<double>& volumes, const std::vector<double>& sources, const Masses& before,
                     Masses& after) {
    step_ = step;
    cells_ = &cells;
    volumes_ = &volumes;
    constexpr double trace = 1e-12;  // [kg/m3]
    std::ranges::fill(is_due_, char{0});
    for (std::size_t cell = 0; cell < model_.cells(); ++cell) {
        mass_[cell] = std::max(after.co2[cell], 0.0) / cells[cell].pore_volume;
        supply_[cell] = before.co2[cell] + step.days * sources[cell];
        properties_.set_mass(cells[cell], cell, mass_[cell]);
        if (mass_[cell] > trace || sources[cell] > 0.0) {
            is_due_[column_of_[cell]] = 2;
        }
    }
    for (std::size_t column = 0; column < model_.columns(); ++column) {
        if (is_due_[column] == 2) {
            for (const std::size_t other : neighbours_[column]) {
                is_due_[other] = std::max(is_due_[other], char{1});
            }
        }
    }
    order_columns(pressures);
    const bool is_solved = sweep();
    if (is_solved) {
        store(sources, before, after);
    }
    return is_solved;
}

}  // namespace plumecast::connections
