#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reservoir/physics/connections/flow_model.hpp"
#include "reservoir/physics/connections/flow_simulation.hpp"
#include "reservoir/physics/two_phase/planned_steps.hpp"

namespace plumecast::connections {

/// What a run did.
struct FlowRun {
    int steps = 0;                ///< time steps taken
    int retaken = 0;              ///< attempts that failed and were halved
    int pressure_iterations = 0;  ///< of the linear solver, over all attempts
    /// CO2 in place less CO2 injected, per injected, at the worst of all steps; without injection the CO2 in place
    /// [kg].
    double mass_error = 0.0;
};

/// Goes through a model until the last of some times [day] by two_phase::go_through(), which tells `at_snapshot` of
/// each by its number and of the share that the present state has in it. A step that fails is halved, and halved again.
/// `name` begins every message. Throws InvalidInput as FlowModel::check() does, and NotConverged.
FlowRun run(
    const FlowModel& model, const std::vector<double>& times, const two_phase::StepCount& count,
    const std::string& name,
    const std::function<void(const FlowSimulation& simulation, std::size_t snapshot, double share)>& at_snapshot,
    const FlowIterations& iterations = {});

}  // namespace plumecast::connections
