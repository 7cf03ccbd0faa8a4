#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

#include <algorithm>

namespace plumecast::two_phase {

StepAdjoint::StepAdjoint(const Simulation& simulation, SimulationWeights& by)
    : simulation_(simulation),
      reservoir_(simulation.reservoir()),
      fluids_(simulation.fluids()),
      by_(by),
      properties_(reservoir_.cells()) {
    for (auto* part : {&buildup_, &answer_, &dissolution_, &assumed_, &old_mass_, &old_dissolved_, &settled_,
                       &shrinkage_, &carried_, &dissolved_in_, &outward_, &upward_, &limit_}) {
        part->resize(reservoir_.cells());
    }
    well_factor_.resize(reservoir_.rows);
    well_head_.resize(reservoir_.rows);
}

void StepAdjoint::clear_properties() {
    std::ranges::fill(properties_.co2, Co2State{});
    for (auto* part : {&properties_.gas_mobility, &properties_.brine_mobility, &properties_.capillary}) {
        std::ranges::fill(*part, 0.0);
    }
}

/// What a step leaves to the next: the build-up that moved the CO2, the saturation there, the volume lost.
void StepAdjoint::leave_over_back(const StepStages& stages, const State& weights) {
    const PressureStage& last = stages.pressures[stages.rounds];
    const TransportStage& moved = stages.transports[stages.rounds - 1];
    std::ranges::fill(limit_, 0.0);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        shrinkage_[cell] = (1.0 - stages.released) * weights.shrinkage[cell];
        dissolution_[cell] = weights.shrinkage[cell];
        assumed_[cell] = -weights.shrinkage[cell];
    }
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        const Flash flash(moved.mass[cell], last.co2[cell].density, moved.co2[cell].dissolved_limit);
        properties_.co2[cell].density += weights.settled[cell] * flash.by_density;
        limit_[cell] = weights.settled[cell] * flash.by_limit;
        old_mass_[cell] = weights.settled[cell] * flash.by_mass;  // for now that of the mass after the step
    }
}

/// Fluids at the build-up before a solution and flow at its saturation.
void StepAdjoint::properties_back(const PressureStage& stage, std::vector<double>& saturation) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        Co2State& co2 = properties_.co2[cell];
        const MobilityWeights weights{properties_.gas_mobility[cell], properties_.brine_mobility[cell],
                                      properties_.capillary[cell]};
        saturation[cell] += add_mobility_weights(simulation_, cell, stage.saturation[cell], stage.co2[cell].viscosity,
                                                 weights, co2, by_);
        const std::size_t row = cell % reservoir_.rows;
        const double pressure = reservoir_.initial_pressure[row] + stage.before[cell];
        const double by_pressure = add_co2_weights(fluids_, pressure, co2, by_);
        buildup_[cell] += by_pressure;
        by_.initial_pressure[row] += by_pressure;
    }
}

/// The dissolved CO2 that a step starts with.
void StepAdjoint::start_back(const StepStages& stages, State& weights) {
    const State& before = stages.before;
    std::ranges::fill(weights.dissolved, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        weights.dissolved[cell] = old_dissolved_[cell] * (1.0 - before.saturation[cell]);
        weights.saturation[cell] -= old_dissolved_[cell] * before.dissolved[cell];
    }
    weights.buildup = buildup_;
    weights.mass = old_mass_;
    weights.settled = settled_;
    weights.shrinkage = shrinkage_;
    weights.carried = carried_;
}

void StepAdjoint::forget_back(const StepStages& stages, State& weights) {
    const State& before = stages.before;
    std::ranges::fill(weights.shrinkage, 0.0);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const std::size_t row = cell % reservoir_.rows;
        weights.buildup[cell] += weights.carried[cell];
        const double pressure = reservoir_.initial_pressure[row] + before.buildup[cell];
        const Co2State co2 = fluids_.at(pressure);
        const Flash flash(before.mass[cell], co2.density, co2.dissolved_limit);
        Co2State by_co2;
        by_co2.density = weights.settled[cell] * flash.by_density;
        by_co2.dissolved_limit = weights.settled[cell] * flash.by_limit;
        weights.mass[cell] += weights.settled[cell] * flash.by_mass;
        const double by_pressure = add_co2_weights(fluids_, pressure, by_co2, by_);
        weights.buildup[cell] += by_pressure;
        by_.initial_pressure[row] += by_pressure;
    }
    std::ranges::fill(weights.carried, 0.0);
    std::ranges::fill(weights.settled, 0.0);
}

void StepAdjoint::back(StepStages& stages, State& weights) {
    for (auto* part : {&old_mass_, &old_dissolved_, &settled_, &carried_}) {
        std::ranges::fill(*part, 0.0);
    }
    clear_properties();
    leave_over_back(stages, weights);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        weights.mass[cell] += old_mass_[cell];
    }
    std::ranges::fill(old_mass_, 0.0);
    buildup_ = weights.buildup;
    pressure_back(stages, stages.pressures[stages.rounds], weights, false);
    properties_back(stages.pressures[stages.rounds], weights.saturation);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        buildup_[cell] += weights.carried[cell];
    }
    for (std::size_t round = stages.rounds; round-- > 0;) {
        clear_properties();
        transport_back(stages, stages.transports[round], weights);
        std::ranges::copy(assumed_, dissolution_.begin());
        std::ranges::fill(assumed_, 0.0);
        pressure_back(stages, stages.pressures[round], weights, true);
        properties_back(stages.pressures[round], weights.saturation);
    }
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        old_mass_[cell] += weights.mass[cell];  // the guess of the first transport
    }
    start_back(stages, weights);
    if (stages.has_forgotten) {
        forget_back(stages, weights);
    }
}

}  // namespace plumecast::two_phase
