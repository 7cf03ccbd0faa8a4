#include <algorithm>

#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast::two_phase {

double StepAdjoint::well_head(const PressureStage& stage, std::size_t row) const {
    return (stage.well_density - reservoir_.initial_density) * gravity *
           (reservoir_.depth[row] - reservoir_.well_depth);
}

double StepAdjoint::well_drop(const PressureStage& stage, std::size_t row) const {
    return stage.well + well_head(stage, row) - stage.buildup[row];
}

/// Adjoint of the pressure solve A x = b, equation (13) in docs/physics.md: with A^T y = w for the cotangents w of x,
/// those of b are y and those of A are -y x^T.
void StepAdjoint::pressure_back(const StepStages& stages, PressureStage& stage, State& cotangents, bool has_flow) {
    std::ranges::fill(well_factor_, 0.0);
    std::ranges::fill(well_head_, 0.0);
    well_ = 0.0;
    if (has_flow) {
        flow_back(stage, cotangents);
        std::ranges::fill(cotangents.inflow, 0.0);
    }
    answer_ = buildup_;
    stage.system.solve_transposed(answer_, well_);
    std::ranges::fill(buildup_, 0.0);
    storage_back(stages, stage);
    faces_back(stage, has_flow);
    well_back(stage, cotangents);
}

/// Adjoint of Simulation::set_flow(), the flow through faces and the shares of the rows of the well, as functions of
/// the build-up. The coefficients of the faces follow in faces_back().
void StepAdjoint::flow_back(const PressureStage& stage, const State& cotangents) {
    const std::size_t rows = reservoir_.rows;
    const auto factor = [&](std::size_t from, std::size_t to, double transmissibility, double standing, double other) {
        const double drop = stage.before[from] - stage.before[to] + standing;
        return transmissibility *
               (stage.gas_mobility[drop + other >= 0.0 ? from : to] + stage.brine_mobility[drop >= 0.0 ? from : to]);
    };
    const auto add = [&](std::size_t from, std::size_t to, double by_drop) {
        buildup_[from] += by_drop;
        buildup_[to] -= by_drop;
    };
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (cell + rows < reservoir_.cells()) {
            const double other = stage.capillary[cell] - stage.capillary[cell + rows];
            add(cell, cell + rows, outward_[cell] * factor(cell, cell + rows, reservoir_.radial[cell], 0.0, other));
        }
        if (cell % rows + 1 < rows) {
            const Drops drops = drops_below(stage, cell);
            add(cell + 1, cell,
                upward_[cell] * factor(cell + 1, cell, reservoir_.vertical[cell], drops.standing, drops.other));
        }
    }
    double total = 0.0, mean = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double drop = std::max(0.0, well_drop(stage, row));
        const double flow = stage.co2[row].density * well_factor(stage, row) * drop;
        total += flow;
        mean += cotangents.inflow[row] * flow;
    }
    mean /= total;
    for (std::size_t row = 0; total > 0.0 && row < rows; ++row) {
        const double drop = well_drop(stage, row), open = well_factor(stage, row);
        if (drop > 0.0) {
            const double by_flow = (cotangents.inflow[row] - mean) / total + injected_rate_;
            properties_.co2[row].density += by_flow * open * drop;
            well_factor_[row] += by_flow * stage.co2[row].density * drop;
            const double by_drop = by_flow * stage.co2[row].density * open;
            well_ += by_drop;
            well_head_[row] += by_drop;
            buildup_[row] -= by_drop;
        }
    }
    injected_rate_ = 0.0;
}

