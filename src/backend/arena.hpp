#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <plumecast/core/memory.hpp>

namespace plumecast {

/// Hands out pieces of one address range, the lowest fitting hole first, and joins holes again when pieces come back.
/// Knows nothing about what lies behind the addresses, so it serves real memory and plans alike.
class Arena final : public MemoryResource {
   public:
    /// A range of `capacity` bytes from `base`, a multiple of 64. Messages name what the capacity comes `from`, where
    /// that is given.
    Arena(void* base, std::size_t capacity, std::string from = {});

    /// Throws OutOfMemory naming size, use, capacity and where that comes from when no hole fits.
    void* allocate(std::size_t bytes) override;
    void release(void* pointer, std::size_t bytes) noexcept override;

    /// What some allocations used, kept out of the hands of others; gives it back when destroyed.
    class Claim;
    /// Notes which addresses are handed out from now on.
    void start_trace();
    /// Ends the trace.
    void drop_trace();
    /// Ends the trace and takes all addresses it noted, so that what was done there can be done there again. Throws
    /// Error when something still lies there.
    std::unique_ptr<Claim> claim_trace();

    /// Highest end of an allocation since the last reset, from the start of the range.
    std::size_t peak_bytes() const;
    void reset_peak_bytes();

    /// Calls give_back(begin, bytes) for each hole that was in use since this was last called, and returns the sum of
    /// what that returns. Nothing is handed out meanwhile.
    std::size_t trim(const std::function<std::size_t(void* begin, std::size_t bytes)>& give_back);

   private:
    void join(std::map<std::size_t, std::size_t>::iterator hole);
    void take(std::size_t offset, std::size_t bytes);
    std::map<std::size_t, std::size_t>::iterator add_hole(std::size_t offset, std::size_t bytes);
    std::size_t used_end() const;

    mutable std::mutex mutex_;
    char* base_;
    std::size_t capacity_;
    std::string from_;
    std::size_t peak_ = 0;
    std::size_t touched_ = 0;  // highest end of an allocation since the last trim()
    std::size_t live_ = 0;
    std::size_t pieces_ = 0;                                   // handed out
    std::map<std::size_t, std::size_t> holes_;                 // offset -> bytes
    std::multimap<std::size_t, std::size_t> spare_;            // nodes for more of them
    std::optional<std::map<std::size_t, std::size_t>> trace_;  // offset -> most bytes handed out there
};

class Arena::Claim {
   public:
    Claim(Arena& arena, std::map<std::size_t, std::size_t> ranges) : arena_(&arena), ranges_(std::move(ranges)) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();

   private:
    Arena* arena_;
    std::map<std::size_t, std::size_t> ranges_;  // offset -> bytes, apart from each other
};

}  // namespace plumecast
