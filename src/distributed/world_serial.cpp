#include <cstdlib>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/world.hpp>

#include "launcher.hpp"

namespace plumecast {

World::World() : communicator_(make_self_communicator()) {
    if (launched_ranks() > 1) {
        throw NotBuilt("started as one of " + std::to_string(launched_ranks()) +
                       " ranks (this build knows no MPI, so every rank would do the whole job); build with "
                       "-DPLUMECAST_MPI=ON or start one process");
    }
}

World::~World() = default;

void World::choose(Transport) {}  // one rank sends nothing

void World::abort(int code) { std::_Exit(code); }

std::string mpi_version() { return {}; }

bool mpi_takes_device_memory() { return false; }

}  // namespace plumecast
