#include "error_message.hpp"

#include <array>
#include <filesystem>

#include <plumecast/core/text/replaced.hpp>
#include <plumecast/inference/evaluation.hpp>

namespace plumecast::app {
namespace {

/// What the library calls options, and what the command line does.
constexpr std::array<Replacement, 12> command_line_words = {
    {{"CpuOptions::threads", "--threads"},
     {"PredictionOptions::batch = ", "--batch "},
     {", or 0 for as many as fit", " or --batch auto"},
     {"PredictionOptions::beyond = Beyond::leave_nan", "--extrapolate nan"},
     {"use the CPU", "use --device cpu"},
     {"a process grid Nx1", "--grid Nx1"},
     {"Transport::host", "--transport host"},
     {"choose one in ReportOptions::cases", "choose one with --case"},
     {"ExportOptions::name '", "--name '"},
     {"not the depth of your formation, give it", "not the depth of your formation, give --top-depth"},
     {"the critical build-up of your site, or", "the critical build-up of your site with --front, or"},
     {"what it follows from: depth of the drinking water and density of the brine",
      "what it follows from with --water-depth and --brine-density"}}};

}  // namespace

std::string in_command_line_words(const std::string& message) { return replaced(message, command_line_words); }

std::string error_message(const std::exception& error) {
    if (dynamic_cast<const Interrupted*>(&error) != nullptr) {
        return "interrupted (a signal asked to stop); start again to continue";
    }
    const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    return of_file == nullptr ? in_command_line_words(error.what())
                              : of_file->path1().string() + ": cannot be reached (" + of_file->code().message() +
                                    "); check the path and its permissions";
}

}  // namespace plumecast::app
