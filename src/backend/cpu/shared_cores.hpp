#pragma once

#include <memory>

#include <sys/types.h>

namespace plumecast::cpu {

/// Threads of OpenMP that sleep. OpenMP lets a thread that waits for its team spin for milliseconds, which on a machine
/// that is busy takes the processor from the very thread that it waits for, unless it knows of more threads than
/// processors: then it sleeps soon. It counts the threads of this process only, so these stand for those of others,
/// and for the threads of this one that are not OpenMP's.
class SleepingTeam {
   public:
    /// Throws DeviceError where the system starts no thread.
    explicit SleepingTeam(int team);
    ~SleepingTeam();
    SleepingTeam(const SleepingTeam&) = delete;
    SleepingTeam& operator=(const SleepingTeam&) = delete;

   private:
    class Sleepers;
    pid_t process_;
    std::unique_ptr<Sleepers> sleepers_;
};

/// A team that makes more threads than there are processors, beside a team of ops of so many; nothing beside one.
std::unique_ptr<SleepingTeam> sleep_beside(int threads);

}  // namespace plumecast::cpu
