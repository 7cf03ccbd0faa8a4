#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/packing.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using testing::ScratchFolder;

enum class Kind { smooth, zeros, noise, marked };

std::vector<float> values_of(Kind kind, std::size_t count) {
    std::vector<float> values(count);
    std::uint32_t state = 7;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        const float smooth = std::sin(0.01F * static_cast<float>(i));
        switch (kind) {
            case Kind::smooth:
                values[i] = smooth > 0.0F ? smooth : 0.0F;
                break;
            case Kind::zeros:
                break;
            case Kind::noise:
                values[i] = static_cast<float>(state) * 1e-9F;
                break;
            case Kind::marked:
                values[i] = i % 5 == 0 ? -std::numeric_limits<float>::max() : smooth;
                break;
        }
    }
    return values;
}

/// A file of two rows written by write_packed() in the other order.
File written(const std::string& path, const std::vector<float>& first, const std::vector<float>& second) {
    const auto count = static_cast<std::int64_t>(first.size());
    File file = File::create(path);
    file.create_array<float>("/values", {{2, count}, true, std::nullopt});
    file.write_packed("/values", 1, packed(second));
    file.write_packed("/values", 0, packed(first));
    file.close();
    return File::open(path);
}

TEST(Packed, IsWhatTheLibraryUnpacksAndFindsUndamaged) {
    const ScratchFolder folder;
    for (const std::size_t count : {1U, 2U, 3U, 17U, 360U, 721U, 5000U, 70000U}) {
        for (const Kind kind : {Kind::smooth, Kind::zeros, Kind::noise, Kind::marked}) {
            const std::vector<float> first = values_of(kind, count), second = values_of(Kind::smooth, count);
            const File file = written(folder.file("a.h5"), first, second);
            std::vector<float> all = first;
            all.insert(all.end(), second.begin(), second.end());
            EXPECT_EQ(file.read<float>("/values"), all) << count << " values of kind " << static_cast<int>(kind);
        }
    }
}

TEST(Packed, HasAChecksumThatTheLibraryVerifies) {
    const ScratchFolder folder;
    const std::vector<float> values = values_of(Kind::noise, 4096);
    std::vector<std::byte> chunk = packed(values);
    File file = File::create(folder.file("a.h5"));
    file.create_array<float>("/values", {{1, 4096}, true, std::nullopt});
    chunk.back() ^= std::byte{1};
    file.write_packed("/values", 0, chunk);
    file.close();
    EXPECT_THROW(File::open(folder.file("a.h5")).read<float>("/values"), InvalidData);
}

TEST(Packed, IsSmallWhereValuesRepeat) {
    constexpr std::size_t count = 70000;
    EXPECT_LT(packed(values_of(Kind::zeros, count)).size(), count * sizeof(float) / 100);
    EXPECT_LT(packed(values_of(Kind::smooth, count)).size(), count * sizeof(float) / 2) << "half of it zeros";
}

TEST(H5File, RefusesPackedRowsWhereNoneBelong) {
    const ScratchFolder folder;
    File file = File::create(folder.file("a.h5"));
    file.create_array<float>("/plain", {{2, 3}, false, std::nullopt});
    file.create_array<float>("/values", {{2, 3}, true, std::nullopt});
    const std::vector<std::byte> chunk = packed(std::vector<float>(3));
    EXPECT_THROW(file.write_packed("/plain", 0, chunk), Error);
    EXPECT_THROW(file.write_packed("/values", 2, chunk), Error);
    EXPECT_THROW(file.write_packed("/values", -1, chunk), Error);
}

}  // namespace
}  // namespace plumecast::h5
