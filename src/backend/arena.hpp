#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include <plumecast/core/memory.hpp>

namespace plumecast {

/// Hands out pieces of one address range, the lowest fitting hole first, and joins holes again when pieces come back.
/// Knows nothing about what lies behind the addresses, so it serves real memory and plans alike.
class Arena final : public MemoryResource {
   public:
    /// A range of `capacity` bytes from `base`, a multiple of 64.
    Arena(void* base, std::size_t capacity);

    /// Throws OutOfMemory naming size, use and capacity when no hole fits.
    void* allocate(std::size_t bytes) override;
    void release(void* pointer, std::size_t bytes) noexcept override;

    /// Highest end of an allocation since the last reset, from the start of the range.
    std::size_t peak_bytes() const;
    void reset_peak_bytes();

   private:
    void join(std::map<std::size_t, std::size_t>::iterator hole);
    std::size_t used_end() const;

    mutable std::mutex mutex_;
    char* base_;
    std::size_t capacity_;
    std::size_t peak_ = 0;
    std::size_t live_ = 0;
    std::map<std::size_t, std::size_t> holes_;  // offset -> bytes
};

}  // namespace plumecast
