#include "exit_code.hpp"

#include <ios>
#include <new>
#include <system_error>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/evaluation.hpp>

namespace plumecast::app {
namespace {

template <class... Kinds>
bool is_any(const std::exception& error) {
    return ((dynamic_cast<const Kinds*>(&error) != nullptr) || ...);
}

}  // namespace

ExitCode exit_code_of(const std::exception& error) {
    if (is_any<Interrupted>(error)) {
        return exit_interrupted;
    }
    if (is_any<InvalidData>(error)) {
        return exit_data;
    }
    if (is_any<InvalidModel>(error)) {
        return exit_model;
    }
    if (is_any<InvalidInput, NotBuilt>(error)) {
        return exit_usage;
    }
    // ios_base::failure is a system_error, as are the errors of std::filesystem and of threads.
    return is_any<IoError, DeviceError, CommError, std::bad_alloc, std::system_error>(error) ? exit_system
                                                                                             : exit_failure;
}

const char* exit_code_help() {
    return "Exit codes: 0 done, 1 failure, 2 usage or configuration, 3 data, 4 model, 5 system (disk, memory, "
           "device),\n"
           "75 stopped by SIGTERM or SIGUSR1 and can be resumed, 130 interrupted (Ctrl-C).";
}

}  // namespace plumecast::app
