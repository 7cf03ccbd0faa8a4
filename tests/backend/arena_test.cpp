#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "backend/arena.hpp"

namespace plumecast::testing {
namespace {

/// An arena over addresses nobody reads.
struct Range {
    static constexpr std::size_t capacity = 1 << 20;
    Arena arena{reinterpret_cast<void*>(std::uintptr_t{1} << 20), capacity};
};

TEST(Arena, HandsOutAlignedPiecesThatDoNotOverlap) {
    Range range;
    std::uintptr_t end = 0;
    for (std::size_t bytes : {1, 100, 64, 4097}) {
        const auto begin = reinterpret_cast<std::uintptr_t>(range.arena.allocate(bytes));
        EXPECT_EQ(begin % 64, 0u);
        EXPECT_GE(begin, end);
        end = begin + bytes;
    }
}

TEST(Arena, GivesEvenEmptyPiecesAnAddressOfTheirOwn) {
    Range range;
    EXPECT_NE(range.arena.allocate(0), range.arena.allocate(0));
}

TEST(Arena, FillsTheLowestHoleThatFits) {
    Range range;
    void* small = range.arena.allocate(1000);
    range.arena.allocate(1000);
    void* large = range.arena.allocate(5000);
    range.arena.allocate(1000);
    range.arena.release(small, 1000);
    range.arena.release(large, 5000);
    EXPECT_EQ(range.arena.allocate(4000), large);
    EXPECT_EQ(range.arena.allocate(1000), small);
}

TEST(Arena, JoinsNeighbouringHolesInAnyOrderOfRelease) {
    const std::size_t third = Range::capacity / 4;
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}}) {
        Range range;
        std::vector<void*> pieces;
        for (int i = 0; i < 4; ++i) {
            pieces.push_back(range.arena.allocate(third));
        }
        for (std::size_t i : order) {
            range.arena.release(pieces[i], third);
        }
        EXPECT_EQ(range.arena.allocate(Range::capacity), pieces[0]);
    }
}

TEST(Arena, ThrowsWhenNothingFitsAndStaysUsable) {
    Range range;
    void* half = range.arena.allocate(Range::capacity / 2);
    EXPECT_THROW(range.arena.allocate(Range::capacity / 2 + 1), DeviceError);
    range.arena.release(half, Range::capacity / 2);
    EXPECT_NO_THROW(range.arena.allocate(Range::capacity));
}

TEST(Arena, ThrowsForASizeThatWrapsAround) {
    Range range;
    EXPECT_THROW(range.arena.allocate(SIZE_MAX), DeviceError);
}

TEST(Arena, RemembersTheHighestEndUntilReset) {
    Range range;
    range.arena.allocate(1024);
    void* more = range.arena.allocate(4096);
    range.arena.release(more, 4096);
    EXPECT_EQ(range.arena.peak_bytes(), 5120u);
    range.arena.reset_peak_bytes();
    EXPECT_EQ(range.arena.peak_bytes(), 1024u);
}

TEST(Arena, ClaimsWhatATraceUsedAndNothingElse) {
    Arena arena(reinterpret_cast<void*>(std::uintptr_t{1} << 20), 10240);
    void* before = arena.allocate(256);
    arena.start_trace();
    void* first = arena.allocate(512);
    void* second = arena.allocate(256);
    arena.release(first, 512);
    void* reused = arena.allocate(256);
    EXPECT_EQ(reused, first);
    arena.release(reused, 256);
    arena.release(second, 256);
    auto claim = arena.claim_trace();
    void* after = arena.allocate(256);
    EXPECT_EQ(static_cast<std::byte*>(after) - static_cast<std::byte*>(before), 256 + 512 + 256);
    claim.reset();
    EXPECT_EQ(arena.allocate(768), first);
}

TEST(Arena, HandsNothingThatATraceNotedToOtherThreads) {
    Arena arena(reinterpret_cast<void*>(std::uintptr_t{1} << 20), 10240);
    arena.start_trace();
    void* first = arena.allocate(512);
    void* second = arena.allocate(256);
    arena.release(first, 512);
    void *others = nullptr, *more = nullptr;
    std::jthread([&] {
        others = arena.allocate(256);
        EXPECT_THROW(arena.allocate(10240 - 512), OutOfMemory);
        arena.start_trace();
        more = arena.allocate(256);
        arena.release(more, 256);
        arena.drop_trace();
    }).join();
    arena.release(second, 256);
    EXPECT_EQ(static_cast<std::byte*>(others) - static_cast<std::byte*>(first), 768);
    EXPECT_EQ(static_cast<std::byte*>(more) - static_cast<std::byte*>(first), 1024) << "two traces at a time";
    const auto claim = arena.claim_trace();
    EXPECT_EQ(static_cast<std::byte*>(arena.allocate(256)) - static_cast<std::byte*>(first), 1024);
}

TEST(Arena, RefusesToClaimWhatIsStillInUse) {
    Arena arena(reinterpret_cast<void*>(std::uintptr_t{1} << 20), 10240);
    arena.start_trace();
    void* kept = arena.allocate(256);
    EXPECT_THROW(arena.claim_trace(), Error);
    arena.release(kept, 256);
    arena.start_trace();
    arena.drop_trace();
    EXPECT_EQ(arena.allocate(10240), kept);
}

/// The pieces that trim() offers, as offsets and bytes.
using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;

Pieces trimmed(Range& range) {
    Pieces pieces;
    const std::size_t base = std::size_t{1} << 20;
    const std::size_t sum = range.arena.trim([&](void* begin, std::size_t bytes) {
        pieces.emplace_back(reinterpret_cast<std::uintptr_t>(begin) - base, bytes);
        return std::size_t{1};
    });
    EXPECT_EQ(sum, pieces.size());
    return pieces;
}

TEST(Arena, OffersTheHolesThatWereInUseForGivingBack) {
    Range range;
    EXPECT_EQ(trimmed(range), Pieces());
    void* first = range.arena.allocate(1024);
    void* second = range.arena.allocate(2048);
    void* third = range.arena.allocate(4096);
    range.arena.release(first, 1024);
    EXPECT_EQ(trimmed(range), (Pieces{{0, 1024}}));
    range.arena.release(third, 4096);
    range.arena.release(range.arena.allocate(8192), 8192);
    EXPECT_EQ(trimmed(range), (Pieces{{0, 1024}, {3072, 8192}}));
    range.arena.release(second, 2048);
    EXPECT_EQ(trimmed(range), (Pieces{{0, 3072}})) << "beyond it nothing was in use since";
}

TEST(Arena, KeepsWhatIsClaimedFromGivingBack) {
    Range range;
    range.arena.start_trace();
    void* noted = range.arena.allocate(1024);
    range.arena.release(noted, 1024);
    const auto claim = range.arena.claim_trace();
    EXPECT_EQ(trimmed(range), Pieces());
}

TEST(Arena, NamesWhereItsCapacityComesFrom) {
    Arena arena(reinterpret_cast<void*>(std::uintptr_t{1} << 20), std::size_t{8} << 20, "a limit of the test");
    try {
        arena.allocate(std::size_t{16} << 20);
        FAIL() << "nothing was thrown";
    } catch (const OutOfMemory& error) {
        EXPECT_STREQ(error.what(),
                     "no memory for 16 MiB more (0 MiB of 8 MiB are in use, the limit is a limit of the test); use a "
                     "smaller batch or network, or allow more memory");
    }
}

}  // namespace
}  // namespace plumecast::testing
