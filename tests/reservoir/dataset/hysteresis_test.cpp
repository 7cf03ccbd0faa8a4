#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::sample_content;
using testing::ScratchFolder;

DatasetContent trapping(std::vector<float> residuals) {
    DatasetContent content = sample_content();
    content.arrays["residual_gas_saturation"] = std::move(residuals);
    return content;
}

/// The same file with another version of the format.
std::string with_version(const ScratchFolder& folder, const std::string& from, int version) {
    const std::string path = folder.file("version.h5");
    const h5::File source = h5::File::open(from);
    h5::File file = h5::File::create(path);
    file.copy_attributes(source, "/", {});
    for (const std::string& array : source.arrays()) {
        file.copy_array(source, array);
        file.set_text(array, "units", source.text(array, "units").value_or(""));
        file.set_text(array, "long_name", "x");
    }
    file.set_integer("/", "format_version", version);
    file.close();
    return path;
}

TEST(ResidualGasSaturation, IsNoneWhereAFileHasNone) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const Dataset dataset(path);
    EXPECT_THAT(dataset.scalar("residual_gas_saturation"), ElementsAre(0.0F, 0.0F, 0.0F));
    EXPECT_FALSE(radial_case(dataset, 1).has_hysteresis());
    EXPECT_EQ(h5::File::open(path).integer("/", "format_version"), 1);
    EXPECT_EQ(physics_fields_of(dataset).size(), 3U);
}

TEST(ResidualGasSaturation, MakesVersionTwoAndReachesThePhysics) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    write_dataset(path, trapping({0.0F, 0.25F, 0.5F}));
    EXPECT_EQ(h5::File::open(path).integer("/", "format_version"), 2);
    EXPECT_THAT(validate(path), IsEmpty());
    const Dataset dataset(path);
    EXPECT_FALSE(radial_case(dataset, 0).has_hysteresis());
    EXPECT_TRUE(radial_case(dataset, 1).has_hysteresis());
    EXPECT_EQ(radial_case(dataset, 1).residual_gas_saturation, 0.25);
    EXPECT_EQ(radial_case(dataset, 1).rock_fluid.residual_gas_saturation, 0.05);  // of drainage
    EXPECT_THAT(physics_fields_of(dataset), Contains("physics_trapped_gas_saturation"));
}

TEST(ResidualGasSaturation, IsRefusedInVersionOne) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    write_dataset(path, trapping({0.0F, 0.25F, 0.5F}));
    const std::string old = with_version(folder, path, 1);
    const std::vector<Violation> found = validate(old);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].problem, HasSubstr("format_version is 1, but there is /inputs/residual_gas_saturation"));
    EXPECT_EQ(found[0].remedy, "set it to the integer 2");
    EXPECT_THROW(Dataset{old}, InvalidData);
}

TEST(ResidualGasSaturation, IsRefusedBeyondItsRangeAndBesideTheWater) {
    DatasetContent content = trapping({0.0F, 0.6F, -0.1F});
    std::vector<std::string> problems;
    for (const Violation& violation : validate(views_of(content))) {
        problems.push_back(violation.path + ": " + violation.problem);
    }
    EXPECT_THAT(problems,
                ElementsAre(HasSubstr("/inputs/residual_gas_saturation: case 1: value 0.6 lies outside 0 to 0.5"),
                            HasSubstr("/inputs/residual_gas_saturation: case 2: value -0.1 lies outside 0 to 0.5")));
    content = trapping({0.0F, 0.45F, 0.0F});
    content.arrays["irreducible_water_saturation"] = {0.6F, 0.6F, 0.6F};
    const std::vector<Violation> found = validate(views_of(content));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].problem, HasSubstr("case 1: it leaves no room beside the irreducible water"));
}

TEST(ResidualGasSaturation, LiesOutsideTheTrainingOfModelsWithoutHysteresis) {
    const DatasetContent content = trapping({0.0F, 0.2F, 0.3F});
    InputRanges ranges({{"temperature", Range{0.0, 200.0, "degC"}}});
    ranges.include_unstated();
    const std::vector<std::int64_t> all = {0, 1, 2};
    const std::vector<OutOfRange> found = ranges.outside(Dataset(views_of(content)), all);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].field, "residual_gas_saturation");
    EXPECT_EQ(found[0].which, 1);
}

}  // namespace
}  // namespace plumecast
