#include <cstdint>
#include <cstdlib>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/core/memory.hpp>

namespace plumecast {
namespace {

constexpr std::size_t alignment = 64;

class HostMemory final : public MemoryResource {
   public:
    void* allocate(std::size_t bytes) override {
        // No block may exceed half the address space; below that rounding up cannot wrap around.
        const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        void* pointer = bytes > PTRDIFF_MAX ? nullptr : std::aligned_alloc(alignment, rounded);
        if (pointer == nullptr) {
            throw DeviceError("no host memory for " + std::to_string(bytes) +
                              " bytes (the system refused it); use a smaller batch or network");
        }
        return pointer;
    }
    void release(void* pointer, std::size_t) noexcept override { std::free(pointer); }
};

}  // namespace

MemoryResource& host_memory() {
    static HostMemory memory;
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
