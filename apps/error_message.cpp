#include "error_message.hpp"

#include <array>
#include <filesystem>

#include <plumecast/core/text/replaced.hpp>
#include <plumecast/inference/evaluation.hpp>

namespace plumecast::app {
namespace {

/// What the library calls options, and what the command line does.
constexpr std::array<Replacement, 7> command_line_words = {
    {{"CpuOptions::threads", "--threads"},
     {"PredictionOptions::batch = ", "--batch "},
     {", or 0 for as many as fit", " or --batch auto"},
     {"PredictionOptions::beyond = Beyond::leave_nan", "--extrapolate nan"},
     {"use the CPU", "use --device cpu"},
     {"a process grid Nx1", "--grid Nx1"},
     {"Transport::host", "--transport host"}}};

}  // namespace

std::string error_message(const std::exception& error) {
    if (dynamic_cast<const Interrupted*>(&error) != nullptr) {
        return "interrupted (a signal asked to stop); start again to continue";
    }
    const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    return of_file == nullptr ? replaced(error.what(), command_line_words)
                              : of_file->path1().string() + ": cannot be reached (" + of_file->code().message() +
                                    "); check the path and its permissions";
}

}  // namespace plumecast::app
