#include "core/write_behind.hpp"

#include <algorithm>
#include <utility>

#include "core/machine/threads.hpp"

namespace plumecast {

WriteBehind::WriteBehind(std::size_t depth) : depth_(std::max<std::size_t>(depth, 1)) {
    thread_ = start_thread([this](const std::stop_token& stop) { run(stop); });
}

WriteBehind::~WriteBehind() = default;

void WriteBehind::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) {
        Work work = std::move(waiting_.front());
        waiting_.pop();
        is_working_ = true;
        changed_.notify_all();
        lock.unlock();
        std::exception_ptr failure;
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        work = nullptr;  // what it holds goes before anybody hears that it is done
        lock.lock();
        is_working_ = false;
        if (failure) {
            failure_ = failure;
            drop_waiting();
        }
        changed_.notify_all();
    }
}

/// One by one: a new queue would take memory, and an exception of this thread would end the program.
void WriteBehind::drop_waiting() noexcept {
    while (!waiting_.empty()) {
        waiting_.pop();
    }
}

void WriteBehind::throw_failure() {
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

void WriteBehind::add(Work work) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < depth_ || failure_; });
    throw_failure();
    waiting_.push(std::move(work));
    changed_.notify_all();
}

void WriteBehind::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return (waiting_.empty() && !is_working_) || failure_; });
    throw_failure();
}

}  // namespace plumecast
