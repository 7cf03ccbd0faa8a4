#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "backend/cpu/shared_cores.hpp"
#include "core/machine/threads.hpp"

namespace plumecast::cpu {
/// What sleeps until it is told to end.
class SleepingTeam::Sleepers {
   public:
    explicit Sleepers(int team)
        : thread_(start_thread([this, team](const std::stop_token& stop) {
#pragma omp parallel num_threads(team)
              if (omp_get_thread_num() == 0) {
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

SleepingTeam::SleepingTeam(int team) : process_(getpid()), sleepers_(std::make_unique<Sleepers>(team)) {}

SleepingTeam::~SleepingTeam() {
    if (getpid() != process_) {
        static_cast<void>(sleepers_.release());  // made by fork: the threads are the parent's
    }
}

namespace {

/// How many threads make more of them than there are processors, beside those of a team of ops.
int sleepers_beside(int threads) {
    constexpr int least = 2, spare = 4;
    const int wanted = std::max(omp_get_num_procs() - threads + 2, least);
    const int others = 2 * threads + spare;  // OpenMP ends the process where the system refuses a thread
    return wanted == least || startable_threads(wanted + others) == wanted + others ? wanted : least;
}

}  // namespace

std::unique_ptr<SleepingTeam> sleep_beside(int threads) {
    return threads > 1 ? std::make_unique<SleepingTeam>(sleepers_beside(threads)) : nullptr;
}

}  // namespace plumecast::cpu
