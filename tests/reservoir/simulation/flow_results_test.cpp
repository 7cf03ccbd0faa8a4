#include "reservoir/simulation/flow_results.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/record_bytes.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Output of a simulation with two cells and two snapshots, on days 1 and 10.
class FlowResultsTest : public TemporaryFolder {
   protected:
    std::string step(int number, double day, double pressure) const {
        return integers("SEQNUM", {number}) + doubles("DOUBHEAD", {day, 0.1}) + record_header("STARTSOL", 0, "MESS") +
               doubles("PRESSURE", {pressure, pressure + 1.0}) + doubles(ratio_, {0.1, 0.2}) +
               doubles("SGAS", {0.3, 0.0}) + doubles("1OVERBG", {300.0, 310.0}) + doubles(brine_volume_, {0.9, 0.8}) +
               capillary_pressure_ + record_header("ENDSOL", 0, "MESS");
    }
    static std::string ministep(float day, float injected, std::vector<float> pressures = {130.0F, 140.0F},
                                std::vector<float> rates = {5.0F, 0.0F}) {
        return integers("MINISTEP", {0}) +
               reals("PARAMS", {day, pressures[0], pressures[1], rates[0], rates[1], injected});
    }
    void write_all() {
        write(folder_ / "CASE.INIT", reals("PORV", {5.0F, 6.0F}));
        write(folder_ / "CASE.UNRST", step(0, 0.0, 100.0) + step(1, 1.0, 110.0) + step(2, 10.0, 120.0));
        write(folder_ / "CASE.SMSPEC", texts("KEYWORDS", {"TIME", "WBHP", "WBHP", "WGIR", "WGIR", "FGIT"}));
        write(folder_ / "CASE.UNSMRY", ministep(0.5F, 1.0F) + ministep(1.0F, 2.0F) + ministep(10.0F, 20.0F));
    }
    std::string error() {
        try {
            read_flow_results(folder_, 2, times_);
        } catch (const InvalidData& problem) {
            return problem.what();
        }
        return "";
    }
    const std::vector<double> times_ = {1.0, 10.0};
    std::string ratio_ = "RS", brine_volume_ = "1OVERBO", capillary_pressure_;
};

TEST_F(FlowResultsTest, ReadsPoreVolumesFieldsAndInjection) {
    write_all();
    const FlowResults results = read_flow_results(folder_, 2, times_);
    EXPECT_THAT(results.pore_volume, ElementsAre(5.0, 6.0));
    EXPECT_THAT(results.initial_pressure, ElementsAre(100.0, 101.0));
    ASSERT_EQ(results.snapshots.size(), 2u);
    EXPECT_THAT(results.snapshots[1].pressure, ElementsAre(120.0, 121.0));
    EXPECT_THAT(results.snapshots[1].gas_saturation, ElementsAre(0.3, 0.0));
    EXPECT_THAT(results.snapshots[1].dissolved_ratio, ElementsAre(0.1, 0.2));
    EXPECT_THAT(results.snapshots[1].inverse_gas_volume, ElementsAre(300.0, 310.0));
    EXPECT_THAT(results.snapshots[1].inverse_brine_volume, ElementsAre(0.9, 0.8));
    EXPECT_EQ(results.snapshots[0].injected, 2.0);
    EXPECT_EQ(results.snapshots[1].injected, 20.0);
}

TEST_F(FlowResultsTest, LeavesOutPoreVolumesOfInactiveCells) {
    write_all();
    write(folder_ / "CASE.INIT", reals("PORV", {0.0F, 5.0F, 0.0F, 6.0F}));
    EXPECT_THAT(read_flow_results(folder_, 2, times_).pore_volume, ElementsAre(5.0, 6.0));
    write(folder_ / "CASE.INIT", reals("PORV", {4.0F, 5.0F, 0.0F, 6.0F}));
    EXPECT_THAT(error(), HasSubstr("3 cells have pore volume, 2 are active in the case"));
}

