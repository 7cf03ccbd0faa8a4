#pragma once

#include <cstddef>
#include <utility>

namespace plumecast {

/// Where memory comes from. Implementations are safe to call from several threads.
class MemoryResource {
   public:
    virtual ~MemoryResource() = default;
    /// Memory of at least `bytes`, aligned to 64 bytes, uninitialised. Throws OutOfMemory when there is none left.
    virtual void* allocate(std::size_t bytes) = 0;
    /// Gives back what allocate(bytes) returned.
    virtual void release(void* pointer, std::size_t bytes) noexcept = 0;
};

/// Ordinary host memory; lives as long as the process.
MemoryResource& host_memory();

/// Host memory of zeros, of which only what is written takes room: for arrays that nobody fills, as plans have them.
MemoryResource& zero_memory();

/// Owns one block of a resource, which must outlive it. Move-only.
class Buffer {
   public:
    Buffer() = default;
    Buffer(MemoryResource& resource, std::size_t bytes);
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~Buffer();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

   private:
    void swap(Buffer& other) noexcept;

    MemoryResource* resource_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace plumecast
