#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <plumecast/distributed/communicator.hpp>

#include "training/started_loss.hpp"

namespace plumecast {

/// Losses of training steps that have not been read yet, in order.
class LossQueue {
   public:
    struct Read {
        double value;        ///< of all groups together
        std::int64_t cases;  ///< that it is the mean of
        std::int64_t step;
    };

    /// `delay` is by how many steps losses are read late, so that a device has work while the host waits for one;
    /// `groups` add up their partial sums and read together, nullptr for one alone.
    LossQueue(std::size_t delay, Communicator* groups) : delay_(delay), groups_(groups) {}

    /// The loss of a batch of so many cases, as a share of the mean over all cases of its step.
    void push(StartedLoss loss, std::int64_t cases, std::int64_t cases_of_step, std::int64_t step);
    /// The oldest, if more than `delay` are waiting.
    std::optional<Read> due();
    /// The oldest, if any is waiting.
    std::optional<Read> oldest();

   private:
    struct Unread {
        StartedLoss loss;
        std::int64_t cases, cases_of_step, step;
    };
    std::size_t delay_;
    Communicator* groups_;
    std::deque<Unread> unread_;
};

}  // namespace plumecast
