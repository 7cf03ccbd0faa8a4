#include <algorithm>
#include <cstddef>
#include <vector>

#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/single_phase/single_phase_flow.hpp"

namespace plumecast {
namespace {

constexpr double never = 1e9;  // [day]

/// The flow at the last time, cell by cell.
class LastFlow {
   public:
    LastFlow(const RadialCase& radial, const SinglePhaseFlow& flow)
        : rows_(radial.rows()), columns_(radial.columns()), flow_(&flow) {
        const auto first = flow.pressure_buildup.end() - static_cast<std::ptrdiff_t>(radial.cells());
        pressure_.assign(first, flow.pressure_buildup.end());
        pressure_.push_back(flow.well_buildup.back());
        for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
            if (radial.active[cell] != 0) {
                downstream_.push_back(cell);
            }
        }
        std::ranges::stable_sort(downstream_, [&](auto a, auto b) { return pressure_[a] > pressure_[b]; });
    }

    /// The well, as the last of the cells.
    std::size_t well() const { return rows_ * columns_; }
    /// Active cells by falling pressure.
    const std::vector<std::size_t>& downstream() const { return downstream_; }

    /// Calls visit(array of the connections, place in it, neighbour) for all neighbours of a cell.
    template <class Visit>
    void visit_neighbours(std::size_t cell, const Visit& visit) const {
        const std::size_t row = cell / columns_;
        const std::size_t column = cell % columns_;
        if (column == 0) {
            visit(&RadialConnections::well, row, well());
        } else {
            visit(&RadialConnections::radial, row * (columns_ - 1) + column - 1, cell - 1);
        }
        if (column + 1 < columns_) {
            visit(&RadialConnections::radial, row * (columns_ - 1) + column, cell + 1);
        }
        if (row > 0) {
            visit(&RadialConnections::vertical, cell - columns_, cell - columns_);
        }
        if (row + 1 < rows_) {
            visit(&RadialConnections::vertical, cell, cell + columns_);
        }
    }

    double fall(std::size_t from, std::size_t to) const { return std::max(0.0, pressure_[from] - pressure_[to]); }

    /// The sum of what flows into a cell, and of that times the arrival upstream [Z, R] and in the well.
    struct Inflow {
        double rate = 0.0;
        double weighted = 0.0;
    };
    Inflow inflow(std::size_t cell, const std::vector<double>& arrival) const {
        Inflow sum;
        visit_neighbours(cell, [&](auto array, std::size_t place, std::size_t next) {
            const double rate = (flow_->connections.*array)[place] / flow_->viscosity * fall(next, cell);
            sum.rate += rate;
            sum.weighted += rate > 0.0 ? rate * arrival[next] : 0.0;
        });
        return sum;
    }

   private:
    std::size_t rows_;
    std::size_t columns_;
    const SinglePhaseFlow* flow_;
    std::vector<double> pressure_;  // [Z, R] and of the well
    std::vector<std::size_t> downstream_;
};

}  // namespace

/// Equation (5) in docs/physics.md, cells taken by falling pressure.
std::vector<double> arrival_times(const RadialCase& radial, const SinglePhaseFlow& flow) {
    const LastFlow last(radial, flow);
    std::vector<double> arrival(radial.cells() + 1);
    for (const std::size_t cell : last.downstream()) {
        const LastFlow::Inflow in = last.inflow(cell, arrival);
        arrival[cell] =
            in.rate > 0.0 ? std::min(never, (in.weighted + flow.connections.pore_volume[cell]) / in.rate) : never;
    }
    arrival.pop_back();
    return arrival;
}

// Adjoint of equation (5) in docs/physics.md, from the cells that are reached last.
void add_arrival_cotangents(const RadialCase& radial, const SinglePhaseFlow& flow, const std::vector<double>& arrival,
                            const std::vector<double>& by_arrival, FlowCotangents& cotangents) {
    const LastFlow last(radial, flow);
    std::vector<double> times = arrival;
    std::vector<double> sums = by_arrival;
    times.push_back(0.0);
    sums.push_back(0.0);
    std::vector<double> by_pressure(last.well() + 1);
    for (std::size_t i = last.downstream().size(); i-- > 0;) {
        const std::size_t cell = last.downstream()[i];
        const double rate = last.inflow(cell, times).rate;
        if (!(rate > 0.0) || times[cell] >= never || sums[cell] == 0.0) {
            continue;
        }
        const double share = sums[cell] / rate;
        cotangents.connections.pore_volume[cell] += share;
        last.visit_neighbours(cell, [&](auto array, std::size_t place, std::size_t next) {
            const double fall = last.fall(next, cell);
            if (fall > 0.0) {
                const double mobility = (flow.connections.*array)[place] / flow.viscosity;
                const double by_rate = share * (times[next] - times[cell]);
                sums[next] += share * mobility * fall;
                (cotangents.connections.*array)[place] += by_rate * fall / flow.viscosity;
                by_pressure[next] += by_rate * mobility;
                by_pressure[cell] -= by_rate * mobility;
            }
        });
    }
    cotangents.well_buildup.back() += by_pressure[last.well()];
    const std::size_t first = cotangents.pressure_buildup.size() - radial.cells();
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        cotangents.pressure_buildup[first + cell] += by_pressure[cell];
    }
}

}  // namespace plumecast
