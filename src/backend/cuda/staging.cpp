#include "backend/cuda/staging.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cuda/status.hpp"

namespace plumecast::cuda {

const Staging::Slot& Staging::slot(std::size_t number) {
    Slot& found = slots_[number];
    if (found.block == nullptr) {
        found = {make_pinned_block(slot_bytes), make_event()};
    }
    return found;
}

void Staging::copy_in(const void* host, void* device, std::size_t bytes, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    const auto* from = static_cast<const std::byte*>(host);
    auto* to = static_cast<std::byte*>(device);
    for (std::size_t done = 0; done < bytes; done += slot_bytes) {
        const std::size_t piece = std::min(slot_bytes, bytes - done);
        const Slot& slot = this->slot(next_);
        next_ = (next_ + 1) % slots_.size();
        check(cudaEventSynchronize(slot.copied.get()), "waiting for a copy to the device");
        std::memcpy(slot.block.get(), from + done, piece);
        check(cudaMemcpyAsync(to + done, slot.block.get(), piece, cudaMemcpyHostToDevice, stream),
              "copying to the device");
        check(cudaEventRecord(slot.copied.get(), stream), "marking a copy");
    }
}

void Staging::copy_out(const void* device, void* host, std::size_t bytes, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    const auto* from = static_cast<const std::byte*>(device);
    auto* to = static_cast<std::byte*>(host);
    const auto start = [&](std::size_t done) {
        const Slot& slot = this->slot(done / slot_bytes % 2);
        const std::size_t piece = std::min(slot_bytes, bytes - done);
        check(cudaMemcpyAsync(slot.block.get(), from + done, piece, cudaMemcpyDeviceToHost, stream),
              "copying from the device");
        check(cudaEventRecord(slot.copied.get(), stream), "marking a copy");
    };
    for (std::size_t done = 0; done < bytes; done += slot_bytes) {
        if (done == 0) {
            start(done);
        }
        if (done + slot_bytes < bytes) {
            start(done + slot_bytes);  // into the block emptied a round ago
        }
        const Slot& slot = this->slot(done / slot_bytes % 2);
        check(cudaEventSynchronize(slot.copied.get()), "the computation on the device");
        std::memcpy(to + done, slot.block.get(), std::min(slot_bytes, bytes - done));
    }
}

}  // namespace plumecast::cuda
