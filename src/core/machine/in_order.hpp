#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/machine/threads.hpp"

namespace plumecast {

/// Results on their way from the threads that make them to the one that takes them in their order.
template <class Result>
class ResultsInOrder {
   public:
    /// `ahead` is how many results may be made or wait beyond those taken.
    ResultsInOrder(std::int64_t count, std::int64_t ahead) : count_(count), ahead_(ahead) {}

    /// Makes results as long as there are some to make.
    template <class Make>
    void work(const Make& make) {
        while (const std::optional<std::int64_t> which = started()) {
            Done done;
            try {
                done.result.emplace(make(*which));
            } catch (...) {
                done.failure = std::current_exception();
            }
            const std::lock_guard lock(mutex_);
            done_.emplace(*which, std::move(done));
            changed_.notify_all();
        }
    }
    /// The next result; throws what making it threw, so that of several failures the first is told. Calls waiting()
    /// again and again until it is there.
    template <class Waiting>
    Result next(const Waiting& waiting) {
        constexpr std::chrono::milliseconds between_calls{50};
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, between_calls, [&] { return done_.contains(taken_); })) {
            lock.unlock();
            waiting();
            lock.lock();
        }
        Done done = std::move(done_.extract(taken_).mapped());
        ++taken_;
        changed_.notify_all();
        if (done.failure) {
            std::rethrow_exception(done.failure);
        }
        return std::move(*done.result);
    }
    /// No further result is begun.
    void end() {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }

   private:
    struct Done {
        std::optional<Result> result;
        std::exception_ptr failure;
    };

    /// The next result to make, after waiting until it may be; nothing when none is left.
    std::optional<std::int64_t> started() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over_ || started_ == count_ || started_ < taken_ + ahead_; });
        return is_over_ || started_ == count_ ? std::nullopt : std::optional(started_++);
    }

    const std::int64_t count_, ahead_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::int64_t, Done> done_;
    std::int64_t started_ = 0, taken_ = 0;
    bool is_over_ = false;
};

/// Calls make(i) for 0 <= i < count on several threads (0 for all of the machine), and take(i, result) on this one, in
/// the order of i, with a few results in memory at once. False as soon as `take` says so. Throws what `make` threw at
/// the first i that it threw at, and DeviceError where the system starts no thread. While this thread has nothing to
/// take it calls waiting(), which may tell `make` to stop.
template <class Make, class Take, class Waiting>
bool in_order(std::int64_t count, int threads, const Make& make, const Take& take, const Waiting& waiting) {
    const std::int64_t all = std::max(std::thread::hardware_concurrency(), 1U);
    const std::int64_t used = std::min(threads > 0 ? std::int64_t{threads} : all, count);
    using Results = ResultsInOrder<decltype(make(std::int64_t{}))>;
    Results results(count, 2 * used);
    std::vector<std::jthread> workers;
    struct End {  // goes before the threads are joined
        Results& results;
        ~End() { results.end(); }
    } const end{results};
    workers = start_workers(static_cast<std::size_t>(used), [&] { results.work(make); });
    for (std::int64_t i = 0; i < count; ++i) {
        if (!take(i, results.next(waiting))) {
            return false;
        }
    }
    return true;
}
template <class Make, class Take>
bool in_order(std::int64_t count, int threads, const Make& make, const Take& take) {
    return in_order(count, threads, make, take, [] {});
}

}  // namespace plumecast
