#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plumecast::testing {

inline constexpr int no_limit_to_be_had = 77;

/// Exit status that `action` gives in a child process for which the system starts threads up to `count`, itself among
/// them; no_limit_to_be_had where that cannot be, and -1 when the child ends otherwise.
template <class Action>
int exit_status_with_threads(rlim_t count, Action action) {
    const pid_t child = ::fork();
    if (child == 0) {
        const auto nobody = static_cast<uid_t>(1'000'000 + ::getpid());  // the limit counts all processes of a user
        const rlimit limit{count, count};
        if (::geteuid() != 0 || ::setuid(nobody) != 0 || ::setrlimit(RLIMIT_NPROC, &limit) != 0) {
            ::_exit(no_limit_to_be_had);
        }
        ::_exit(action());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace plumecast::testing
