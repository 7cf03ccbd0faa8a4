#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

#include <algorithm>

namespace plumecast::two_phase {

StepAdjoint::StepAdjoint(const Simulation& simulation, SimulationCotangents& by)
    : simulation_(simulation),
      reservoir_(simulation.reservoir()),
      fluids_(simulation.fluids()),
      by_(by),
      properties_(reservoir_.cells()) {
    for (auto* part :
         {&buildup_, &answer_, &dissolution_, &assumed_, &old_mass_, &old_dissolved_, &transport_saturation_,
          &shrinkage_, &transport_buildup_, &dissolved_in_, &outward_, &upward_, &limit_, &by_weight_}) {
        part->resize(reservoir_.cells());
    }
    by_peak_.resize(simulation.curves().has_hysteresis() ? reservoir_.cells() : 0);
    well_factor_.resize(reservoir_.rows);
    well_head_.resize(reservoir_.rows);
}

void StepAdjoint::clear_properties() {
    std::ranges::fill(properties_.co2, Co2State{});
    for (auto* part : {&properties_.gas_mobility, &properties_.brine_mobility, &properties_.capillary}) {
        std::ranges::fill(*part, 0.0);
    }
}

/// Adjoint of what a step leaves to the next: the build-up of the transport, the saturation at it, the volume lost to
/// dissolution.
void StepAdjoint::leave_over_back(const StepStages& stages, State& cotangents) {
    const PressureStage& last = stages.pressures[stages.rounds];
    const TransportStage& moved = stages.transports[stages.rounds - 1];
    std::ranges::fill(limit_, 0.0);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        shrinkage_[cell] = (1.0 - stages.released) * cotangents.shrinkage[cell];
        dissolution_[cell] = cotangents.shrinkage[cell];
        assumed_[cell] = -cotangents.shrinkage[cell];
    }
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        const double brine = 1.0 - moved.saturation[cell], by = cotangents.transport_saturation[cell];
        const FilledSaturation filled(simulation_.formulation().expanding_gas, moved.mass[cell],
                                      moved.dissolved[cell] * brine, last.co2[cell].density,
                                      moved.co2[cell].dissolved_limit);
        properties_.co2[cell].density += by * filled.by_density;
        limit_[cell] = by * filled.by_limit;
        cotangents.mass[cell] += by * filled.by_mass;
        cotangents.dissolved[cell] += by * filled.by_dissolved * brine;
        cotangents.saturation[cell] -= by * filled.by_dissolved * moved.dissolved[cell];
    }
}

/// Adjoint of the fluids at the build-up before a solution, and of mobilities and capillary pressure at its saturation.
void StepAdjoint::properties_back(const PressureStage& stage, std::vector<double>& saturation) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        Co2State& co2 = properties_.co2[cell];
        const MobilityCotangents cotangents{properties_.gas_mobility[cell], properties_.brine_mobility[cell],
                                            properties_.capillary[cell]};
        const GasSaturation by_gas = add_mobility_cotangents(simulation_, cell, gas_of(cell, stage.saturation[cell]),
                                                             stage.co2[cell].viscosity, cotangents, co2, by_);
        saturation[cell] += by_gas.now;
        add_peak(cell, by_gas.peak);
        const std::size_t row = cell % reservoir_.rows;
        const double pressure = reservoir_.initial_pressure[row] + stage.before[cell];
        const double by_pressure = add_co2_cotangents(fluids_, pressure, co2, by_);
        buildup_[cell] += by_pressure;
        by_.initial_pressure[row] += by_pressure;
    }
}

/// Of the brine in a cell and in the one below [kg/m3].
double StepAdjoint::mean_weight(std::size_t cell) const {
    const std::vector<double>& weights = simulation_.brine_weights();
    return 0.5 * (weights[cell] + weights[cell + 1]);
}

void StepAdjoint::add_weight(std::size_t cell, double by_mean) {
    by_weight_[cell] += 0.5 * by_mean;
    by_weight_[cell + 1] += 0.5 * by_mean;
}

/// Adjoint of Simulation::weigh_brine(), equation (23) in docs/physics.md.
void StepAdjoint::weights_back(const StepStages& stages, State& cotangents) {
    const bool is_constant = simulation_.formulation().brine_weight == BrineWeight::constant;
    const double density = fluids_.brine_density, whole = fluids_.dissolved_density;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double by = by_weight_[cell];
        if (is_constant) {
            by_.brine_density += by;
            continue;
        }
        const double buildup = stages.before.buildup[cell], dissolved = stages.before.dissolved[cell];
        by_.brine_density += by * (1.0 + fluids_.brine_compressibility * buildup - dissolved / whole);
        by_.brine_compressibility += by * density * buildup;
        by_.dissolved_density += by * density * dissolved / (whole * whole);
        cotangents.buildup[cell] += by * density * fluids_.brine_compressibility;
        cotangents.dissolved[cell] += by * (1.0 - density / whole);
    }
    std::ranges::fill(by_weight_, 0.0);
}

