#include <plumecast/reservoir/physics/two_phase/two_phase_gradient.hpp>

#include <utility>

#include "reservoir/physics/physics_weights.hpp"
#include "reservoir/physics/two_phase/adjoint/case_gradient.hpp"
#include "reservoir/physics/two_phase/adjoint/input_weights.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast {
namespace {

using two_phase::RecordedCase;
using two_phase::State;

constexpr double least_rate = 1e-6;  // whose slope stands for that without injection [Mt/year]

State zero_weights(const two_phase::Simulation& simulation) {
    State weights;
    for (auto* part : {&weights.buildup, &weights.mass, &weights.saturation, &weights.carried, &weights.settled,
                       &weights.shrinkage, &weights.dissolved}) {
        part->resize(simulation.reservoir().cells());
    }
    weights.inflow.resize(simulation.reservoir().rows);
    return weights;
}

std::vector<double> weights_of_buildup(const RadialCase& radial, const RecordedCase& recorded,
                                       const PhysicsWeights& weights) {
    std::vector<double> buildup(radial.times.size() * radial.cells());
    for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
        recorded.put(snapshot, recorded.state(snapshot).buildup, buildup);
    }
    return buildup_weights(radial, weights, buildup);
}

/// Adds the weights of the fields of a snapshot to those of the state.
void add_snapshot(const RecordedCase& recorded, std::size_t snapshot, const std::vector<double>& buildup,
                  const PhysicsWeights& weights, State& by) {
    const State& state = recorded.state(snapshot);
    const std::vector<double> by_buildup = recorded.get(snapshot, buildup);
    for (std::size_t cell = 0; cell < by_buildup.size(); ++cell) {
        by.buildup[cell] += by_buildup[cell];
    }
    if (const auto* field = weights_of(weights, "physics_gas_saturation")) {
        const std::vector<double> values = recorded.get(snapshot, *field);
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            by.saturation[cell] += values[cell];
        }
    }
    if (const auto* field = weights_of(weights, "physics_dissolved_co2")) {
        const std::vector<double> values = recorded.get(snapshot, *field);
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            by.dissolved[cell] += values[cell] * (1.0 - state.saturation[cell]);
            by.saturation[cell] -= values[cell] * state.dissolved[cell];
        }
    }
}

}  // namespace

RadialCaseGradient two_phase::case_gradient(const RadialCase& radial, int substeps, const PhysicsWeights& weights,
                                            const std::string& name, TableSlopes slopes, Upwinding upwinding) {
    check_weights(PhysicsKind::two_phase, radial, weights, name);
    RecordedCase recorded = recorded_case(radial, substeps, name, upwinding);
    const std::vector<double> buildup = weights_of_buildup(radial, recorded, weights);
    two_phase::Simulation& simulation = recorded.simulation();
    SimulationWeights by(simulation, slopes);
    two_phase::StepAdjoint adjoint(simulation, by);
    two_phase::StepStages stages(simulation.reservoir().columns, simulation.reservoir().rows);
    State by_state = zero_weights(simulation);
    std::size_t step = recorded.steps().size();
    for (std::size_t snapshot = radial.times.size(); snapshot-- > 0;) {
        add_snapshot(recorded, snapshot, buildup, weights, by_state);
        for (const std::size_t first = snapshot > 0 ? recorded.steps_to(snapshot - 1) : 0; step > first;) {
            simulation.repeat(recorded.steps()[--step], stages);
            adjoint.back(stages, by_state);
        }
    }
    RadialCaseGradient gradient = zero_gradient(radial);
    gradient.retaken_steps = recorded.retaken_steps();
    add_input_weights(radial, simulation, by, gradient);
    add_injection_fluid_weights(
        radial, injection_fluids(radial),
        {scalar_weight(weights, "physics_co2_density"), scalar_weight(weights, "physics_viscosity_ratio"), 0.0},
        gradient);
    if (radial.injection_rate == 0.0) {
        RadialCase injecting = radial;
        injecting.injection_rate = least_rate;
        gradient.injection_rate = case_gradient(injecting, substeps, weights, name, slopes, upwinding).injection_rate;
    }
    return gradient;
}

RadialCaseGradient two_phase_gradient(const RadialCase& radial, int substeps, const PhysicsWeights& weights,
                                      const std::string& name, int version) {
    return two_phase::case_gradient(radial, substeps, weights, name, two_phase::TableSlopes::smooth,
                                    two_phase::upwinding_of(version));
}

}  // namespace plumecast
