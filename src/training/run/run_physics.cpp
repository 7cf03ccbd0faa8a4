#include "training/run/run_physics.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace plumecast {
namespace {

/// Takes the cases that failed on the first rank out of `cases`, on all ranks alike.
void leave_out(const CaseFailures& failures, const Dataset& dataset, std::vector<std::int64_t>& cases,
               TrainingObserver& observer, const RankShard& share) {
    for (const auto& [which, why] : failures.all()) {
        observer.message(Severity::warning, why + "; the case is left out");
    }
    std::vector<std::int64_t> computed;
    std::ranges::copy_if(cases, std::back_inserter(computed),
                         [&](std::int64_t which) { return !share.agreed(failures.has(which)); });
    if (computed.empty()) {
        throw InvalidData(dataset.path() + ": none of its cases can be learned from (their physics fails, as told); " +
                          "give cases that can be computed");
    }
    cases = std::move(computed);
}

}  // namespace

std::shared_ptr<CasePhysics> run_physics(const NetworkDescription& description, const Dataset& dataset,
                                         std::vector<std::int64_t>& cases, TrainingObserver& observer,
                                         const RankShard& share) {
    PhysicsOptions options;
    options.log = [&observer](Severity severity, std::string_view text) { observer.message(severity, text); };
    options.progress = [&observer](std::int64_t done, std::int64_t all) { observer.physics(done, all); };
    options.stop_requested = [&observer] { return observer.stop_requested(); };
    const auto failures = std::make_shared<CaseFailures>();
    std::shared_ptr<CasePhysics> physics = stored_physics(description, dataset, cases, options, share, failures);
    if (share.agreed(!failures->all().empty())) {
        leave_out(*failures, dataset, cases, observer, share);
    }
    return physics;
}

}  // namespace plumecast
