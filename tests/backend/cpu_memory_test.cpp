#include <gmock/gmock.h>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/core/tensor.hpp>

#include "core/machine/memory_limit.hpp"
#include "support/limits/few_addresses.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t resident_bytes() {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Tensor touched(Backend& backend, std::size_t bytes, int value) {
    Tensor field(backend.memory(), {static_cast<std::int64_t>(bytes / sizeof(float))}, DType::float32);
    std::memset(field.view().data, value, bytes);
    return field;
}

std::string message_of_too_much(Backend& backend, std::size_t bytes) {
    try {
        backend.memory().allocate(bytes);
    } catch (const OutOfMemory& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(CpuMemory, IsWhatMachineAndContainerGive) {
    const auto backend = make_cpu_backend({.threads = 1});
    const MemoryLimit limit = memory_limit();
    EXPECT_LE(backend->capacity_bytes(), limit.bytes);
    if (!addresses_left()) {
        EXPECT_EQ(backend->capacity_bytes(), limit.bytes);
        EXPECT_THAT(message_of_too_much(*backend, limit.bytes + 1), HasSubstr("the limit is " + limit.source));
    }
}

TEST(CpuMemory, IsLimitedByAnOption) {
    const auto backend = make_cpu_backend({.threads = 1, .memory_limit = 64 * mebibyte});
    EXPECT_EQ(backend->capacity_bytes(), 64 * mebibyte);
    EXPECT_EQ(message_of_too_much(*backend, 65 * mebibyte),
              "no memory for 65 MiB more (0 MiB of 64 MiB are in use, the limit is CpuOptions::memory_limit); use a "
              "smaller batch or network, or allow more memory");
    EXPECT_LE(make_cpu_backend({.threads = 1, .memory_limit = ~std::size_t{0}})->capacity_bytes(),
              memory_limit().bytes);
}

TEST(CpuMemory, FitsALimitOfAddresses) {
    if (!FewAddresses::are_possible()) {
        GTEST_SKIP() << "a sanitizer maps most addresses";
    }
    std::size_t capacity = 0;
    std::string message;
    {
        const FewAddresses limit(512 * mebibyte);
        ASSERT_TRUE(limit.is_set());
        const auto backend = make_cpu_backend({.threads = 1});
        capacity = backend->capacity_bytes();
        message = message_of_too_much(*backend, 600 * mebibyte);
    }
    EXPECT_LE(capacity, 384 * mebibyte);
    EXPECT_GT(capacity, 256 * mebibyte);
    EXPECT_THAT(message, HasSubstr("ulimit -v"));
}

TEST(CpuMemory, IsGivenBackWhereNobodyUsesIt) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Tensor kept = touched(*backend, 8 * mebibyte, 1);
    std::optional<Tensor> large = touched(*backend, 128 * mebibyte, 2);
    const Tensor above = touched(*backend, 4 * mebibyte, 3);
    EXPECT_EQ(backend->trim(), 0U) << "all of it is in use";
    large.reset();
    const std::size_t before = resident_bytes();
    EXPECT_EQ(backend->trim(), 128 * mebibyte);
    EXPECT_LT(resident_bytes() + 120 * mebibyte, before);
    EXPECT_EQ(backend->trim(), 0U) << "it is given back already";
    EXPECT_EQ(std::memcmp(kept.view().data, std::string(8 * mebibyte, 1).data(), 8 * mebibyte), 0);
    EXPECT_EQ(std::memcmp(above.view().data, std::string(4 * mebibyte, 3).data(), 4 * mebibyte), 0);
    large = touched(*backend, 128 * mebibyte, 4);  // and taken again
    EXPECT_GT(resident_bytes() + 8 * mebibyte, before);
}

TEST(CpuMemory, HasNothingToGiveBackOnAPlan) { EXPECT_EQ(make_planning_backend()->trim(), 0U); }

}  // namespace
}  // namespace plumecast::testing
