#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/memory.hpp>

namespace plumecast {
namespace {

constexpr std::size_t alignment = 64;

[[noreturn]] void throw_refused(std::size_t bytes) {
    throw OutOfMemory("no host memory for " + std::to_string(bytes) +
                      " bytes (the system refused it); use a smaller batch or network");
}

class HostMemory final : public MemoryResource {
   public:
    void* allocate(std::size_t bytes) override {
        // No block may exceed half the address space; below that rounding up cannot wrap around.
        const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        void* pointer = bytes > PTRDIFF_MAX ? nullptr : std::aligned_alloc(alignment, rounded);
        if (pointer == nullptr) {
            throw_refused(bytes);
        }
        return pointer;
    }
    void release(void* pointer, std::size_t) noexcept override { std::free(pointer); }
};

/// Pages of the system, which are zero and take no room until they are written.
class ZeroMemory final : public MemoryResource {
   public:
    void* allocate(std::size_t bytes) override {
        void* pointer =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pointer == MAP_FAILED) {
            throw_refused(bytes);
        }
        return pointer;
    }
    void release(void* pointer, std::size_t bytes) noexcept override { munmap(pointer, bytes); }
};

}  // namespace

MemoryResource& host_memory() {
    static HostMemory memory;
    return memory;
}

MemoryResource& zero_memory() {
    static ZeroMemory memory;
    return memory;
}

Buffer::Buffer(MemoryResource& resource, std::size_t bytes)
    : resource_(&resource), data_(bytes ? resource.allocate(bytes) : nullptr), bytes_(bytes) {}

Buffer::~Buffer() {
    if (data_ != nullptr) {
        resource_->release(data_, bytes_);
    }
}

void Buffer::swap(Buffer& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
}

}  // namespace plumecast