/// Adjoint of the dissolved CO2 at the start of a step; hands over the cotangents of the state before it.
void StepAdjoint::start_back(const StepStages& stages, State& cotangents) {
    const State& before = stages.before;
    std::ranges::fill(cotangents.dissolved, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        cotangents.dissolved[cell] = old_dissolved_[cell] * (1.0 - before.saturation[cell]);
        cotangents.saturation[cell] -= old_dissolved_[cell] * before.dissolved[cell];
    }
    cotangents.buildup = buildup_;
    cotangents.mass = old_mass_;
    cotangents.transport_saturation = transport_saturation_;
    cotangents.shrinkage = shrinkage_;
    cotangents.transport_buildup = transport_buildup_;
}

/// Adjoint of Simulation::forget_volumes(): build-up and saturation of the transport set anew.
void StepAdjoint::forget_back(const StepStages& stages, State& cotangents) {
    const State& before = stages.before;
    std::ranges::fill(cotangents.shrinkage, 0.0);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const std::size_t row = cell % reservoir_.rows;
        cotangents.buildup[cell] += cotangents.transport_buildup[cell];
        const double pressure = reservoir_.initial_pressure[row] + before.buildup[cell];
        const Co2State co2 = fluids_.at(pressure);
        const double brine = 1.0 - before.saturation[cell], by = cotangents.transport_saturation[cell];
        const FilledSaturation filled(simulation_.formulation().expanding_gas, before.mass[cell],
                                      before.dissolved[cell] * brine, co2.density, co2.dissolved_limit);
        Co2State by_co2;
        by_co2.density = by * filled.by_density;
        by_co2.dissolved_limit = by * filled.by_limit;
        cotangents.mass[cell] += by * filled.by_mass;
        cotangents.dissolved[cell] += by * filled.by_dissolved * brine;
        cotangents.saturation[cell] -= by * filled.by_dissolved * before.dissolved[cell];
        const double by_pressure = add_co2_cotangents(fluids_, pressure, by_co2, by_);
        cotangents.buildup[cell] += by_pressure;
        by_.initial_pressure[row] += by_pressure;
    }
    std::ranges::fill(cotangents.transport_buildup, 0.0);
    std::ranges::fill(cotangents.transport_saturation, 0.0);
}

GasSaturation StepAdjoint::gas_of(std::size_t cell, double saturation) const {
    return {saturation, by_peak_.empty() ? 0.0 : (*peaks_)[cell]};
}

void StepAdjoint::add_peak(std::size_t cell, double cotangent) {
    if (!by_peak_.empty()) {
        by_peak_[cell] += cotangent;
    }
}

/// Adjoint of Simulation::remember_peaks().
void StepAdjoint::peaks_back(const StepStages& stages, State& cotangents) {
    peaks_ = &stages.before.peak;
    const std::vector<double>& saturation = stages.transports[stages.rounds - 1].saturation;
    for (std::size_t cell = 0; cell < by_peak_.size(); ++cell) {
        const bool has_grown = saturation[cell] > (*peaks_)[cell];
        cotangents.saturation[cell] += has_grown ? cotangents.peak[cell] : 0.0;
        by_peak_[cell] = has_grown ? 0.0 : cotangents.peak[cell];
    }
}

void StepAdjoint::back(StepStages& stages, State& cotangents) {
    peaks_back(stages, cotangents);
    for (auto* part : {&old_mass_, &old_dissolved_, &transport_saturation_, &transport_buildup_}) {
        std::ranges::fill(*part, 0.0);
    }
    clear_properties();
    leave_over_back(stages, cotangents);
    buildup_ = cotangents.buildup;
    pressure_back(stages, stages.pressures[stages.rounds], cotangents, false);
    properties_back(stages.pressures[stages.rounds], cotangents.saturation);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        buildup_[cell] += cotangents.transport_buildup[cell];
    }
    for (std::size_t round = stages.rounds; round-- > 0;) {
        clear_properties();
        transport_back(stages, stages.transports[round], cotangents);
        std::ranges::copy(assumed_, dissolution_.begin());
        std::ranges::fill(assumed_, 0.0);
        pressure_back(stages, stages.pressures[round], cotangents, true);
        properties_back(stages.pressures[round], cotangents.saturation);
    }
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        old_mass_[cell] += cotangents.mass[cell];  // the guess of the first transport
    }
    start_back(stages, cotangents);
    weights_back(stages, cotangents);
    if (stages.has_forgotten) {
        forget_back(stages, cotangents);
    }
    cotangents.peak = by_peak_;
}

}  // namespace plumecast::two_phase
