#include "distributed/devices/background_step.hpp"

#include <thread>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throw_unfinished(const std::string& step, const Communicator& ranks, const std::string& problem) {
    throw CommError("rank " + std::to_string(ranks.rank()) + " of " + std::to_string(ranks.size()) + ": " + step + " " +
                    problem +
                    "; see what the other ranks say and whether each has a device of its own; NCCL_DEBUG=INFO says "
                    "more, and Transport::host does without");
}

}  // namespace

void finish_step(const std::string& step, const Communicator& ranks, std::chrono::milliseconds timeout,
                 const std::function<StepState()>& state) {
    const Clock::time_point start = Clock::now();
    for (int round = 0;; ++round) {
        const StepState now = state();
        if (now.phase == StepState::Phase::done) {
            return;
        }
        if (now.phase == StepState::Phase::failed) {
            throw_unfinished(step, ranks, "failed (" + now.why + ")");
        }
        if (Clock::now() - start > timeout) {
            const double seconds = std::chrono::duration<double>(timeout).count();
            throw_unfinished(step, ranks,
                             "did not end within " + number_text(seconds) +
                                 " s (a rank has stopped, or their machines cannot reach each other)");
        }
        round < 1000 ? std::this_thread::yield() : std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

}  // namespace plumecast
