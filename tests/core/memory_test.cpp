#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/memory.hpp>

namespace plumecast {
namespace {

/// Counts what is handed out and given back.
class CountingMemory final : public MemoryResource {
   public:
    void* allocate(std::size_t bytes) override {
        held += bytes;
        ++calls;
        return host_memory().allocate(bytes);
    }
    void release(void* pointer, std::size_t bytes) noexcept override {
        held -= bytes;
        host_memory().release(pointer, bytes);
    }
    std::size_t held = 0;
    int calls = 0;
};

TEST(HostMemory, AlignsTo64BytesForAnySize) {
    for (std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
        const Buffer buffer(host_memory(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
        EXPECT_EQ(buffer.bytes(), bytes);
        std::memset(buffer.data(), 1, bytes);
    }
}

TEST(ZeroMemory, IsReadAsZerosWithoutTakingRoom) {
    constexpr std::size_t bytes = std::size_t{1} << 38;
    const Buffer buffer(zero_memory(), bytes);
    auto* values = static_cast<unsigned char*>(buffer.data());
    for (std::size_t at = 0; at < bytes; at += bytes / 64) {
        EXPECT_EQ(values[at], 0);
    }
    values[bytes - 1] = 7;
    EXPECT_EQ(values[bytes - 1], 7);
    EXPECT_EQ(values[bytes - 2], 0);
}

TEST(HostMemory, ThrowsForMoreThanTheAddressSpaceHolds) {
    EXPECT_THROW(Buffer(host_memory(), std::size_t{1} << 63), OutOfMemory);
    EXPECT_THROW(Buffer(host_memory(), std::numeric_limits<std::size_t>::max()), OutOfMemory);
}

TEST(Buffer, GivesBackWhatItTookOnce) {
    CountingMemory memory;
    {
        Buffer first(memory, 100);
        EXPECT_EQ(memory.held, 100u);
        const Buffer second = std::move(first);
        EXPECT_EQ(first.data(), nullptr);  // NOLINT: the moved-from state is what is tested
        EXPECT_EQ(second.bytes(), 100u);
    }
    EXPECT_EQ(memory.held, 0u);
    EXPECT_EQ(memory.calls, 1);
}

TEST(Buffer, ReleasesItsOldBlockWhenAssignedAnother) {
    CountingMemory memory;
    Buffer buffer(memory, 100);
    buffer = Buffer(memory, 30);
    EXPECT_EQ(memory.held, 30u);
    buffer = Buffer();
    EXPECT_EQ(memory.held, 0u);
}

TEST(Buffer, AsksForNothingWhenEmpty) {
    CountingMemory memory;
    const Buffer buffer(memory, 0);
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(memory.calls, 0);
}

}  // namespace
}  // namespace plumecast
