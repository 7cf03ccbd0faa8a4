#include "reservoir/metrics/well_curves.hpp"

#include <gtest/gtest.h>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

/// Two columns of a cell each, with a well in each that is at rest or takes next to nothing.
CaseFields two_wells() {
    CaseFields fields;
    const std::vector<double> x_edges{0.0, 100.0, 200.0}, y_edges{0.0, 100.0}, z_edges{0.0, 10.0};
    const std::vector<std::size_t> wells{0, 1};
    fields.geometry = box_geometry(x_edges, y_edges, z_edges, wells);
    fields.active = {1.0F, 1.0F};
    fields.gas_saturation = {0.0F, 0.0F, 0.3F, 0.2F};
    fields.pressure_buildup = {1.0F, 2.0F, 3.0F, 4.0F};
    fields.initial_pressures = {100.0, 110.0};
    fields.temperature = fields.well_fluids.temperature = 50.0;
    fields.injection_rate = 1e-9;
    fields.wells = {{{{0, 10.0, 5.0}}, 0.25, {}}, {{{1, 10.0, 5.0}}, 0.75, {}}};
    return fields;
}

TEST(WellCurves, HaveRateAndPressureOfEachWell) {
    const std::vector<double> times{100.0, 200.0};
    const std::vector<WellCurve> curves = well_curves(two_wells(), times);
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_EQ(curves[0].column, 0U);
    EXPECT_EQ(curves[1].column, 1U);
    EXPECT_NEAR(curves[0].rates[1], 0.25e-9, 1e-15);
    EXPECT_NEAR(curves[1].rates[1], 0.75e-9, 1e-15);
    EXPECT_NEAR(curves[0].bottom_hole[0], 101.0, 1e-4);
    EXPECT_NEAR(curves[1].bottom_hole[0], 112.0, 1e-4);
    EXPECT_NEAR(curves[0].bottom_hole[1], 103.0, 1e-4);
    EXPECT_NEAR(curves[1].bottom_hole[1], 114.0, 1e-4);
}

TEST(WellCurves, TakeTheRatesOfTheirSchedules) {
    CaseFields fields = two_wells();
    fields.wells[1].rates = {1e9 / 365.25, 0.0};  // [kg/day]
    fields.wells[0].rates = {0.0, 0.0};
    fields.wells[1].injected = {0.1, 0.2};  // [Mt]
    fields.wells[0].injected = {0.0, 0.0};
    const std::vector<double> times{100.0, 200.0};
    const std::vector<WellCurve> curves = well_curves(fields, times);
    EXPECT_NEAR(curves[1].rates[0], 1.0, 1e-12);
    EXPECT_EQ(curves[1].rates[1], 0.0);
    EXPECT_GT(curves[1].bottom_hole[0], 112.0);
    EXPECT_NEAR(curves[1].bottom_hole[1], 114.0, 1e-9);
    EXPECT_NEAR(curves[0].bottom_hole[0], 101.0, 1e-9);
}

TEST(WellCurves, CountWhatWasInjectedBetweenTheTimes) {
    const testing::ScratchFolder folder;
    DatasetContent content = testing::cartesian_content();  // at 30 and 365 days
    content.arrays.erase("injection_rate");
    content.schedule_ends = {10.0, 20.0, 400.0};
    content.wells = 2;
    content.arrays["schedule_rate"] = {2.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F, 2.0F, 0.0F, 2.0F, 0.0F, 0.0F};
    for (float& mean : content.arrays["cell_injection_rate"]) {
        mean = mean > 0.0F ? 0.05F : 0.0F;
    }
    write_dataset(folder.file("wells.h5"), content);
    const CaseFields fields = case_with_wells(Dataset(folder.file("wells.h5")), 0);
    ASSERT_EQ(fields.wells.size(), 2U);
    for (const CaseWell& well : fields.wells) {
        EXPECT_EQ(well.rates[0], 0.0);
        EXPECT_NEAR(well.injected[0], 20.0 / 365.25, 1e-6);
    }
}

TEST(WellCurves, KeepThoseOfOthersBesideAWellThatNeverInjects) {
    const testing::ScratchFolder folder;
    DatasetContent content = testing::cartesian_content();
    content.arrays.erase("injection_rate");
    content.schedule_ends = {20.0, 400.0};
    content.wells = 2;
    content.arrays["schedule_rate"] = {2.0F, 0.0F, 0.0F, 2.0F, 2.0F, 0.0F, 0.0F, 2.0F};
    const auto wells = [&] {
        write_dataset(folder.file("wells.h5"), content);
        return case_with_wells(Dataset(folder.file("wells.h5")), 0).wells;
    };
    ASSERT_EQ(wells().size(), 2U);
    content.arrays["perforation"][5] = 1.0F;  // a column between those of the others
    ASSERT_EQ(wells().size(), 3U);
    EXPECT_NEAR(wells()[0].injected[0], 40.0 / 365.25, 1e-6);
    EXPECT_EQ(wells()[1].injected[1], 0.0);
    EXPECT_NEAR(wells()[2].injected[0], 20.0 / 365.25, 1e-6);
    content.arrays["cell_injection_rate"][5] = 0.01F;  // three inject, and two have a rate
    EXPECT_TRUE(wells().empty());
}

}  // namespace
}  // namespace plumecast
