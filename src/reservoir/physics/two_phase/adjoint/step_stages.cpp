#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

#include <plumecast/core/error.hpp>

namespace plumecast::two_phase {

void Simulation::repeat(const TakenStep& step, StepStages& stages) {
    state_ = step.before;
    mass_rate_ = step.mass_rate;
    if (step.volumes == Volumes::forget) {
        forget_volumes();
    }
    stages.has_forgotten = step.volumes == Volumes::forget;
    stages_ = &stages;
    const int done = attempt(step.days, step.rounds);
    stages_ = nullptr;
    expects(done == step.rounds, "a step that was taken before");
}

void Simulation::keep_step(double days) {
    if (stages_ != nullptr) {
        stages_->days = days;
        stages_->released = released_;
        stages_->rounds = 0;
        stages_->before = state_;
    }
}

/// After solve_pressure(), which leaves the build-up before in `solution_`.
void Simulation::keep_pressure() {
    if (stages_ == nullptr) {
        return;
    }
    PressureStage& stage = stages_->pressures[stages_->rounds];
    stage.system = system_;
    stage.co2 = co2_;
    stage.saturation = state_.saturation;
    stage.gas_mobility = gas_mobility_;
    stage.brine_mobility = brine_mobility_;
    stage.capillary = capillary_;
    stage.before = solution_;
    stage.buildup = state_.buildup;
    stage.dissolution = dissolution_;
    stage.inflow = state_.inflow;
    stage.is_shut = state_.is_shut;
    stage.is_limited = state_.is_limited;
    stage.well = state_.well;
    stage.well_density = well_density_;
}

/// After move_co2().
void Simulation::keep_transport(const std::vector<double>& guess) {
    if (stages_ == nullptr) {
        return;
    }
    TransportStage& stage = stages_->transports[stages_->rounds++];
    stage.columns = moved_;
    stage.co2 = co2_;
    stage.guess = guess;
    stage.mass = state_.mass;
    stage.saturation = state_.saturation;
    stage.dissolved = state_.dissolved;
    stage.dissolved_in = dissolved_in_;
    stage.outward = outward_;
    stage.upward = upward_;
    stage.inflow = state_.inflow;
    stage.injected_rate = injected_rate_;
    stage.is_limited = state_.is_limited;
    stages_->reached = reached_;
}

}  // namespace plumecast::two_phase
