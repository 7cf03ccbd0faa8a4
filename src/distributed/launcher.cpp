#include "launcher.hpp"

#include <array>
#include <cstdlib>

namespace plumecast {

int launched_ranks() {
    // Open MPI and PRRTE; MPICH, Intel MPI and srun with PMI-1 or PMI-2; MVAPICH.
    constexpr std::array sizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
    for (const char* name : sizes) {
        if (const char* text = std::getenv(name)) {
            return std::atoi(text);
        }
    }
    // srun with PMIx names the rank but not the size; its number of tasks is Slurm's.
    const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return std::getenv("PMIX_RANK") == nullptr ? 0 : tasks == nullptr ? 1 : std::atoi(tasks);
}

}  // namespace plumecast