TEST_F(FlowResultsTest, ReadsTheHighestPressureOfTheWellsThatInject) {
    write_all();
    EXPECT_EQ(read_flow_results(folder_, 2, times_).snapshots[0].bottom_hole_pressure, 130.0);
    write(folder_ / "CASE.UNSMRY", ministep(1.0F, 2.0F, {130.0F, 140.0F}, {5.0F, 5.0F}) +
                                       ministep(10.0F, 20.0F, {130.0F, 140.0F}, {0.0F, 0.0F}));
    const FlowResults results = read_flow_results(folder_, 2, times_);
    EXPECT_EQ(results.snapshots[0].bottom_hole_pressure, 140.0);
    EXPECT_TRUE(std::isnan(results.snapshots[1].bottom_hole_pressure));
}

TEST_F(FlowResultsTest, ReadsBrineThatIsTheWaterPhase) {
    ratio_ = "RSW";
    brine_volume_ = "1OVERBW";
    capillary_pressure_ = doubles("PCGW", {0.5, 0.25});
    write_all();
    const FlowResults results = read_flow_results(folder_, 2, times_);
    EXPECT_THAT(results.snapshots[1].dissolved_ratio, ElementsAre(0.1, 0.2));
    EXPECT_THAT(results.snapshots[1].inverse_brine_volume, ElementsAre(0.9, 0.8));
    EXPECT_THAT(results.snapshots[1].pressure, ElementsAre(119.5, 120.75));
    EXPECT_THAT(results.initial_pressure, ElementsAre(99.5, 100.75));
}

TEST_F(FlowResultsTest, NamesWhatIsMissing) {
    write_all();
    write(folder_ / "CASE.UNRST", step(0, 0.0, 100.0) + step(1, 1.0, 110.0));
    EXPECT_THAT(error(), HasSubstr("2 report steps of 3"));
    write(folder_ / "CASE.UNRST", step(0, 0.0, 100.0) + step(1, 1.0, 110.0) + step(2, 9.0, 120.0));
    EXPECT_THAT(error(), HasSubstr("report step 2 is of day 9"));
    write(folder_ / "CASE.UNRST", integers("SEQNUM", {0}) + doubles("PRESSURE", {1.0, 2.0, 3.0}));
    EXPECT_THAT(error(), HasSubstr("PRESSURE (DOUB, 3 values) is not of 2 cells"));
    write(folder_ / "CASE.UNRST", integers("SEQNUM", {0}) + doubles("PRESSURE", {1.0, 2.0}));
    EXPECT_THAT(error(), HasSubstr("a field is missing"));
    write_all();
    write(folder_ / "CASE.SMSPEC", texts("KEYWORDS", {"TIME"}));
    EXPECT_THAT(error(), HasSubstr("no vector FGIT"));
    write(folder_ / "CASE.INIT", "");
    EXPECT_THAT(error(), HasSubstr("no PORV"));
}

TEST_F(FlowResultsTest, TakesTheStepThatEndsAtASnapshotAndNotTheOneRightAfter) {
    write_all();
    write(folder_ / "CASE.UNSMRY", ministep(0.99995F, 1.9F) + ministep(1.0F, 2.0F) +
                                       ministep(1.00005F, 2.5F, {150.0F, 160.0F}, {6.0F, 0.0F}) +
                                       ministep(10.0F, 20.0F) + ministep(10.0005F, 20.0F, {0.0F, 0.0F}, {0.0F, 0.0F}));
    const FlowResults results = read_flow_results(folder_, 2, times_);
    EXPECT_EQ(results.snapshots[0].injected, 2.0);
    EXPECT_EQ(results.snapshots[0].bottom_hole_pressure, 130.0);
    EXPECT_EQ(results.snapshots[1].injected, 20.0);
    EXPECT_EQ(results.snapshots[1].bottom_hole_pressure, 130.0);
}

TEST_F(FlowResultsTest, ReportsAMissingFile) { EXPECT_THROW(read_flow_results(folder_, 2, times_), IoError); }

}  // namespace
}  // namespace plumecast::testing
