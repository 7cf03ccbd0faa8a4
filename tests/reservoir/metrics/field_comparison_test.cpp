
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/field_comparison.hpp"
#include "reservoir/metrics/mass_balance.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FieldComparisonTest : public ::testing::Test {
   protected:
    Dataset written(const std::string& name, const DatasetContent& content) const {
        write_dataset(folder_.file(name), content);
        return Dataset(folder_.file(name));
    }
    std::string refusal(const DatasetContent& other) const {
        try {
            compare_fields(written("fields.h5", other), written("truth.h5", sample_content()), {});
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    }

    ScratchFolder folder_;
};

TEST_F(FieldComparisonTest, ComparesActiveCellsOfTheOutputsThatBothHold) {
    DatasetContent other = sample_content();
    other.arrays["dissolved_co2"] = std::vector<float>(other.arrays["gas_saturation"].size(), 1.0F);
    for (float& value : other.arrays["pressure_buildup"]) {
        value += 0.5F;  // in inactive cells too, where it must not count
    }
    for (float& value : other.arrays["gas_saturation"]) {
        value *= 1.25F;
    }
    const auto found = compare_fields(written("fields.h5", other), written("truth.h5", sample_content()), {});
    ASSERT_EQ(found.fields.size(), 2U);
    EXPECT_EQ(found.fields[0].name, "gas_saturation");
    EXPECT_EQ(found.fields[1].name, "pressure_buildup");
    EXPECT_EQ(found.fields[1].unit, "bar");
    ASSERT_EQ(found.fields[0].errors.cases().size(), 3U);
    EXPECT_NEAR(found.fields[1].errors.mean().mae, 0.5, 1e-6);
    EXPECT_NEAR(found.fields[0].errors.cases()[2].relative_l2, 0.25, 1e-6);
    EXPECT_NEAR(found.fields[0].errors.cases()[1].mass_error, 0.25, 1e-6);
    EXPECT_EQ(found.fields[1].errors.cases()[1].mass_error, 0.0);
}

TEST_F(FieldComparisonTest, TakesTheLargestValueOfEachTimeForTheRelativeError) {
    DatasetContent truth = sample_content(), other = sample_content();
    std::vector<float>& simulated = truth.arrays["pressure_buildup"];
    for (std::size_t i = 0; i < simulated.size(); ++i) {
        simulated[i] = static_cast<float>(1 + i / 20 % 3);  // 1, 2 and 3 bar at the three times
        other.arrays["pressure_buildup"][i] = simulated[i] + 0.6F;
    }
    const auto found = compare_fields(written("fields.h5", other), written("truth.h5", truth), {});
    EXPECT_NEAR(found.fields[1].errors.cases()[0].mre, 0.6 * (1.0 + 0.5 + 1.0 / 3.0) / 3.0, 1e-6);
}

TEST_F(FieldComparisonTest, ComparesBoxes) {
    const auto found =
        compare_fields(written("fields.h5", cartesian_content()), written("truth.h5", cartesian_content()), {});
    ASSERT_FALSE(found.fields.empty());
    EXPECT_EQ(found.fields[0].errors.mean().mae, 0.0);
    EXPECT_EQ(found.fields[0].errors.mean().r2, 1.0);
}

TEST_F(FieldComparisonTest, WeighsGasByThePoreVolumesOfTheCase) {
    DatasetContent aquifer = cartesian_content(), stated = cartesian_content();
    aquifer.attributes["aquifer_factor"] = "1000";
    stated.arrays["pore_volume"].assign(stated.arrays["porosity"].size(), 2.0F);
    stated.arrays["pore_volume"][5] = 1e6F;
    for (DatasetContent& content : {std::ref(aquifer), std::ref(stated)}) {
        std::ranges::fill(content.arrays["gas_saturation"], 0.25F);
        const Dataset truth = written("truth.h5", content);
        content.arrays["gas_saturation"][24 + 5] = 0.5F;  // case 0, the last of two times, a cell within the box
        const std::vector<double> pores = case_inputs(truth, 0).pore_volumes;
        const auto found = compare_fields(written("fields.h5", content), truth, {});
        EXPECT_NEAR(found.fields[0].errors.cases()[0].mass_error,
                    pores[5] / std::accumulate(pores.begin(), pores.end(), 0.0), 1e-6);
        EXPECT_EQ(pore_volumes(truth, 0), pores);
    }
}

