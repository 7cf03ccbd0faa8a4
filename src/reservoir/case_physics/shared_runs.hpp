#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <mutex>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Which of two sets of times.
enum class RunTimes : std::uint8_t { of_dataset, others };

/// Runs of cases that two ask for, each at times of its own: whoever comes first computes a case, the other waits for
/// it. A run is let go of when both have had it; of those that one of them never asks for the oldest go first.
class SharedRuns {
   public:
    using Run = std::shared_future<PhysicsFields>;

    /// Of the latest `kept` runs at most; those that are being computed do not count.
    explicit SharedRuns(std::size_t kept) : kept_(kept) {}

    /// The fields of a case at both sets of times, by `compute` where nobody has them. May be called from several
    /// threads. What `compute` throws, the run throws when it is read, for both.
    Run run(std::int64_t which, RunTimes times, const std::function<PhysicsFields()>& compute);
    /// Lets go of all that are not being computed.
    void forget();
    /// How many wait for the other to ask.
    std::size_t waiting() const;

   private:
    struct Shared {
        std::int64_t which;
        RunTimes asked;  // by whom it was first
        Run run;
    };

    std::size_t kept_;
    mutable std::mutex mutex_;
    std::list<Shared> shared_;  // the oldest first
};

}  // namespace plumecast
