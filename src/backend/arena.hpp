#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
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
    /// Notes which addresses are handed out to the calling thread from now on; other threads get none of them.
    void start_trace();
    /// Ends the trace of this thread.
    void drop_trace();
    /// Ends the trace of this thread and takes all addresses it noted, so that what was done there can be done there
    /// again. Throws Error when something still lies there.
    std::unique_ptr<Claim> claim_trace();

    /// Highest end of an allocation since the last reset, from the start of the range.
    std::size_t peak_bytes() const;
    void reset_peak_bytes();

    /// Calls give_back(begin, bytes) for each hole that was in use since this was last called, and returns the sum of
    /// what that returns. Nothing is handed out meanwhile.
    std::size_t trim(const std::function<std::size_t(void* begin, std::size_t bytes)>& give_back);

   private:
    using Ranges = std::map<std::size_t, std::size_t>;  // offset -> bytes

    std::optional<std::size_t> first_fit(std::size_t bytes) const;
    std::size_t beyond_traces(std::size_t offset, std::size_t bytes) const;
    void join(Ranges::iterator hole);
    void take(std::size_t offset, std::size_t bytes);
    Ranges::iterator add_hole(std::size_t offset, std::size_t bytes);
    std::size_t used_end() const;

    mutable std::mutex mutex_;
    char* base_;
    std::size_t capacity_;
    std::string from_;
    std::size_t peak_ = 0;
    std::size_t touched_ = 0;  // highest end of an allocation since the last trim()
    std::size_t live_ = 0;
    std::size_t pieces_ = 0;  // handed out
    Ranges holes_;
    std::multimap<std::size_t, std::size_t> spare_;  // nodes for more of them
    std::map<std::thread::id, Ranges> traces_;       // the most bytes handed out at each offset
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
