#include <plumecast/core/error.hpp>

#include "command.hpp"

namespace plumecast::app {

Command make_optimize(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("optimize", "Find what stores most CO2 within limits (not in this build)");
    app->allow_extras();
    add_examples(*app, "  none: this build leaves the optimization out");
    return {app, [](Console&) -> ExitCode {
                throw NotBuilt(
                    "plumecast optimize is not there (this build leaves the optimization out); build with "
                    "-DPLUMECAST_INVERSE=ON, which needs NLopt (Debian: libnlopt-dev)");
            }};
}

}  // namespace plumecast::app
