#include "reservoir/import/mapped_array.hpp"

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using testing::ScratchFolder;

/// A file with an array of whole numbers that count up from 0.
h5::File counted_file(const std::string& path, const std::vector<std::int64_t>& extents, bool is_packed = false) {
    h5::File file = h5::File::create(path);
    file.create_array<std::int64_t>("/values", {extents, false, std::nullopt});
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
        count *= extent;
    }
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(i);
    }
    file.write_rows<std::int64_t>("/values", 0, extents[0], values);
    if (is_packed) {
        file.set_real("/values", "scale_factor", 0.5F);
        file.set_real("/values", "add_offset", 100.0F);
        file.set_text("/values", "units", "celsius");
    }
    file.close();
    return h5::File::open(path);
}

MappedArray mapped(const h5::File& file, const char* name, const std::string& entry) {
    const Json map = Json::parse("{\"" + std::string(name) + "\": " + entry + "}", "map");
    JsonReader reader(map, "map");
    return {*find_array(name, Geometry::radial), reader, file};
}

TEST(MappedArray, TakesCasesFromAnyAxis) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {3, 2, 4});
    const MappedArray array = mapped(file, "permeability_r", R"({"array": "/values", "axes": "r z n", "unit": "mD"})");
    EXPECT_EQ(array.extent('n'), 4);
    EXPECT_THAT(array.values(file, 1, {2, 3}), ElementsAre(1.0F, 9.0F, 17.0F, 5.0F, 13.0F, 21.0F));
    const MappedArray between =
        mapped(file, "permeability_r", R"({"array": "/values", "axes": "r n z", "unit": "mD"})");
    EXPECT_THAT(between.values(file, 1, {4, 3}),
                ElementsAre(4.0F, 12.0F, 20.0F, 5.0F, 13.0F, 21.0F, 6.0F, 14.0F, 22.0F, 7.0F, 15.0F, 23.0F));
}

TEST(MappedArray, LeavesAxesOfExtentOneOut) {
    const ScratchFolder folder;
    for (const std::vector<std::int64_t>& extents :
         {std::vector<std::int64_t>{1, 4}, std::vector<std::int64_t>{4, 1}, std::vector<std::int64_t>{1, 4, 1}}) {
        const h5::File file = counted_file(folder.file("a.h5"), extents);
        const MappedArray array =
            mapped(file, "injection_rate", R"({"array": "/values", "axes": "n", "unit": "Mt/year"})");
        EXPECT_EQ(array.extent('n'), 4);
        EXPECT_THAT(array.values(file, 2, {}), ElementsAre(2.0F));
    }
}

TEST(MappedArray, RefusesAxesThatFitInTwoWays) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {1, 4, 1});
    EXPECT_THROW(mapped(file, "permeability_r", R"({"array": "/values", "axes": "z r", "unit": "mD"})"), InvalidInput);
}

TEST(MappedArray, UnpacksNumbersBeforeTheUnitIsConverted) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {3}, true);
    const MappedArray array = mapped(file, "temperature", R"({"array": "/values", "axes": "n"})");
    EXPECT_THAT(array.values(file, 2, {}), ElementsAre(101.0F));
}

}  // namespace
}  // namespace plumecast
