#include <signal.h>

#include <algorithm>
#include <exception>

#include "arguments/launcher.hpp"
#include "arguments/usage_problem.hpp"
#include "command.hpp"
#include "error_message.hpp"

namespace plumecast::app {
namespace {

int run(int argc, char** argv, Console& console) {
    CommandLine line;
    try {
        line.app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // help or version was asked for
        return line.app.exit(success);
    } catch (const CLI::ParseError& error) {
        console.error(usage_problem(error, line.commands, argc, argv));
        return exit_usage;
    }
    const auto chosen =
        std::ranges::find_if(line.commands, [](const Command& command) { return command.app->parsed(); });
    require_alone(*chosen->app);
    return chosen->run(console);
}

}  // namespace
}  // namespace plumecast::app

int main(int argc, char** argv) {
    // A file above the size limit then fails like a full disk, with a message, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN);
    plumecast::app::Console console;
    try {
        return plumecast::app::run(argc, argv, console);
    } catch (const std::bad_alloc&) {
        console.error("out of memory (the system gave no more); use a smaller --batch or a machine with more memory");
        return plumecast::app::exit_system;
    } catch (const std::exception& error) {
        console.error(plumecast::app::error_message(error));
        return plumecast::app::exit_code_of(error);
    }
}
