#include "training/run/run_physics.hpp"

namespace plumecast {

std::shared_ptr<CasePhysics> run_physics(const NetworkDescription& description, const Dataset& dataset,
                                         const std::vector<std::int64_t>& cases, TrainingObserver& observer,
                                         const RankShard& share) {
    PhysicsOptions options;
    options.log = [&observer](Severity severity, std::string_view text) { observer.message(severity, text); };
    options.progress = [&observer](std::int64_t done, std::int64_t all) { observer.physics(done, all); };
    options.stop_requested = [&observer] { return observer.stop_requested(); };
    return stored_physics(description, dataset, cases, options, share);
}

}  // namespace plumecast
