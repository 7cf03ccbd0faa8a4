#include "service/turns.hpp"

#include <chrono>

namespace plumecast::service {

Turns::Turn::~Turn() {
    if (turns_ != nullptr) {
        const std::lock_guard lock(turns_->mutex_);
        ++turns_->free_;
        turns_->changed_.notify_one();
    }
}

Turns::Turn Turns::take(const std::function<bool()>& gives_up) {
    constexpr std::chrono::milliseconds interval(20);
    std::unique_lock lock(mutex_);
    if (free_ <= 0 && waiting_ >= places_) {
        return Turn(nullptr);
    }
    ++waiting_;
    bool has_given_up = false;
    while (free_ <= 0 && !has_given_up) {
        changed_.wait_for(lock, interval);
        has_given_up = free_ <= 0 && gives_up();
    }
    --waiting_;
    if (has_given_up) {
        return Turn(nullptr);
    }
    --free_;
    return Turn(this);
}

std::int64_t Turns::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
}

}  // namespace plumecast::service
