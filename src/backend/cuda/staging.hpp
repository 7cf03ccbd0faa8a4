#pragma once

#include <array>
#include <cstddef>

#include "backend/cuda/handles.hpp"

namespace plumecast::cuda {

/// Copies between ordinary host memory and the device, in the order of a stream, by way of pinned blocks in turn: while
/// the device copies one, the host fills or empties the others. There are as many as a training step uploads arrays, so
/// that the host does not wait for one step before it starts the next; each is made when it is first needed.
class Staging {
   public:
    /// Returns when the host bytes may be reused; the device may still be copying.
    void copy_in(const void* host, void* device, std::size_t bytes, cudaStream_t stream);
    /// Returns when the host bytes have arrived, and so has everything that was started before them.
    void copy_out(const void* device, void* host, std::size_t bytes, cudaStream_t stream);

   private:
    struct Slot {
        PinnedBlock block;
        Event copied;  ///< the device is done with the block
    };
    static constexpr std::size_t slot_bytes = std::size_t{8} << 20, slot_count = 12;

    const Slot& slot(std::size_t number);

    std::array<Slot, slot_count> slots_;
    std::size_t next_ = 0;
};

}  // namespace plumecast::cuda
