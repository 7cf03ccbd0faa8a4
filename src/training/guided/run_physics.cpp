#include "training/guided/run_physics.hpp"

#include "training/case_order.hpp"

namespace plumecast {

RunPhysics run_physics(const NetworkDescription& description, const RunCases& cases, TrainingObserver& observer,
                       const RankShare& share) {
    PhysicsOptions options;
    options.log = [&observer](Severity severity, std::string_view text) { observer.message(severity, text); };
    options.progress = [&observer](std::int64_t done, std::int64_t all) { observer.physics(done, all); };
    options.stop_requested = [&observer] { return observer.stop_requested(); };
    RunPhysics physics;
    physics.train = stored_physics(description, cases.train, cases.cases, options, share);
    if (cases.validation != nullptr) {
        const std::vector<std::int64_t> all = first_cases(cases.validation->cases());
        physics.validation = stored_physics(description, *cases.validation, all, options, share);
    }
    return physics;
}

}  // namespace plumecast
