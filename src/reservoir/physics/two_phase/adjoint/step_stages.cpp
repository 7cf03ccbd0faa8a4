#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

#include <plumecast/core/error.hpp>

namespace plumecast::two_phase {

void Simulation::repeat(const TakenStep& step, StepStages& stages) {
    state_ = step.before;
    mass_rate_ = step.mass_rate;
    stages_ = &stages;
    const int done = attempt(step.days, step.rounds, step.volumes);
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
    if (stages_ != nullptr) {
        PressureStage& stage = stages_->pressures[stages_->rounds];
        stage.system = system_;
        stage.state = state_;
        stage.values = now_;
        stage.buildup = solution_;
        stage.updated_columns = updated_;
    }
}

/// Before any CO2 moves.
void Simulation::keep_entering() {
    if (stages_ != nullptr) {
        TransportStage& stage = stages_->transports[stages_->rounds];
        stage.before = state_;
        stage.values_before = now_;
    }
}

/// After move_co2().
void Simulation::keep_transport() {
    if (stages_ != nullptr) {
        TransportStage& stage = stages_->transports[stages_->rounds++];
        stage.columns = moved_;
        stage.after = state_;
        stage.values = now_;
        stages_->reached = reached_;
    }
}

}  // namespace plumecast::two_phase
