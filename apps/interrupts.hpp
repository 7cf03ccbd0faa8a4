#pragma once

#include "exit_code.hpp"

namespace plumecast::app {

/// While it lives, the first SIGINT, SIGTERM or SIGUSR1 only asks to stop; a second one ends the process at once. One
/// at a time.
class Interrupts {
   public:
    Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts();

    /// True once a signal has arrived.
    bool requested() const;
    /// exit_interrupted after SIGINT, exit_resume_me after SIGTERM or SIGUSR1, exit_ok before either.
    ExitCode exit_code() const;
};

}  // namespace plumecast::app
