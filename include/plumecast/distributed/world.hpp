#pragma once

#include <memory>
#include <string>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// Where messages between devices lie: in memory of the host, which the values pass through, or in that of the devices,
/// which takes an MPI library that knows CUDA; automatic asks the library. By nccl, they go between devices without
/// MPI, which only joins the ranks; each needs a device of its own then.
enum class Transport { automatic, host, device, nccl };

/// The job this process belongs to: all ranks that `mpirun` or `srun` started, or one rank. One object per process,
/// made before and destroyed after everything that communicates.
class World {
   public:
    /// Joins the job when a launcher started the process. Throws NotBuilt when a launcher started several ranks but the
    /// library was built without MPI, CommError when MPI cannot be started.
    World();
    /// Leaves the job.
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// For communicator() and those split from it from now on; to be called before either. Throws InvalidInput when
    /// device memory is asked for and the MPI library says that it cannot, or NCCL and there is none.
    void choose(Transport memory);
    /// All ranks of the job. Another object after choose().
    Communicator& communicator() { return *communicator_; }
    /// This rank's number among those on its machine, and how many those are.
    int local_rank() const { return local_rank_; }
    int local_ranks() const { return local_ranks_; }
    /// Ends all ranks at once with this exit code, for a rank that cannot go on while others wait for it.
    [[noreturn]] void abort(int code);

   private:
    std::unique_ptr<Communicator> communicator_;
    int local_rank_ = 0;
    int local_ranks_ = 1;
};

/// Whether the library was built with MPI, and which: "Open MPI 4.1.4", or empty.
std::string mpi_version();

/// Whether the MPI library says at run time that it sends from and receives into memory of CUDA devices.
bool mpi_takes_device_memory();

}  // namespace plumecast
