
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

#include "reservoir/dataset/cases/case_inputs.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

TEST(CaseInputs, HoldMapsAndScalarsOfTheCase) {
    const ScratchFolder folder;
    const Dataset dataset(write_sample(folder));
    const std::int64_t which = 2;
    const CaseInputs inputs(dataset, which);
    std::vector<float> porosity(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map("porosity", {&which, 1}, porosity);
    EXPECT_EQ(inputs.map("porosity"), porosity);
    EXPECT_EQ(inputs.scalar("temperature"), 90.0F);
}

TEST(CaseInputs, RefuseAMapThatTheFileDoesNotHave) {
    const ScratchFolder folder;
    const Dataset dataset(write_sample(folder));
    EXPECT_THROW(CaseInputs(dataset, 0).map("permeability_x"), InvalidData);
}

TEST(CaseInputs, WidenRangesLikeTheDataSetThatTheyAreOf) {
    const ScratchFolder folder;
    const Dataset dataset(write_sample(folder));
    const std::vector<std::int64_t> both{0, 2};
    InputRanges ranges;
    ranges.include(CaseInputs(dataset, 0));
    ranges.include(CaseInputs(dataset, 2));
    EXPECT_EQ(ranges, InputRanges::over(dataset, both));
}

}  // namespace
}  // namespace plumecast::testing
