#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include <plumecast/core/machine/threads.hpp>

#include "backend/cpu/backend.hpp"

namespace plumecast::cpu {
namespace {

/// Two threads of OpenMP that sleep. OpenMP lets a thread that waits for its team spin for milliseconds, unless it
/// knows of more threads than processors: then it sleeps soon. It counts its own threads only, so these two stand for
/// those that compute beside the ops.
class SleepingTeam final : public SharedCores {
   public:
    SleepingTeam()
        : thread_(start_thread([this](const std::stop_token& stop) {
#pragma omp parallel num_threads(2)
              {
#pragma omp master
                  sleep(stop);
              }
          })) {
    }

   private:
    void sleep(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        woken_.wait(lock, stop, [] { return false; });
    }

    std::mutex mutex_;
    std::condition_variable_any woken_;
    std::jthread thread_;  // last: it uses both
};

}  // namespace

std::unique_ptr<SharedCores> CpuBackend::share_cores() {
    return threads_ > 1 ? std::make_unique<SleepingTeam>() : nullptr;
}

}  // namespace plumecast::cpu
