#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reservoir/physics/two_phase/planned_steps.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// Advances over intervals; an interval whose step fails is halved, and halved again.
class AdaptiveSteps {
   public:
    /// `name` begins every message; `taken`, where given, gets every step that was accepted.
    AdaptiveSteps(Simulation& simulation, const std::string& name, std::vector<TakenStep>* taken = nullptr)
        : simulation_(simulation), name_(name), steps_(taken) {}

    /// Throws NotConverged.
    void advance(double from, const PlannedStep& step);
    int taken() const { return taken_; }

   private:
    void halve(double from, double days, int halvings);

    Simulation& simulation_;
    const std::string& name_;
    std::vector<TakenStep>* steps_;
    int taken_ = 0, tried_ = 0, asked_ = 0;
};

/// The time steps of a case by PhysicsSettings::substeps: three times as many with a limit of the pressure in the well,
/// twice as many once all is injected, and none longer than two years then.
StepCount step_count(const RadialCase& radial, int substeps);

/// Goes through a case by go_through(), which tells `at_snapshot` of each snapshot by its number and of the share that
/// the present state has in it. Returns the steps taken. Throws NotConverged.
int run(Simulation& simulation, const RadialCase& radial, const StepCount& count, const std::string& name,
        const std::function<void(std::size_t snapshot, double share)>& at_snapshot,
        std::vector<TakenStep>* taken = nullptr);

}  // namespace plumecast::two_phase
