#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/core/memory.hpp>

namespace plumecast::testing {

/// Host memory that knows how much of it is in use, and can be told to run out.
class CountedMemory final : public MemoryResource {
   public:
    void* allocate(std::size_t bytes) override {
        const std::lock_guard guard(mutex_);
        if (allocations_left_-- == 0) {
            throw OutOfMemory("no memory for " + std::to_string(bytes) +
                              " bytes more (a test lets this allocation fail); allocate less");
        }
        if (bytes > capacity_ - live_) {
            throw OutOfMemory("no memory for " + std::to_string(bytes) + " bytes more (a test limits it to " +
                              std::to_string(capacity_) + "); allocate less");
        }
        // Not rounded up, so that the address sanitizer sees the first byte too many.
        void* pointer = ::operator new(bytes, alignment);
        live_ += bytes;
        peak_ = std::max(peak_, live_);
        ++allocations_;
        return pointer;
    }
    void release(void* pointer, std::size_t bytes) noexcept override {
        const std::lock_guard guard(mutex_);
        ::operator delete(pointer, alignment);
        live_ -= bytes;
    }
    std::size_t live_bytes() const { return live_; }
    std::size_t peak_bytes() const { return peak_; }
    /// Since it was made.
    std::int64_t allocations() const { return allocations_; }
    void reset_peak_bytes() { peak_ = live_; }
    std::size_t capacity_bytes() const { return capacity_; }
    /// No more than this at once.
    void limit(std::size_t capacity) { capacity_ = capacity; }
    /// Lets the allocation after `count` further ones fail, once.
    void fail_after(std::int64_t count) { allocations_left_ = count; }

   private:
    static constexpr std::align_val_t alignment{64};

    std::mutex mutex_;
    std::size_t live_ = 0, peak_ = 0, capacity_ = std::size_t{1} << 46;
    std::int64_t allocations_left_ = -1, allocations_ = 0;
};

}  // namespace plumecast::testing
