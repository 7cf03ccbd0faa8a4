#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "reservoir/generation/generation_report.hpp"

namespace plumecast {

/// What a thread does next.
struct CaseTask {
    std::int64_t number = 0;
    bool is_drawn = false;  ///< to be simulated; else to be drawn

    bool operator==(const CaseTask&) const = default;
};

/// Hands out case numbers to the threads of a run and keeps count.
///
/// Cases are drawn in ascending order, up to `window` ahead, and of those drawn the one with most work is simulated
/// first, so that no long case is left to run alone at the end. A number is handed out only while it is needed even if
/// all unfinished ones before it pass. So every number handed out belongs to the first `wanted` ones that pass,
/// whatever the order and the number of threads.
class WorkQueue {
   public:
    /// `finished` and `rejected` are cases of earlier runs. Those finished, with the ones before them that are not
    /// known, may not be more than wanted.
    WorkQueue(std::int64_t wanted, std::span<const std::int64_t> finished,
              const std::map<std::int64_t, Rejection>& rejected, std::size_t window = 1);
    /// The numbers 0 to `count` alone, however many of them are rejected.
    static WorkQueue of_given(std::int64_t count, std::span<const std::int64_t> finished,
                              const std::map<std::int64_t, Rejection>& rejected, std::size_t window);

    /// The next case to draw or to simulate, waiting for one if need be; nothing when the run is over.
    std::optional<CaseTask> take();
    /// How a case that was taken ended: drawn, with the work that it is expected to make; finished; rejected; or not at
    /// all.
    void hold(std::int64_t number, double work);
    void finish();
    void reject(const RejectedCase& rejected);
    void abandon();

    /// Ends the run with an error; the first one counts.
    void fail(const std::exception_ptr& failure);
    /// Ends the run.
    void stop();

    /// True when simulators at work should end.
    bool should_stop() const;
    /// Waits a fifth of a second at most; true when the run is over and nothing is at work.
    bool wait_for_end();
    /// Throws what fail() was given, or InvalidInput when too many cases were rejected.
    void rethrow() const;

    GenerationProgress progress() const;
    /// Cases rejected since the last call.
    std::vector<RejectedCase> take_news();
    GenerationReport report() const;

   private:
    WorkQueue(std::int64_t wanted, std::span<const std::int64_t> finished,
              const std::map<std::int64_t, Rejection>& rejected, std::size_t window, std::int64_t end);
    template <class F>
    void change(const F& apply);
    bool is_over() const;
    bool are_all_known() const;
    std::int64_t next_open() const;
    std::int64_t rejections() const;
    bool may_draw() const;

    struct DrawnCase {
        std::int64_t number;
        double work;
    };

    const std::int64_t wanted_;
    const std::int64_t end_;  ///< of the numbers that there are
    const std::size_t window_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::int64_t> known_;
    std::int64_t next_ = 0;
    std::set<std::int64_t> drawing_;
    std::vector<DrawnCase> drawn_;
    std::int64_t running_ = 0;  ///< drawn or simulated by some thread now
    std::int64_t finished_ = 0;
    std::int64_t finished_now_ = 0;
    std::map<Rejection, std::int64_t> rejected_by_;
    std::vector<RejectedCase> news_;
    std::exception_ptr failure_;
    bool is_stopped_ = false;
};

}  // namespace plumecast
