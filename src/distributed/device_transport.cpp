#include "device_transport.hpp"

#include <plumecast/core/error.hpp>

namespace plumecast {

bool in_device_memory(Transport wanted, bool library_can) {
    if (wanted == Transport::device && !library_can) {
        const std::string library = mpi_version();
        throw InvalidInput("messages in device memory (" + (library.empty() ? "this build has no MPI" : library) +
                           " does not say that it takes memory of CUDA devices); use an MPI library built with CUDA, "
                           "or Transport::host");
    }
    return wanted != Transport::host && library_can;
}

}  // namespace plumecast
