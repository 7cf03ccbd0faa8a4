#include "training/loss_queue.hpp"

#include <span>
#include <utility>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

void LossQueue::push(StartedLoss loss, std::int64_t cases, std::int64_t cases_of_step, std::int64_t step) {
    unread_.push_back({std::move(loss), cases, cases_of_step, step});
}

std::optional<LossQueue::Read> LossQueue::due() { return unread_.size() > delay_ ? oldest() : std::nullopt; }

std::optional<LossQueue::Read> LossQueue::oldest() {
    if (unread_.empty()) {
        return std::nullopt;
    }
    Unread first = std::move(unread_.front());
    unread_.pop_front();
    double value = first.loss.wait();
    if (groups_ != nullptr) {
        groups_->sum(std::span(&value, 1));
    }
    value *= static_cast<double>(first.cases_of_step) / static_cast<double>(first.cases);
    return Read{value, first.cases, first.step};
}

}  // namespace plumecast
