#pragma once

#include <CLI/App.hpp>

namespace plumecast::app {

/// Throws InvalidInput where a launcher of MPI has started several processes of a subcommand that does not share its
/// work among them: each would do all of it and write the same files.
void require_alone(const CLI::App& subcommand);

}  // namespace plumecast::app