/// Adjoint of Simulation::add_storage(), the storage terms of equation (11) in docs/physics.md.
void StepAdjoint::storage_back(const StepStages& stages, const PressureStage& stage) {
    const State& before = stages.before;
    const double rock = reservoir_.rock_compressibility, brine = fluids_.brine_compressibility;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (!reservoir_.active[cell]) {
            continue;
        }
        const double volume = reservoir_.pore_volume[cell] / stages.days, y = answer_[cell];
        double gas = 0.0, by_volume = 0.0, by_gas = 0.0;
        const double by_solid = y * (before.transport_buildup[cell] - stage.buildup[cell]);
        if (cell < stages.reached * reservoir_.rows) {
            const Co2State& co2 = stage.co2[cell];
            const FilledSaturation filled(simulation_.formulation().expanding_gas, before.mass[cell],
                                          before.dissolved[cell] * (1.0 - before.saturation[cell]), co2.density,
                                          co2.dissolved_limit);
            gas = std::min(filled.value, 0.99);
            const double expansion = gas * co2.density_slope / co2.density;
            const double excess = std::max(0.0, before.transport_saturation[cell] - simulation_.largest_saturation());
            const double by_expansion = y * (stage.before[cell] - stage.buildup[cell]);
            const double by_space = y * volume;
            by_volume = y * (gas - before.transport_saturation[cell] - stages.released * before.shrinkage[cell] -
                             stage.dissolution[cell] + excess) +
                        by_expansion * expansion;
            buildup_[cell] += y * volume * expansion;
            by_gas = by_space + volume * (by_expansion * co2.density_slope / co2.density - by_solid * brine);
            transport_saturation_[cell] -= excess > 0.0 ? 0.0 : by_space;
            by_.largest_saturation -= excess > 0.0 ? by_space : 0.0;
            shrinkage_[cell] -= stages.released * by_space;
            dissolution_[cell] -= by_space;
            Co2State& by_co2 = properties_.co2[cell];
            by_co2.density_slope += by_expansion * volume * gas / co2.density;
            by_co2.density -= by_expansion * volume * expansion / co2.density;
            if (gas < 0.99) {
                old_mass_[cell] += by_gas * filled.by_mass;
                old_dissolved_[cell] += by_gas * filled.by_dissolved;
                by_co2.density += by_gas * filled.by_density;
                by_co2.dissolved_limit += by_gas * filled.by_limit;
            }
        }
        const double compressibility = rock + (1.0 - gas) * brine;
        transport_buildup_[cell] += y * volume * compressibility;
        by_.brine_compressibility += by_solid * volume * (1.0 - gas);
        by_.pore_volume[cell] += (by_volume + by_solid * compressibility) / stages.days;
    }
}

StepAdjoint::Drops StepAdjoint::drops_below(const PressureStage& stage, std::size_t cell) const {
    const double head = reservoir_.head[cell % reservoir_.rows];
    const double standing = (reservoir_.initial_density - mean_weight(cell)) * head;
    const double buoyancy = (mean_weight(cell) - 0.5 * (stage.co2[cell].density + stage.co2[cell + 1].density)) * head;
    return {standing, buoyancy + stage.capillary[cell + 1] - stage.capillary[cell]};
}

void StepAdjoint::faces_back(const PressureStage& stage, bool has_flow) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (cell + rows < reservoir_.cells()) {
            const std::size_t next = cell + rows;
            const Drops by = face_back(stage, cell, next, reservoir_.radial[cell],
                                       {0.0, stage.capillary[cell] - stage.capillary[next]},
                                       has_flow ? outward_[cell] : 0.0, by_.radial[cell]);
            properties_.capillary[cell] += by.other;
            properties_.capillary[next] -= by.other;
        }
        if (cell % rows + 1 < rows) {
            const std::size_t lower = cell + 1;
            const double head = reservoir_.head[cell % rows];
            const Drops by = face_back(stage, lower, cell, reservoir_.vertical[cell], drops_below(stage, cell),
                                       has_flow ? upward_[cell] : 0.0, by_.vertical[cell]);
            properties_.capillary[lower] += by.other;
            properties_.capillary[cell] -= by.other;
            by_.initial_density += by.standing * head;
            add_weight(cell, (by.other - by.standing) * head);
            properties_.co2[cell].density -= 0.5 * by.other * head;
            properties_.co2[lower].density -= 0.5 * by.other * head;
        }
    }
}

// Adjoint of the coefficients of a face, equation (12) in docs/physics.md, as ColumnKernels::flow makes them for the
// balances and set_flow() uses them for the flow.
StepAdjoint::Drops StepAdjoint::face_back(const PressureStage& stage, std::size_t from, std::size_t to,
                                          double transmissibility, Drops drops, double by_flow,
                                          double& by_transmissibility) {
    const double brine_drop = stage.before[from] - stage.before[to] + drops.standing;
    const std::size_t gas_from = brine_drop + drops.other >= 0.0 ? from : to;
    const std::size_t brine_from = brine_drop >= 0.0 ? from : to;
    const double gas = stage.gas_mobility[gas_from], brine = stage.brine_mobility[brine_from];
    const double gas_density = stage.co2[gas_from].density;
    const double there = gas > 0.0 ? gas_density / stage.co2[from].density : 1.0;
    const double here = gas > 0.0 ? gas_density / stage.co2[to].density : 1.0;
    const double drop = stage.buildup[from] - stage.buildup[to];
    const double gas_drop = drops.other + drops.standing;
    // Cotangents of the volumes of gas and brine that cross, in the balances of both cells and in the flow.
    const double by_from = -answer_[from], by_to = answer_[to];
    const double by_gas = by_from * there + by_to * here + by_flow;
    const double by_brine = by_from + by_to + by_flow;
    const double gas_driven = gas * (drop + gas_drop), brine_driven = brine * (drop + drops.standing);
    by_transmissibility += by_gas * gas_driven + by_brine * brine_driven;
    properties_.gas_mobility[gas_from] += by_gas * transmissibility * (drop + gas_drop);
    properties_.brine_mobility[brine_from] += by_brine * transmissibility * (drop + drops.standing);
    if (gas > 0.0) {
        const double flow = transmissibility * gas_driven;
        if (gas_from == from) {
            properties_.co2[from].density += by_to * flow / stage.co2[to].density;
            properties_.co2[to].density -= by_to * flow * here / stage.co2[to].density;
        } else {
            properties_.co2[to].density += by_from * flow / stage.co2[from].density;
            properties_.co2[from].density -= by_from * flow * there / stage.co2[from].density;
        }
    }
    const double by_other = by_gas * transmissibility * gas;
    return {by_other + by_brine * transmissibility * brine, by_other};
}

