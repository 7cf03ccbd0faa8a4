#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "command.hpp"
#include "inversion_pictures.hpp"

namespace plumecast::app {
namespace {

/// A subcommand that takes what it takes elsewhere, and says that this build cannot do it.
Command without_pictures(CLI::App& parent, const std::string& name, const std::string& description) {
    CLI::App* app = parent.add_subcommand(name, description + " (not in this build)");
    app->allow_extras();
    add_examples(*app, "  none: this build leaves pictures out");
    return {app, [name](Console&) -> ExitCode {
                throw NotBuilt("plumecast " + name +
                               " is not there (this build leaves pictures out); build with -DPLUMECAST_PICTURES=ON, "
                               "which needs Cairo");
            }};
}

}  // namespace

std::vector<std::string> inversion_pictures() { return {}; }

void draw_inversion(const InversionConfig&, const InversionReport&) {}

Command make_plot(CLI::App& parent) { return without_pictures(parent, "plot", "Draw maps of fields"); }

Command make_curve(CLI::App& parent) {
    return without_pictures(parent, "curve", "Draw learning curves of training runs");
}

Command make_report(CLI::App& parent) {
    return without_pictures(parent, "report", "Measure plume, pressure and mass: tables, pictures and a page");
}

}  // namespace plumecast::app
