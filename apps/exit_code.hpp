#pragma once

#include <exception>

namespace plumecast::app {

/// What the process tells its caller; docs/cli.md lists them for users.
enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,     ///< anything not below, such as training that diverged
    exit_usage = 2,       ///< command line or configuration
    exit_data = 3,        ///< a data file violates its format
    exit_model = 4,       ///< a bundle, checkpoint or weights file cannot be used
    exit_system = 5,      ///< disk, memory or device refused, or a rank fell silent
    exit_resume_me = 75,  ///< stopped by SIGTERM or SIGUSR1 with a checkpoint on the disk (EX_TEMPFAIL of sysexits.h)
    exit_interrupted = 130
};

/// The code of an exception of the library or the standard library.
ExitCode exit_code_of(const std::exception& error);

/// The table of codes for the end of a help text.
const char* exit_code_help();

}  // namespace plumecast::app
