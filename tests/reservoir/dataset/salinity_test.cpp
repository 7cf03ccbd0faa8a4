#include <limits>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/units.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::sample_content;
using testing::ScratchFolder;

/// A data set whose salinity stands in mol of NaCl per kg of water.
std::string write_molalities(const ScratchFolder& folder, const std::string& name, std::vector<float> molalities) {
    DatasetContent content = sample_content();
    content.arrays["salinity"] = std::move(molalities);
    const std::string plain = folder.file("plain_" + name), path = folder.file(name);
    write_dataset(plain, content);
    const h5::File from = h5::File::open(plain);
    h5::File file = h5::File::create(path);
    file.copy_attributes(from, "/", {});
    for (const std::string& array : from.arrays()) {
        file.copy_array(from, array);
        file.set_text(array, "long_name", "x");
        file.set_text(array, "units", array == "/inputs/salinity" ? "mol/kg" : from.text(array, "units").value_or(""));
    }
    file.close();
    return path;
}

TEST(Salinity, IsThatOfFreshWaterWhereAFileHasNone) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    EXPECT_FALSE(dataset.has("salinity"));
    EXPECT_THAT(dataset.scalar("salinity"), ElementsAre(0.0F, 0.0F, 0.0F));
    EXPECT_EQ(radial_case(dataset, 1).salinity, 0.0);
}

TEST(Salinity, OfACaseReachesItsPhysics) {
    DatasetContent content = sample_content();
    content.arrays["salinity"] = {0.0F, 0.125F, 0.25F};
    EXPECT_EQ(radial_case(Dataset(views_of(content)), 1).salinity, 0.125);
}

TEST(Salinity, IsChosenByInTheUnitOfTheFile) {
    const ScratchFolder folder;
    SubsetOptions options;
    options.source = write_molalities(folder, "a.h5", {0.0F, 0.6F, 5.0F});
    options.output = folder.file("chosen.h5");
    options.where = {{"salinity", 0.6, 4.0}};
    EXPECT_EQ(subset_dataset(options).files[0].cases, 1);
    EXPECT_THAT(h5::File::open(options.output).read<float>("/inputs/salinity"), ElementsAre(0.6F));
    options.where = {{"salinity", -1.0, std::numeric_limits<double>::infinity()}};
    EXPECT_EQ(subset_dataset(options).files[0].cases, 3);
}

TEST(Salinity, MayBeStatedAsMolality) {
    const ScratchFolder folder;
    const std::string path = write_molalities(folder, "a.h5", {0.0F, 1.0F, 5.0F});
    const auto expected =
        ElementsAre(0.0F, FloatEq(static_cast<float>(salinity_of(1.0))), FloatEq(static_cast<float>(salinity_of(5.0))));
    EXPECT_THAT(validate(path), IsEmpty());
    EXPECT_THAT(Dataset(path).scalar("salinity"), expected);
    DatasetContent content = sample_content();
    content.arrays["salinity"] = {0.0F, 1.0F, 5.0F};
    MemoryCases cases = views_of(content);
    cases.arrays["salinity"].unit = "mol/kg";
    EXPECT_THAT(Dataset(cases).scalar("salinity"), expected);
    EXPECT_NEAR(molality_of(salinity_of(3.0)), 3.0, 1e-12);
}

TEST(Salinity, IsRefusedBeyondItsRangeAndInOtherUnits) {
    DatasetContent content = sample_content();
    content.arrays["salinity"] = {0.0F, 0.3F, -0.1F};
    MemoryCases cases = views_of(content);
    std::vector<std::string> problems;
    for (const Violation& violation : validate(cases)) {
        problems.push_back(violation.path + ": " + violation.problem);
    }
    EXPECT_THAT(problems, ElementsAre(HasSubstr("/inputs/salinity: case 1: value 0.3 lies outside 0 to 0.25"),
                                      HasSubstr("/inputs/salinity: case 2: value -0.1 lies outside 0 to 0.25")));
    cases.arrays["salinity"].unit = "ppm";
    EXPECT_THROW(Dataset{cases}, InvalidData);
    const ScratchFolder folder;
    const std::vector<Violation> found = validate(write_molalities(folder, "a.h5", {0.0F, 7.0F, 1.0F}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].problem, HasSubstr("case 1: value 0.29"));
}

TEST(Salinity, GoesWithItsUnitThroughSplitSubsetAndMerge) {
    const ScratchFolder folder;
    const std::string path = write_molalities(folder, "a.h5", {0.0F, 1.0F, 5.0F});
    SubsetOptions options;
    options.source = path;
    options.output = folder.file("b.h5");
    options.cases = {{1, 2}};
    subset_dataset(options);
    const Dataset part(options.output);
    EXPECT_FLOAT_EQ(part.scalar("salinity")[0], static_cast<float>(salinity_of(1.0)));
    MergeOptions merge;
    merge.sources = {path, options.output};
    merge.output = folder.file("c.h5");
    merge.duplicates = Duplicates::keep;
    merge_datasets(merge);
    EXPECT_FLOAT_EQ(Dataset(merge.output).scalar("salinity")[4], static_cast<float>(salinity_of(5.0)));
    merge.sources = {path, folder.file("plain_a.h5")};  // the same numbers as mass fractions
    try {
        merge_datasets(merge);
        FAIL() << "units that differ";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("/inputs/salinity is not in the unit of the first file, mol/kg"));
    }
    EXPECT_EQ(dataset_statistics(path).arrays.size(), dataset_statistics(folder.file("c.h5")).arrays.size());
}

TEST(Salinity, LiesOutsideTheTrainingOfModelsThatKnewFreshWaterAlone) {
    DatasetContent content = sample_content();
    content.arrays["salinity"] = {0.0F, 0.1F, 0.2F};
    const Dataset salty(views_of(content));
    const std::vector<std::int64_t> all = {0, 1, 2};
    InputRanges ranges({{"temperature", Range{0.0, 200.0, "degC"}}});
    ranges.include_unstated();
    const std::vector<OutOfRange> found = ranges.outside(salty, all);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].field, "salinity");
    EXPECT_EQ(found[0].which, 1);
    EXPECT_NEAR(share_outside(0.0, 0.0, found[0].value, 0.25), 0.4, 1e-6);
    InputRanges trained_on_brine({{"salinity", Range{0.05, 0.2, "1"}}});
    trained_on_brine.include_unstated();
    const DatasetContent without = sample_content();
    const Dataset fresh(views_of(without));
    EXPECT_EQ(trained_on_brine.outside(fresh, all).size(), 3U);
    InputRanges unknown;
    unknown.include_unstated();
    EXPECT_TRUE(unknown.ranges().empty());
}

}  // namespace
}  // namespace plumecast
