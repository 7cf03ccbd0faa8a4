#include <mpi.h>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <plumecast/distributed/world.hpp>

namespace plumecast {

// Open MPI and its kin ask MPIX_Query_cuda_support(), MPICH from 4.0 on MPIX_GPU_query_support(). A library with
// neither is taken not to know devices.
#if defined(MPIX_CUDA_AWARE_SUPPORT)
bool mpi_takes_device_memory() { return MPIX_Query_cuda_support() == 1; }
#elif defined(MPIX_GPU_SUPPORT_CUDA)
bool mpi_takes_device_memory() {
    int does = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &does) == MPI_SUCCESS && does != 0;
}
#else
bool mpi_takes_device_memory() { return false; }
#endif

}  // namespace plumecast
