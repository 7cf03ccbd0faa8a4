#include "backend/cuda/memory_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast::cuda {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t mebibyte = std::size_t{1} << 20, gibibyte = 1024 * mebibyte;

template <class Expected>
std::string error_of(const WantedMemory& wanted, std::size_t free, std::size_t all) {
    try {
        memory_part(wanted, free, all);
    } catch (const Expected& error) {
        EXPECT_THAT(error.what(), ::testing::MatchesRegex(".+ \\(.+\\); .+"));
        return error.what();
    }
    return "nothing of this kind";
}

TEST(MemoryPart, IsNearlyAllThatIsFreeForOneProcess) {
    EXPECT_EQ(memory_part({}, 78 * gibibyte, 80 * gibibyte), 78 * gibibyte / 16 * 15 / (2 * mebibyte) * 2 * mebibyte);
    EXPECT_EQ(memory_part({}, 2 * gibibyte, 80 * gibibyte), 2 * gibibyte - 768 * mebibyte);
}

TEST(MemoryPart, IsTheSameForTwoRanksOfADeviceInAnyOrder) {
    const std::size_t all = 80 * gibibyte, context = 500 * mebibyte;  // which a process takes before it asks
    const WantedMemory wanted{.processes = 2};
    const std::size_t first = memory_part(wanted, all - context, all);
    const std::size_t second = memory_part(wanted, all - 2 * context - first, all);
    EXPECT_EQ(first, 40 * gibibyte / 16 * 15);
    EXPECT_EQ(second, first) << "though the other has taken its part";
    EXPECT_LE(first + second + 2 * context, all);
    EXPECT_EQ(memory_part(wanted, all - 2 * context, all), first) << "both at once";
}

TEST(MemoryPart, IsNeverMoreThanOthersLeave) {
    EXPECT_EQ(memory_part({.processes = 2}, 10 * gibibyte, 80 * gibibyte), 10 * gibibyte - 768 * mebibyte);
    EXPECT_THAT(error_of<OutOfMemory>({.processes = 3}, 700 * mebibyte, 80 * gibibyte),
                AllOf(HasSubstr("700 MiB of 81920 MiB are free, which 3 processes of this job share"),
                      HasSubstr("CudaOptions::device")));
}

TEST(MemoryPart, IsWhatIsAskedForWhoeverElseIsThere) {
    const std::size_t all = 80 * gibibyte;
    EXPECT_EQ(memory_part({.bytes = 5000, .processes = 2}, all, all), 5000);
    EXPECT_EQ(memory_part({.share = 0.25, .processes = 2}, all, all), 20 * gibibyte);
    EXPECT_EQ(memory_part({.share = 1.0}, all, all), all);
}

TEST(MemoryPart, SaysWhatIsFreeWhereMoreIsAskedFor) {
    const std::size_t all = 80 * gibibyte;
    EXPECT_THAT(error_of<OutOfMemory>({.share = 0.5}, 30 * gibibyte, all),
                AllOf(HasSubstr("40960 MiB"), HasSubstr("30720 MiB of 81920 MiB are free")));
    EXPECT_THAT(error_of<OutOfMemory>({.bytes = 2 * all}, all, all), HasSubstr("CudaOptions::memory_bytes"));
    EXPECT_THAT(error_of<OutOfMemory>({.share = 1e-9}, all, all), HasSubstr("0 MiB of device memory"));
}

TEST(MemoryPart, RefusesWhatIsNoShare) {
    for (const double share : {-0.1, 1.5, std::nan("")}) {
        EXPECT_THAT(error_of<InvalidInput>({.share = share}, gibibyte, gibibyte), HasSubstr("from 0 to 1")) << share;
    }
    EXPECT_THAT(error_of<InvalidInput>({.bytes = mebibyte, .share = 0.5}, gibibyte, gibibyte),
                HasSubstr("beside 1 MiB"));
}

}  // namespace
}  // namespace plumecast::cuda
