#include "backend/cuda/transfers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backend/cuda/status.hpp"

namespace plumecast::cuda {
namespace {

/// A copy to a pinned block, and from there to where it was asked for.
class PinnedDownload final : public PendingDownload {
   public:
    PinnedDownload(std::shared_ptr<PinnedBlocks> blocks, PinnedBlocks::Block block, void* host, std::size_t bytes)
        : blocks_(std::move(blocks)), block_(std::move(block)), host_(host), bytes_(bytes), copied_(make_event()) {}
    PinnedDownload(const PinnedDownload&) = delete;
    PinnedDownload& operator=(const PinnedDownload&) = delete;
    ~PinnedDownload() override {
        if (host_ != nullptr) {
            cudaEventSynchronize(copied_.get());  // the device must not write to a block that others have
        }
        blocks_->give_back(std::move(block_));
    }

    void start(const void* device, cudaStream_t stream) {
        check(cudaMemcpyAsync(block_.memory.get(), device, bytes_, cudaMemcpyDeviceToHost, stream),
              "copying from the device");
        check(cudaEventRecord(copied_.get(), stream), "marking a copy");
    }
    void wait() override {
        if (void* host = std::exchange(host_, nullptr)) {
            check(cudaEventSynchronize(copied_.get()), "the computation on the device");
            std::memcpy(host, block_.memory.get(), bytes_);
        }
    }

   private:
    std::shared_ptr<PinnedBlocks> blocks_;
    PinnedBlocks::Block block_;
    void* host_;  // null once the values are there
    std::size_t bytes_;
    Event copied_;
};

}  // namespace

PinnedBlocks::Block PinnedBlocks::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(free_, [&](const Block& block) { return block.bytes >= bytes; });
    if (found == free_.end()) {
        return {make_pinned_block(std::max<std::size_t>(bytes, 1)), bytes};
    }
    Block block = std::move(*found);
    free_.erase(found);
    return block;
}

void PinnedBlocks::give_back(Block block) {
    constexpr std::size_t most = 4;
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
    if (free_.size() > most) {
        free_.erase(free_.begin());
    }
}

Transfers::Transfers() : in_(make_stream()), out_(make_stream()), arrived_(make_event()), computed_(make_event()) {}

void Transfers::start_in(const void* host, void* device, std::size_t bytes, cudaStream_t compute) {
    const std::lock_guard lock(mutex_);
    staging_.copy_in(host, device, bytes, in_.get());
    check(cudaEventRecord(arrived_.get(), in_.get()), "marking a copy");
    check(cudaStreamWaitEvent(compute, arrived_.get(), 0), "waiting for a copy");
}

std::unique_ptr<PendingDownload> Transfers::start_out(const void* device, void* host, std::size_t bytes,
                                                      cudaStream_t compute) {
    auto download = std::make_unique<PinnedDownload>(blocks_, blocks_->take(bytes), host, bytes);
    const std::lock_guard lock(mutex_);
    check(cudaEventRecord(computed_.get(), compute), "marking a result");
    check(cudaStreamWaitEvent(out_.get(), computed_.get(), 0), "waiting for a result");
    download->start(device, out_.get());
    return download;
}

}  // namespace plumecast::cuda
