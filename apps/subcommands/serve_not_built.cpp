#include <plumecast/core/error.hpp>

#include "command.hpp"

namespace plumecast::app {

Command make_serve(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("serve", "Answer requests over HTTP, with a page (not in this build)");
    app->allow_extras();
    add_examples(*app, "  none: this build leaves the service out");
    return {app, [](Console&) -> ExitCode {
                throw NotBuilt(
                    "plumecast serve is not there (this build leaves the service out); build with "
                    "-DPLUMECAST_SERVICE=ON, which needs cpp-httplib");
            }};
}

}  // namespace plumecast::app
