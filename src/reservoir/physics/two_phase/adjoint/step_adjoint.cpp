#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

#include <algorithm>
#include <utility>

#include "reservoir/physics/two_phase/adjoint/local_adjoint.hpp"

namespace plumecast::two_phase {

StepAdjoint::StepAdjoint(const Simulation& simulation, SimulationCotangents& by)
    : simulation_(simulation),
      reservoir_(simulation.reservoir()),
      fluids_(simulation.fluids()),
      by_(by),
      by_values_(reservoir_.cells()),
      answer_(reservoir_.cells()),
      by_inflow_(reservoir_.rows) {}

StepAdjoint::Face StepAdjoint::outer_face(std::size_t cell) {
    return {FaceKind::of_rings,      cell, cell, cell + reservoir_.rows, reservoir_.radial[cell], 0.0, by_.radial[cell],
            by_values_.outward[cell]};
}

StepAdjoint::Face StepAdjoint::lower_face(std::size_t cell) {
    return {FaceKind::of_rows,
            cell,
            cell + 1,
            cell,
            reservoir_.vertical[cell],
            reservoir_.head[cell % reservoir_.rows],
            by_.vertical[cell],
            by_values_.upward[cell]};
}

/// Adjoint of the pressures that drive phases through a face: of brine at rest and of gas beyond that of brine. They
/// are sums of what they depend on.
void StepAdjoint::drops_back(const Face& face, double by_standing, double by_beyond) {
    LocalAdjoint<7> on;
    const auto of = [&](auto part, std::size_t cell) { return on(0.0, (by_values_.*part)[cell]); };
    const Weights<Dual<7>> weights{of(&StepValues::weight, face.to), of(&StepValues::weight, face.from),
                                   of(&StepValues::density, face.to), of(&StepValues::density, face.from)};
    on.add(by_standing * weights.standing(on(0.0, by_.initial_density), face.head) +
           by_beyond * (weights.buoyancy(face.head) + of(&StepValues::capillary, face.from) -
                        of(&StepValues::capillary, face.to)));
}

/// Adjoint of the saturation that the CO2 of a cell fills at the density `at` and a limit.
void StepAdjoint::filled_back(double by_saturation, std::size_t cell, const State& of, const StepValues& at,
                              double limit, double& by_limit, State& by_state) {
    LocalAdjoint<5> on;
    const auto dissolved = on(of.dissolved[cell], by_state.dissolved[cell]);
    const auto brine = 1.0 - on(of.saturation[cell], by_state.saturation[cell]);
    on.add(by_saturation * filled_saturation(simulation_.formulation().expanding_gas,
                                             on(of.mass[cell], by_state.mass[cell]), dissolved * brine,
                                             on(at.density[cell], by_values_.density[cell]), on(limit, by_limit)));
}

/// Adjoint of what a step leaves to the next: the build-up of the transport, the saturation at it, the volume lost to
/// dissolution.
void StepAdjoint::leave_over_back(const StepStages& stages, State& by_state) {
    const TransportStage& moved = stages.transports[stages.rounds - 1];
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        by_before_.shrinkage[cell] = (1.0 - stages.released) * by_state.shrinkage[cell];
        by_values_.dissolution[cell] = by_state.shrinkage[cell];
        by_values_.assumed[cell] = -by_state.shrinkage[cell];
    }
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        filled_back(by_state.transport_saturation[cell], cell, moved.after, stages.pressures[stages.rounds].values,
                    moved.values.limit[cell], by_values_.moved_limit[cell], by_state);
    }
}

/// Adjoint of the mobilities and the capillary pressure of a cell; returns the cotangent of its saturation.
double StepAdjoint::mobilities_back(std::size_t cell, double saturation, double viscosity, State& by_state) {
    const GasSaturation by_gas = add_mobility_cotangents(
        simulation_, cell, gas_of(cell, saturation), viscosity,
        {std::exchange(by_values_.gas_mobility[cell], 0.0), std::exchange(by_values_.brine_mobility[cell], 0.0),
         std::exchange(by_values_.capillary[cell], 0.0)},
        by_values_.viscosity[cell], by_);
    if (!by_state.peak.empty()) {
        by_state.peak[cell] += by_gas.peak;
    }
    return by_gas.now;
}

/// Adjoint of the fluids of a cell at a build-up.
void StepAdjoint::fluids_back(std::size_t cell, double buildup, State& by_state) {
    const std::size_t row = cell % reservoir_.rows;
    Co2State by_co2{std::exchange(by_values_.density[cell], 0.0), std::exchange(by_values_.density_slope[cell], 0.0),
                    std::exchange(by_values_.viscosity[cell], 0.0), std::exchange(by_values_.limit[cell], 0.0)};
    const double pressure = reservoir_.initial_pressure[row] + buildup;
    if (start_->dissolvable[cell] < fluids_.at(pressure).dissolved_limit) {
        by_values_.dissolvable[cell] += std::exchange(by_co2.dissolved_limit, 0.0);
    }
    const double by_pressure = add_co2_cotangents(fluids_, pressure, by_co2, by_);
    by_state.buildup[cell] += by_pressure;
    by_.initial_pressure[row] += by_pressure;
}

