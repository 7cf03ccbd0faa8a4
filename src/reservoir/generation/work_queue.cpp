#include "work_queue.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr auto observation_interval = std::chrono::milliseconds(200);
// Beyond it the laws and the limits of a configuration do not fit each other.
constexpr std::int64_t rejections_per_case = 5;
constexpr std::int64_t rejections_allowed = 50;
constexpr std::int64_t without_end = std::numeric_limits<std::int64_t>::max();

std::exception_ptr too_many(std::int64_t count, const std::map<Rejection, std::int64_t>& rejected) {
    std::string reasons;
    for (const auto& [reason, cases] : rejected) {
        const std::string_view name = rejection_names[static_cast<std::size_t>(reason)];
        reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : ", ", name, cases);
    }
    return std::make_exception_ptr(InvalidInput(fmt::format(
        "{} cases are rejected ({}); narrow the ranges or raise the limits in the configuration", count, reasons)));
}

}  // namespace

WorkQueue::WorkQueue(std::int64_t wanted, std::span<const std::int64_t> finished,
                     const std::map<std::int64_t, Rejection>& rejected, std::size_t window)
    : WorkQueue(wanted, finished, rejected, window, without_end) {}

WorkQueue WorkQueue::of_given(std::int64_t count, std::span<const std::int64_t> finished,
                              const std::map<std::int64_t, Rejection>& rejected, std::size_t window) {
    return WorkQueue(count, finished, rejected, window, count);
}

WorkQueue::WorkQueue(std::int64_t wanted, std::span<const std::int64_t> finished,
                     const std::map<std::int64_t, Rejection>& rejected, std::size_t window, std::int64_t end)
    : wanted_(wanted),
      end_(end),
      window_(window),
      known_(finished.begin(), finished.end()),
      finished_(static_cast<std::int64_t>(finished.size())) {
    for (const auto& [number, reason] : rejected) {
        known_.insert(number);
        ++rejected_by_[reason];
    }
}

template <class F>
void WorkQueue::change(const F& apply) {
    {
        const std::lock_guard guard(mutex_);
        apply();
    }
    changed_.notify_all();
}

bool WorkQueue::is_over() const {
    return is_stopped_ || failure_ != nullptr || finished_ >= wanted_ || are_all_known();
}

bool WorkQueue::are_all_known() const { return finished_ + rejections() >= end_; }

/// The least number that nothing is known of and that was not handed out.
std::int64_t WorkQueue::next_open() const {
    std::int64_t number = next_;
    while (known_.contains(number)) {
        ++number;
    }
    return number;
}

std::int64_t WorkQueue::rejections() const {
    std::int64_t sum = 0;
    for (const auto& [reason, count] : rejected_by_) {
        sum += count;
    }
    return sum;
}

bool WorkQueue::may_draw() const {
    const auto drawn = static_cast<std::int64_t>(drawn_.size());
    return drawn_.size() + drawing_.size() < window_ && finished_ + running_ + drawn < wanted_ && next_open() < end_;
}

std::optional<CaseTask> WorkQueue::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_over() || may_draw() || !drawn_.empty(); });
    if (is_over()) {
        return std::nullopt;
    }
    if (may_draw()) {
        next_ = next_open();
        ++running_;
        drawing_.insert(next_);
        return CaseTask{next_++, false};
    }
    const auto longest = std::ranges::max_element(drawn_, {}, &DrawnCase::work);
    const CaseTask task{longest->number, true};
    drawn_.erase(longest);
    ++running_;
    return task;
}

void WorkQueue::hold(std::int64_t number, double work) {
    change([&] {
        drawing_.erase(number);
        drawn_.push_back({number, work});
        --running_;
    });
}

void WorkQueue::finish() {
    change([&] {
        ++finished_;
        ++finished_now_;
        --running_;
    });
}

void WorkQueue::reject(const RejectedCase& rejected) {
    change([&] {
        drawing_.erase(rejected.number);
        ++rejected_by_[rejected.reason];
        news_.push_back(rejected);
        --running_;
        const bool is_too_many = rejections() > rejections_allowed + rejections_per_case * wanted_;
        if (is_too_many && end_ == without_end && failure_ == nullptr) {
            failure_ = too_many(rejections(), rejected_by_);
        }
    });
}

void WorkQueue::abandon() {
    change([&] { --running_; });
}

void WorkQueue::fail(const std::exception_ptr& failure) {
    change([&] { failure_ = failure_ == nullptr ? failure : failure_; });
}

void WorkQueue::stop() {
    change([&] { is_stopped_ = true; });
}

bool WorkQueue::should_stop() const {
    const std::lock_guard guard(mutex_);
    return is_stopped_ || failure_ != nullptr;
}

bool WorkQueue::wait_for_end() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, observation_interval, [&] { return is_over() && running_ == 0; });
}

void WorkQueue::rethrow() const {
    const std::lock_guard guard(mutex_);
    if (failure_ != nullptr) {
        std::rethrow_exception(failure_);
    }
}

GenerationProgress WorkQueue::progress() const {
    const std::lock_guard guard(mutex_);
    const std::chrono::duration<double, std::ratio<3600>> hours = std::chrono::steady_clock::now() - start_;
    const double rate = static_cast<double>(finished_now_) / hours.count();
    const double left = static_cast<double>(std::min(wanted_ - finished_, end_ - finished_ - rejections()));
    const double seconds = rate > 0.0 ? 3600.0 * left / rate : std::numeric_limits<double>::infinity();
    return {wanted_, finished_, rejections(), running_, rate, seconds};
}

std::vector<RejectedCase> WorkQueue::take_news() {
    const std::lock_guard guard(mutex_);
    return std::exchange(news_, {});
}

GenerationReport WorkQueue::report() const {
    const std::lock_guard guard(mutex_);
    return {finished_ >= wanted_ || are_all_known(), finished_, rejected_by_};
}

}  // namespace plumecast
