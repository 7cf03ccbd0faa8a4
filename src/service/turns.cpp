#include "service/turns.hpp"

#include <chrono>

namespace plumecast::service {
namespace {

constexpr std::chrono::milliseconds polling(20);

}  // namespace

Turns::Turn::~Turn() {
    if (turns_ != nullptr) {
        const std::lock_guard lock(turns_->mutex_);
        ++turns_->free_;
        turns_->last_ -= is_last_ ? 1 : 0;
        turns_->changed_.notify_all();  // the one that is woken may let others pass
    }
}

Turns::Turn Turns::take_last(const std::function<bool()>& gives_up) {
    std::unique_lock lock(mutex_);
    while (free_ <= 0 || waiting_ > 0) {
        if (gives_up()) {
            return Turn(nullptr);
        }
        changed_.wait_for(lock, polling);
    }
    --free_;
    ++last_;
    return Turn(this, true);
}

Turns::Turn Turns::take(const std::function<bool()>& gives_up) {
    std::unique_lock lock(mutex_);
    if (free_ <= 0 && waiting_ >= places_ + last_) {
        return Turn(nullptr);
    }
    ++waiting_;
    bool has_given_up = false;
    while (free_ <= 0 && !has_given_up) {
        changed_.wait_for(lock, polling);
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
