#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "service/computation.hpp"
#include "service/scenario.hpp"
#include "service/served_model.hpp"
#include "service/turns.hpp"

namespace plumecast::service {

/// Whether a scenario is small enough to wait, read, for others that it could be computed with.
bool is_joinable(const AskedSize& size);

/// Predicts scenarios of one model, grid and times that wait for a turn at the same time as one batch, each with the
/// bits that it has alone. Any number of threads may ask at once.
class JoinedPredictions {
   public:
    explicit JoinedPredictions(Turns& turns) : turns_(turns) {}

    /// Waits for a turn, or until another thread has computed the scenario with its own. Nothing where there is no
    /// place to wait, or `stop` says so meanwhile. Throws what predicted() throws.
    std::optional<ComputedCases> predicted(const ServedModel& model, Scenario scenario, const StopRequest& stop);

    /// Scenarios that were computed with another one's, so far.
    std::int64_t joined() const;

   private:
    struct Waiting;
    using Batch = std::list<std::shared_ptr<Waiting>>;

    Batch taken_by(const std::shared_ptr<Waiting>& first, bool with_others);
    void compute(const Batch& batch, const StopRequest& stop);
    void compute_alone(Waiting& one, const StopRequest& stop);
    void answer(Waiting& one, std::optional<ComputedCases> computed, std::exception_ptr failure);

    Turns& turns_;
    mutable std::mutex mutex_;
    std::condition_variable answered_;
    Batch waiting_;
    std::int64_t joined_ = 0;
};

}  // namespace plumecast::service