/// The sample without values of some of its three cases, also in inactive cells.
DatasetContent without_values(const std::vector<std::size_t>& cases) {
    DatasetContent content = sample_content();
    for (const char* name : {"gas_saturation", "pressure_buildup"}) {
        std::vector<float>& values = content.arrays[name];
        const std::size_t each = values.size() / 3;
        for (const std::size_t which : cases) {
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(which * each), each, std::nanf(""));
        }
    }
    return content;
}

TEST_F(FieldComparisonTest, LeavesOutCasesWithoutValues) {
    const Dataset truth = written("truth.h5", sample_content());
    const auto all = compare_fields(truth, truth, {});
    const auto found = compare_fields(written("fields.h5", without_values({1})), truth, {});
    EXPECT_THAT(found.cases, ElementsAre(0, 2));
    EXPECT_THAT(found.skipped, ElementsAre(1));
    EXPECT_THAT(all.skipped, IsEmpty());
    ASSERT_EQ(found.fields[0].errors.cases().size(), 2U);
    EXPECT_EQ(found.fields[0].errors.mean().mae, 0.0);
    EXPECT_EQ(found.fields[1].errors.mean().r2, 1.0);
}

TEST_F(FieldComparisonTest, LeavesOutCasesWithoutInjection) {
    DatasetContent content = sample_content();
    content.arrays["injection_rate"][1] = 0.0F;
    const Dataset truth = written("truth.h5", content);
    const auto found = compare_fields(truth, truth, {});
    EXPECT_THAT(found.cases, ElementsAre(0, 2));
    EXPECT_THAT(found.without_injection, ElementsAre(1));
    EXPECT_THAT(found.skipped, IsEmpty());
    EXPECT_EQ(found.fields[0].errors.cases().size(), 2U);
    EXPECT_THAT(compare_fields(truth, truth, {}, WithoutInjection::compare).cases, ElementsAre(0, 1, 2));
    content.arrays["injection_rate"] = {0.0F, 0.0F, 0.0F};
    const Dataset idle = written("idle.h5", content);
    EXPECT_THROW(compare_fields(idle, idle, {}), InvalidData);
}

TEST_F(FieldComparisonTest, KeepsACaseThatHasSomeValues) {
    DatasetContent some = sample_content();
    std::vector<float>& values = some.arrays["pressure_buildup"];
    std::fill_n(values.begin(), values.size() / 3, std::nanf(""));
    const auto found = compare_fields(written("fields.h5", some), written("truth.h5", sample_content()), {});
    EXPECT_THAT(found.skipped, IsEmpty());
    EXPECT_TRUE(std::isnan(found.fields[1].errors.mean().mae));
}

TEST_F(FieldComparisonTest, RefusesAFileWithoutAnyValues) {
    const Dataset fields = written("fields.h5", without_values({0, 1, 2}));
    EXPECT_THROW(compare_fields(fields, written("truth.h5", sample_content()), {}), InvalidData);
}

TEST_F(FieldComparisonTest, RefusesFilesOfOtherCases) {
    DatasetContent other = sample_content();
    other.arrays["porosity"][20] += 0.01F;
    EXPECT_THAT(refusal(other), HasSubstr("the inputs of case 1 differ"));
    other = sample_content();
    other.times.back() = 200.0;
    EXPECT_THAT(refusal(other), HasSubstr("the times differ"));
    other = sample_content();
    other.r_edges.back() = 120.0;
    EXPECT_THAT(refusal(other), HasSubstr("the cells of the grid differ"));
    other = sample_content();
    other.arrays.erase("gas_saturation");
    other.arrays.erase("pressure_buildup");
    EXPECT_THAT(refusal(other), HasSubstr("no array of /outputs is in both"));
}

TEST_F(FieldComparisonTest, TakesAGridThatIsStoredInSinglePrecision) {
    DatasetContent other = sample_content();
    for (std::vector<double>* axis : {&other.r_edges, &other.z_edges, &other.times}) {
        for (double& value : *axis) {
            value = static_cast<double>(static_cast<float>(value * 1.0000001));
        }
    }
    EXPECT_EQ(refusal(other), "");
}

TEST_F(FieldComparisonTest, StopsWhenAsked) {
    const Dataset one = written("fields.h5", sample_content());
    EXPECT_FALSE(compare_fields(one, one, [](std::int64_t done, std::int64_t) { return done < 2; }).is_complete);
}

}  // namespace
}  // namespace plumecast::testing
