#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "backend/cuda/handles.hpp"

namespace plumecast::cuda {

/// Copies between ordinary host memory and the device, in the order of a stream, by way of pinned blocks in turn: while
/// the device copies one, the host fills or empties the others. Threads take turns, a copy each.
class Staging {
   public:
    /// At least two blocks; each is made when it is first needed.
    explicit Staging(std::size_t blocks) : slots_(blocks) {}

    /// Returns when the host bytes may be reused; the device may still be copying.
    void copy_in(const void* host, void* device, std::size_t bytes, cudaStream_t stream);
    /// Returns when the host bytes have arrived, and so has everything that was started before them.
    void copy_out(const void* device, void* host, std::size_t bytes, cudaStream_t stream);

   private:
    struct Slot {
        PinnedBlock block;
        Event copied;  ///< the device is done with the block
    };
    static constexpr std::size_t slot_bytes = std::size_t{8} << 20;

    const Slot& slot(std::size_t number);

    std::mutex mutex_;
    std::vector<Slot> slots_;
    std::size_t next_ = 0;
};

}  // namespace plumecast::cuda