double StepAdjoint::well_factor(const PressureStage& stage, std::size_t row) const {
    return stage.is_shut[row] ? 0.0 : reservoir_.well[row] * (stage.gas_mobility[row] + stage.brine_mobility[row]);
}

/// Adjoint of the pressure of a well that is held at its limit; returns the cotangent of the density in the well.
double StepAdjoint::limit_back(double density) {
    const double over = gravity * (reservoir_.depth[reservoir_.highest] - reservoir_.well_depth);
    by_.limit += well_;
    by_.initial_density += well_ * over;
    by_.well_depth += well_ * gravity * (density - reservoir_.initial_density);
    return -well_ * over;
}

/// Adjoint of Simulation::add_well() and set_well_density().
void StepAdjoint::well_back(const PressureStage& stage, State& cotangents) {
    const double rate = simulation_.mass_rate(), density = stage.well_density;
    double by_density = 0.0;
    if (stage.is_limited) {
        by_density = limit_back(density);
    } else {
        by_.mass_rate += well_ / density;
        by_density = -well_ * rate / (density * density);
    }
    const double by_balance = stage.is_limited ? 0.0 : well_;  // of the mass that the well injects
    double weights = 0.0, capillary = 0.0;                     // as Simulation::well_capillary() has them
    for (std::size_t row = 0; stage.is_limited && row < reservoir_.rows; ++row) {
        const double weight = stage.co2[row].density * well_factor(stage, row);
        weights += weight;
        capillary += weight * stage.capillary[row];
    }
    capillary = weights > 0.0 ? capillary / weights : 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double drop = well_drop(stage, row), open = well_factor(stage, row);
        const double weighted = open * stage.co2[row].density / density, by_weighted = -by_balance * drop;
        double by_open = well_factor_[row] + answer_[row] * drop + by_weighted * stage.co2[row].density / density;
        if (stage.is_limited && weights > 0.0) {
            const double by_weight = -well_ * (stage.capillary[row] - capillary) / weights;
            properties_.capillary[row] -= well_ * stage.co2[row].density * open / weights;
            properties_.co2[row].density += by_weight * open;
            by_open += by_weight * stage.co2[row].density;
        }
        properties_.co2[row].density += by_weighted * open / density;
        by_density -= by_weighted * weighted / density;
        const double by_head = well_head_[row] + answer_[row] * open - by_balance * weighted;
        const double over = reservoir_.depth[row] - reservoir_.well_depth;
        by_density += by_head * gravity * over;
        by_.initial_density -= by_head * gravity * over;
        by_.well_depth -= by_head * (density - reservoir_.initial_density) * gravity;
        // A row that is not perforated would be shut where it gave brine to the well.
        if (!stage.is_shut[row] && (reservoir_.well[row] > 0.0 || drop > 0.0)) {
            by_.well[row] += by_open * (stage.gas_mobility[row] + stage.brine_mobility[row]);
            properties_.gas_mobility[row] += by_open * reservoir_.well[row];
            properties_.brine_mobility[row] += by_open * reservoir_.well[row];
        }
    }
    const bool has_injected = std::ranges::any_of(stage.inflow, [](double share) { return share > 0.0; });
    const std::vector<double>& shares = has_injected ? stage.inflow : reservoir_.well;
    std::vector<double>& by_shares = has_injected ? cotangents.inflow : by_.well;
    double sum = 0.0;
    for (const double share : shares) {
        sum += share;
    }
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        properties_.co2[row].density += by_density * shares[row] / sum;
        by_shares[row] += by_density * (stage.co2[row].density - density) / sum;
    }
}

}  // namespace plumecast::two_phase
