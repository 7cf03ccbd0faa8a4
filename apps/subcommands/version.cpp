#include <fmt/format.h>

#include <plumecast/core/version.hpp>
#include <plumecast/distributed/world.hpp>

#include "command.hpp"

namespace plumecast::app {

std::string version_text() {
    const BuildInfo info = build_info();
    std::string backends;
    for (const std::string& backend : info.backends) {
        backends += " " + backend;
    }
    const std::string mpi = mpi_version();
    return fmt::format("plumecast {}\nbackends:{}\ncompiler: {} ({})\noneDNN:   {}\nHDF5:     {}\nMPI:      {}",
                       info.version, backends, info.compiler, info.build_type, info.onednn, info.hdf5,
                       mpi.empty() ? "none" : mpi);
}

Command make_version(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("version", "Print version and build features");
    return {app, [](Console& console) {
                console.print(version_text() + "\n");
                return exit_ok;
            }};
}

}  // namespace plumecast::app