/// Adjoint of the fluids at the build-up before a solution, and of mobilities and capillary pressure at its saturation.
void StepAdjoint::properties_back(const PressureStage& stage, State& by_state) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        by_state.saturation[cell] +=
            mobilities_back(cell, stage.state.saturation[cell], stage.values.viscosity[cell], by_state);
        fluids_back(cell, stage.buildup[cell], by_state);
    }
}

/// Adjoint of Simulation::weigh_brine().
void StepAdjoint::weights_back(const StepStages& stages, State& by_state) {
    const bool is_constant = simulation_.formulation().brine_weight == BrineWeight::constant;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double by_weight = std::exchange(by_values_.weight[cell], 0.0);
        if (is_constant) {
            by_.brine_density += by_weight;
            continue;
        }
        LocalAdjoint<5> on;
        on.add(by_weight * brine_weight(on(fluids_.brine_density, by_.brine_density),
                                        on(fluids_.brine_compressibility, by_.brine_compressibility),
                                        on(fluids_.dissolved_density, by_.dissolved_density),
                                        on(stages.before.buildup[cell], by_state.buildup[cell]),
                                        on(stages.before.dissolved[cell], by_state.dissolved[cell])));
    }
}

/// Adjoint of the dissolved CO2 at the start of a step; hands over the cotangents of the state before it.
void StepAdjoint::start_back(const StepStages& stages, State& by_state) {
    std::ranges::fill(by_state.dissolved, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        LocalAdjoint<2> on;
        const auto saturation = on(stages.before.saturation[cell], by_state.saturation[cell]);
        on.add(by_values_.old_dissolved[cell] * on(stages.before.dissolved[cell], by_state.dissolved[cell]) *
               (1.0 - saturation));
    }
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double by_dissolvable = std::exchange(by_values_.dissolvable[cell], 0.0);
        by_state.dissolved[cell] += by_dissolvable;
        by_.dissolution_rate += by_dissolvable * stages.days;
        by_state.mass[cell] += by_values_.old_mass[cell];  // beside that of the guess of the first transport
    }
    by_state.transport_saturation = by_before_.transport_saturation;
    by_state.shrinkage = by_before_.shrinkage;
    by_state.transport_buildup = by_before_.transport_buildup;
}

/// Adjoint of Simulation::forget_volumes(): build-up and saturation of the transport set anew.
void StepAdjoint::forget_back(const StepStages& stages, State& by_state) {
    StepValues at(reservoir_.cells());
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double buildup = stages.before.buildup[cell];
        const Co2State co2 = fluids_.at(reservoir_.initial_pressure[cell % reservoir_.rows] + buildup);
        at.density[cell] = co2.density;
        by_state.buildup[cell] += by_state.transport_buildup[cell];
        filled_back(by_state.transport_saturation[cell], cell, stages.before, at, co2.dissolved_limit,
                    by_values_.limit[cell], by_state);
        fluids_back(cell, buildup, by_state);
    }
    for (auto* part : {&by_state.shrinkage, &by_state.transport_buildup, &by_state.transport_saturation}) {
        std::ranges::fill(*part, 0.0);
    }
}

GasSaturation StepAdjoint::gas_of(std::size_t cell, double saturation) const {
    return {saturation, peaks_->empty() ? 0.0 : (*peaks_)[cell]};
}

/// Adjoint of Simulation::remember_peaks().
void StepAdjoint::peaks_back(const StepStages& stages, State& by_state) {
    peaks_ = &stages.before.peak;
    const std::vector<double>& saturation = stages.transports[stages.rounds - 1].after.saturation;
    for (std::size_t cell = 0; cell < peaks_->size(); ++cell) {
        if (saturation[cell] > (*peaks_)[cell]) {
            by_state.saturation[cell] += std::exchange(by_state.peak[cell], 0.0);
        }
    }
}

void StepAdjoint::back(StepStages& stages, State& by_state) {
    peaks_back(stages, by_state);
    start_ = &stages.pressures[0].values;
    for (auto* part : {&by_values_.old_mass, &by_values_.old_dissolved, &by_before_.transport_saturation,
                       &by_before_.transport_buildup, &by_before_.shrinkage}) {
        part->assign(reservoir_.cells(), 0.0);
    }
    leave_over_back(stages, by_state);
    pressure_back(stages, stages.pressures[stages.rounds], by_state, false);
    properties_back(stages.pressures[stages.rounds], by_state);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        by_state.buildup[cell] += by_state.transport_buildup[cell];
    }
    const bool is_limited = stages.transports[stages.rounds - 1].after.is_limited;
    (is_limited ? by_values_.injected_rate : by_.mass_rate) += by_state.injected * stages.days;
    for (std::size_t round = stages.rounds; round-- > 0;) {
        transport_back(stages, stages.transports[round], by_state);
        std::ranges::copy(by_values_.assumed, by_values_.dissolution.begin());
        std::ranges::fill(by_values_.assumed, 0.0);
        pressure_back(stages, stages.pressures[round], by_state, true);
        properties_back(stages.pressures[round], by_state);
    }
    start_back(stages, by_state);
    weights_back(stages, by_state);
    if (stages.has_forgotten) {
        forget_back(stages, by_state);
    }
}

}  // namespace plumecast::two_phase
