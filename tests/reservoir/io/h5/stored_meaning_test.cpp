#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/io/h5/stored_meaning.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// A file with one array that has a number as attribute for each pair.
File with_attributes(const std::string& path, const std::vector<std::pair<std::string, float>>& attributes) {
    File file = File::create(path);
    file.create_array<std::int64_t>("/values", {{3}, false, std::nullopt});
    for (const auto& [name, value] : attributes) {
        file.set_real("/values", name, value);
    }
    file.close();
    return File::open(path);
}

std::vector<double> applied(const StoredMeaning& meaning, std::vector<double> stored) {
    meaning.apply(stored);
    return stored;
}

TEST(StoredMeaning, UnpacksAsNetcdfToolsDo) {
    const ScratchFolder folder;
    const File file = with_attributes(folder.file("a.h5"), {{"scale_factor", 0.5F}, {"add_offset", 10.0F}});
    const StoredMeaning meaning(file, "/values");
    EXPECT_TRUE(meaning.is_packed());
    EXPECT_THAT(applied(meaning, {0.0, 4.0, -2.0}), ::testing::ElementsAre(10.0, 12.0, 9.0));
    EXPECT_EQ(meaning.packing_text(), "scale_factor 0.5, add_offset 10");
}

TEST(StoredMeaning, KnowsNumbersThatStandForNone) {
    const ScratchFolder folder;
    const File file = with_attributes(
        folder.file("a.h5"),
        {{"_FillValue", -999.0F}, {"missing_value", -1.0F}, {"valid_max", 100.0F}, {"scale_factor", 2.0F}});
    const std::vector<double> values = applied(StoredMeaning(file, "/values"), {-999.0, -1.0, 101.0, 7.0});
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]) && std::isnan(values[2]));
    EXPECT_EQ(values[3], 14.0);
}

TEST(StoredMeaning, RefusesAScaleThatIsNoNumber) {
    const ScratchFolder folder;
    {
        File file = File::create(folder.file("a.h5"));
        file.create_array<double>("/values", {{3}, false, std::nullopt});
        file.set_text("/values", "scale_factor", "0.1");
        file.close();
    }
    const File file = File::open(folder.file("a.h5"));
    EXPECT_THROW(StoredMeaning(file, "/values"), InvalidData);
}

TEST(Dataset, RefusesPackedNumbersByName) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t data = H5Dopen2(id, "/inputs/temperature", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    ASSERT_GE(data, 0);
    const hid_t attribute = H5Acreate2(data, "scale_factor", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    const double scale = 0.5;
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &scale);
    H5Aclose(attribute);
    H5Dclose(data);
    H5Fclose(id);
    const std::vector<Violation> violations = validate(path);
    ASSERT_FALSE(violations.empty());
    EXPECT_TRUE(std::ranges::any_of(violations, [](const Violation& violation) {
        return violation.is_error && violation.problem.find("scale_factor 0.5") != std::string::npos;
    }));
    EXPECT_THROW(Dataset{path}, InvalidData);
}

}  // namespace
}  // namespace plumecast::h5
