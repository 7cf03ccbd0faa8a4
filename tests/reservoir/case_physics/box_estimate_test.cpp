#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BoxEstimate : public ::testing::Test {
   protected:
    ScratchFolder folder_;
    std::string input_ = repository_folder() + "/data/box_sample.h5", output_ = folder_.file("fields.h5");
};

std::vector<float> field(const Dataset& dataset, const std::string& name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
    dataset.read_output(name, {&which, 1}, values);
    return values;
}

/// Mean difference of two build-ups over the largest of the second.
double relative_error(const std::vector<float>& found, const std::vector<float>& expected) {
    double sum = 0.0, cells = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!std::isnan(found[i])) {
            sum += std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
            cells += 1.0;
            largest = std::max(largest, static_cast<double>(expected[i]));
        }
    }
    return sum / (cells * largest);
}

TEST_F(BoxEstimate, IsNearTheSimulator) {
    std::vector<PhysicsErrors> errors;
    EstimateOptions options;
    options.expected_errors = [&](std::int64_t, const PhysicsErrors& of_case) { errors.push_back(of_case); };
    ASSERT_TRUE(estimate(input_, output_, options));
    const Dataset fields(output_), simulated(input_);
    EXPECT_THAT(fields.outputs(), ElementsAre("gas_saturation", "pressure_buildup", "dissolved_co2"));
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        const std::vector<float> found = field(fields, "gas_saturation", which);
        const std::vector<float> expected = field(simulated, "gas_saturation", which);
        double sum = 0.0, cells = 0.0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!std::isnan(found[i]) && std::max(found[i], expected[i]) > 0.01F) {
                sum += std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
                cells += 1.0;
            }
        }
        EXPECT_GT(cells, 100.0);
        EXPECT_LT(sum / cells, 0.015) << "case " << which;
        EXPECT_LT(relative_error(field(fields, "pressure_buildup", which), field(simulated, "pressure_buildup", which)),
                  0.006)
            << "case " << which;
        const PhysicsErrors& of_case = errors.at(static_cast<std::size_t>(which));
        EXPECT_TRUE(of_case.is_box);
        EXPECT_GT(of_case.gas_saturation, 0.5);  // errors of about 0.01, which are usual ones
        EXPECT_LT(of_case.gas_saturation, 2.0);
        EXPECT_GT(of_case.step_change, 1e-3);
        EXPECT_LT(of_case.step_change, 0.1);
    }
}

TEST_F(BoxEstimate, WritesBottomHolePressures) {
    ASSERT_TRUE(estimate(input_, output_, {}));
    const h5::File file = h5::File::open(output_);
    EXPECT_THAT(file.info("/case/bottom_hole_pressure").extents, ElementsAre(4, 6));
    const Dataset fields(output_);
    for (std::int64_t which = 0; which < 4; ++which) {
        const auto pressures = file.read<float>("/case/bottom_hole_pressure");
        const float initial = fields.scalar("initial_pressure")[static_cast<std::size_t>(which)];
        for (std::int64_t time = 0; time < 6; ++time) {
            const float pressure = pressures[static_cast<std::size_t>(which * 6 + time)];
            EXPECT_GT(pressure, initial);
            EXPECT_LT(pressure, initial + 250.0F);
        }
    }
}

TEST_F(BoxEstimate, TakesTheRatesOfEachWellFromASchedule) {
    const Dataset dataset(input_);
    BoxCase box = box_case(dataset, 0);
    EXPECT_EQ(box.aquifer, 1000.0);
    const std::vector<BoxCaseWell> wells = box_wells(box);
    const PhysicsSettings settings{1};
    const PhysicsFields constant = box_physics(box, settings, "case 0");
    box.schedule_ends = {1e6};
    for (const BoxCaseWell& well : wells) {
        box.schedule_rates.push_back({well.injection_rate});
    }
    EXPECT_EQ(box_physics(box, settings, "case 0").fields, constant.fields);
    box.schedule_rates.push_back({0.0});  // of a well that other cases of a file have
    EXPECT_EQ(box_physics(box, settings, "case 0").fields, constant.fields);
    box.schedule_rates.back() = {0.1};
    EXPECT_THROW(box_physics(box, settings, "case 0"), InvalidInput);
    box.schedule_rates.resize(wells.size() - 1);
    EXPECT_THROW(box_physics(box, settings, "case 0"), InvalidInput);
}

/// Two wells, one in the place of the other: what both inject never changes.
DatasetContent relieving_wells(std::vector<float> first, const std::vector<float>& second) {
    DatasetContent content = cartesian_content();
    content.arrays["irreducible_water_saturation"] = {0.2F, 0.2F};
    content.arrays["van_genuchten_lambda"] = {0.5F, 0.5F};
    content.arrays.erase("injection_rate");
    std::vector<float>& means = content.arrays["cell_injection_rate"];
    for (float& rate : means) {
        rate = rate > 0.0F ? 0.001F : 0.0F;
    }
    content.schedule_ends = {100.0, 200.0, 400.0};
    content.wells = 2;
    first.insert(first.end(), second.begin(), second.end());
    std::vector<float>& rates = content.arrays["schedule_rate"];
    for (int which = 0; which < 2; ++which) {
        rates.insert(rates.end(), first.begin(), first.end());
    }
    return content;
}

TEST_F(BoxEstimate, FollowsWellsWhoseRatesAddUpToAConstant) {
    const std::string path = folder_.file("wells.h5"), other = folder_.file("other.h5");
    write_dataset(path, relieving_wells({0.002F, 0.002F, 0.0F}, {0.0F, 0.0F, 0.002F}));
    write_dataset(other, relieving_wells({0.0F, 0.0F, 0.002F}, {0.002F, 0.002F, 0.0F}));
    const Dataset dataset(path);
    const BoxCase box = box_case(dataset, 0);
    ASSERT_EQ(box.schedule_rates.size(), 2U);
    EXPECT_THAT(box.schedule_rates[0], ElementsAre(0.002F, 0.002F, 0.0F));
    EXPECT_NE(case_fingerprint(dataset, 0), case_fingerprint(Dataset(other), 0));
    const PhysicsSettings settings{1};
    const PhysicsFields fields = box_physics(box, settings, "case 0");
    EXPECT_NE(fields.fields, box_physics(box_case(Dataset(other), 0), settings, "case 0").fields);
    BoxCase joined = box;  // at the first end no rate changes
    joined.schedule_ends.erase(joined.schedule_ends.begin());
    for (std::vector<double>& rates : joined.schedule_rates) {
        rates.erase(rates.begin());
    }
    EXPECT_EQ(box_physics(joined, settings, "case 0").fields, fields.fields);
}

TEST_F(BoxEstimate, RefusesOtherVersionsOfThePhysics) {
    EstimateOptions options;
    options.settings = {1, 2};
    try {
        estimate(input_, output_, options);
        FAIL() << "version 2 was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("physics.version is 2 (this program has version "));
    }
}

}  // namespace
}  // namespace plumecast::testing
