#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/handles.hpp"
#include "backend/cuda/staging.hpp"

namespace plumecast::cuda {

/// Pinned blocks that are taken again rather than made again: making one stops the device.
class PinnedBlocks {
   public:
    struct Block {
        PinnedBlock memory;
        std::size_t bytes = 0;
    };
    /// A block of at least `bytes`.
    Block take(std::size_t bytes);
    void give_back(Block block);

   private:
    std::mutex mutex_;
    std::vector<Block> free_;
};

/// Copies on streams of their own, which run beside the computation. For any number of threads.
class Transfers {
   public:
    Transfers();

    /// Returns when the host bytes may be reused. Work started later on `compute` finds the values.
    void start_in(const void* host, void* device, std::size_t bytes, cudaStream_t compute);
    /// Copies what work started before on `compute` leaves.
    std::unique_ptr<PendingDownload> start_out(const void* device, void* host, std::size_t bytes, cudaStream_t compute);

   private:
    std::mutex mutex_;  // keeps a mark and the wait for it together
    Stream in_, out_;
    Staging staging_{2};
    Event arrived_, computed_;
    std::shared_ptr<PinnedBlocks> blocks_ = std::make_shared<PinnedBlocks>();
};

}  // namespace plumecast::cuda
