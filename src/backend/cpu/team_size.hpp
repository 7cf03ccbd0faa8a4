#pragma once

#include <unistd.h>

namespace plumecast::cpu {

/// How many threads compute an op: as many as were asked for and, in a child made by fork, one. The threads that OpenMP
/// keeps for later do not come along there, and it would wait for them forever.
class TeamSize {
   public:
    explicit TeamSize(int threads) : threads_(threads), process_(getpid()) {}

    operator int() const { return getpid() == process_ ? threads_ : 1; }  // NOLINT(google-explicit-constructor)

   private:
    int threads_;
    pid_t process_;
};

}  // namespace plumecast::cpu
