#include "interrupts.hpp"

#include <signal.h>

namespace plumecast::app {
namespace {

// A signal handler can reach nothing but static storage, and of it only this type and lock-free atomics.
volatile sig_atomic_t received = 0;

extern "C" void remember(int signal) { received = signal; }

void install(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    // Restarted calls keep a signal from looking like a failed read; the reset lets a second signal end the process.
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGUSR1, &action, nullptr);  // what Slurm sends ahead of a time limit (--signal), and mpirun passes on
}

}  // namespace

Interrupts::Interrupts() {
    received = 0;
    install(&remember);
}

Interrupts::~Interrupts() { install(SIG_DFL); }

bool Interrupts::requested() const { return received != 0; }

ExitCode Interrupts::exit_code() const {
    if (received == SIGINT) {
        return exit_interrupted;
    }
    return received == SIGTERM || received == SIGUSR1 ? exit_resume_me : exit_ok;
}

}  // namespace plumecast::app
