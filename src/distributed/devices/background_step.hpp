#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// How far a library has come with what it does in the background.
struct StepState {
    enum class Phase { under_way, done, failed };
    Phase phase = Phase::under_way;
    std::string why{};  ///< it failed, in the library's words
};

/// Waits until all ranks have done a step together, such as "joining devices by NCCL". Throws CommError that names this
/// rank and what to do when the step fails, or is still under way after `timeout`.
void finish_step(const std::string& step, const Communicator& ranks, std::chrono::milliseconds timeout,
                 const std::function<StepState()>& state);

}  // namespace plumecast
