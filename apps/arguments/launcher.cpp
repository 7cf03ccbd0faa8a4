#include "arguments/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast::app {
namespace {

/// How many processes a launcher says that it started; 1 where none says so.
int launched_processes() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* text = std::getenv(name);
        const std::string_view value = text == nullptr ? "" : text;
        int count = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
        if (!value.empty() && error == std::errc() && end == value.data() + value.size()) {
            return count;
        }
    }
    return 1;
}

}  // namespace

void require_alone(const CLI::App& subcommand) {
    const bool shares_work = subcommand.get_option_no_throw("--plan-ranks") != nullptr;
    const int processes = launched_processes();
    if (!shares_work && processes > 1) {
        throw InvalidInput(
            fmt::format("{} of {} processes that were started together (it does not share its work among "
                        "them, so each would do all of it); start it without mpirun or srun",
                        subcommand.get_name(), processes));
    }
}

}  // namespace plumecast::app
