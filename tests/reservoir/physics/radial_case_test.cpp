#include <plumecast/reservoir/physics/radial_case.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

/// Message of the error that check() throws; empty where it passes.
std::string refusal(const RadialCase& radial) {
    try {
        radial.check("cases.h5: case 7");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(InjectionSchedule, HasTheRateOfThePeriodThatADayLiesInOrEnds) {
    const InjectionSchedule schedule{{10.0, 30.0}, {1.0, 2.0}};
    EXPECT_EQ(schedule.rate(0.0), 1.0);
    EXPECT_EQ(schedule.rate(10.0), 1.0);
    EXPECT_EQ(schedule.rate(10.5), 2.0);
    EXPECT_EQ(schedule.rate(30.0), 2.0);
    EXPECT_EQ(schedule.rate(30.5), 0.0);
    EXPECT_EQ(schedule.largest_rate(), 2.0);
    EXPECT_EQ(InjectionSchedule{}.largest_rate(), 0.0);
}

TEST(InjectionSchedule, HasInjectedWhatItsPeriodsAmountTo) {
    const InjectionSchedule schedule{{365.25, 730.5, 1461.0}, {1.0, 0.0, 0.5}};
    EXPECT_EQ(schedule.injected(0.0), 0.0);
    EXPECT_DOUBLE_EQ(schedule.injected(182.625), 0.5);
    EXPECT_DOUBLE_EQ(schedule.injected(700.0), 1.0);
    EXPECT_DOUBLE_EQ(schedule.injected(1095.75), 1.5);
    EXPECT_DOUBLE_EQ(schedule.injected(1e5), 2.0);
}

TEST(InjectionSchedule, IsOneEndlessPeriodOfAConstantRate) {
    RadialCase radial = uniform_radial_case(1, 1);
    EXPECT_EQ(radial.injection().rate(1e9), 0.5);
    EXPECT_DOUBLE_EQ(radial.injection().injected(36525.0), 50.0);
    radial.schedule = {{10.0}, {2.0}};
    EXPECT_EQ(radial.injection().rate(5.0), 2.0);
    EXPECT_EQ(radial.injection().rate(11.0), 0.0);
}

TEST(RadialCaseCheck, TakesASchedule) {
    RadialCase radial = uniform_radial_case(3, 4);
    for (const double end : {100.0, 1e6}) {  // before and after the last time
        radial.schedule = {{50.0, end}, {1.0, 0.0}};
        EXPECT_EQ(refusal(radial), "") << end;
    }
}

TEST(RadialCaseCheck, NamesWhatIsWrongWithASchedule) {
    RadialCase radial = uniform_radial_case(3, 4);
    const auto message = [&](const InjectionSchedule& schedule) {
        radial.schedule = schedule;
        return refusal(radial);
    };
    EXPECT_EQ(message({{10.0, 20.0, 20.0}, {1.0, 2.0, 3.0}}),
              "cases.h5: case 7: period 2 of the schedule ends on day 20 (it begins on day 20, and periods follow each "
              "other from day 0 on); give ends that increase");
    EXPECT_NE(message({{0.0}, {1.0}}).find("period 0 of the schedule ends on day 0"), std::string::npos);
    EXPECT_NE(message({{-1.0, 5.0}, {1.0, 1.0}}).find("ends on day -1"), std::string::npos);
    EXPECT_NE(message({{std::nan("")}, {1.0}}).find("period 0 of the schedule ends on day"), std::string::npos);
    EXPECT_NE(message({{10.0, 20.0}, {1.0}}).find("2 ends and 1 rates"), std::string::npos);
    EXPECT_NE(message({{}, {1.0}}).find("0 ends and 1 rates"), std::string::npos);
    EXPECT_NE(message({{10.0}, {-0.5}}).find("rate of period 0 of the schedule [Mt/year] is -0.5"), std::string::npos);
    EXPECT_NE(message({{10.0}, {std::nan("")}}).find("rate of period 0"), std::string::npos);
    EXPECT_NE(message({{10.0}, {std::numeric_limits<double>::infinity()}}).find("rate of period 0"), std::string::npos);
}

TEST(RadialCaseCheck, TakesAUsualCase) { EXPECT_EQ(refusal(uniform_radial_case(3, 4)), ""); }

TEST(RadialCaseCheck, TakesASingleCellAndARateOfZero) {
    RadialCase radial = uniform_radial_case(1, 1);
    radial.injection_rate = 0.0;
    EXPECT_EQ(refusal(radial), "");
}

TEST(RadialCaseCheck, NamesCaseCellValueAndRemedyOfRockWithoutFlow) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.permeability_z[1 * 4 + 2] = 0.0;
    const std::string message = refusal(radial);
    EXPECT_EQ(message.rfind("cases.h5: case 7: permeability_z [mD] of the active cell in row 1, column 2 is 0", 0), 0u)
        << message;
    EXPECT_NE(message.find("; correct it or mark the cell as inactive"), std::string::npos) << message;
}

TEST(RadialCaseCheck, RefusesRockThatIsNotANumber) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.permeability_r[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal(radial).find("permeability_r"), std::string::npos);
    radial.permeability_r[5] = std::numeric_limits<double>::infinity();
    EXPECT_NE(refusal(radial).find("permeability_r"), std::string::npos);
    radial.permeability_r[5] = 1.0;
    radial.porosity[11] = 1.5;
    EXPECT_NE(refusal(radial).find("porosity"), std::string::npos);
}

TEST(RadialCaseCheck, DoesNotLookAtTheRockOfInactiveCells) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.active[6] = 0;
    radial.permeability_r[6] = 0.0;
    radial.porosity[6] = -1.0;
    EXPECT_EQ(refusal(radial), "");
}

TEST(RadialCaseCheck, RefusesAWellThatIsOpenToNoActiveCell) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.perforation.assign(radial.cells(), 0.0);
    EXPECT_NE(refusal(radial).find("perforated"), std::string::npos);
    radial.perforation[4] = 1.0;
    EXPECT_EQ(refusal(radial), "");
    radial.active[4] = 0;
    EXPECT_NE(refusal(radial).find("perforated"), std::string::npos);
}

TEST(RadialCaseCheck, RefusesStatesOutsideTheTablesOfCo2) {
    RadialCase radial = uniform_radial_case(3, 4);
    for (const double temperature : {11.9, 170.1, std::nan("")}) {
        radial.temperature = temperature;
        EXPECT_NE(refusal(radial).find("temperature"), std::string::npos) << temperature;
    }
    radial.temperature = 60.0;
    for (const double pressure : {0.5, 1001.0, std::nan("")}) {
        radial.initial_pressure = pressure;
        EXPECT_NE(refusal(radial).find("initial_pressure"), std::string::npos) << pressure;
    }
    radial.initial_pressure = 999.0;
    EXPECT_NE(refusal(radial).find("at the bottom"), std::string::npos);
}

TEST(RadialCaseCheck, RefusesGridsAndTimesThatDoNotIncrease) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.r_edges[2] = radial.r_edges[1];
    EXPECT_NE(refusal(radial).find("value 2 of r_edges"), std::string::npos);
    radial = uniform_radial_case(3, 4);
    radial.r_edges[0] = 0.0;
    EXPECT_NE(refusal(radial).find("well's radius"), std::string::npos);
    radial = uniform_radial_case(3, 4);
    radial.z_edges[1] = -1.0;
    EXPECT_NE(refusal(radial).find("z_edges"), std::string::npos);
    radial = uniform_radial_case(3, 4);
    radial.times = {0.0, 10.0};
    EXPECT_NE(refusal(radial).find("times"), std::string::npos);
    radial.times.clear();
    EXPECT_NE(refusal(radial).find("times"), std::string::npos);
}

TEST(RadialCaseCheck, RefusesMapsOfAnotherSize) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.porosity.pop_back();
    EXPECT_NE(refusal(radial).find("porosity has 11 values"), std::string::npos);
}

TEST(RadialCaseCheck, RefusesFluidsThatLeaveNoRoomOrGoBackwards) {
    RadialCase radial = uniform_radial_case(3, 4);
    radial.injection_rate = -1.0;
    EXPECT_NE(refusal(radial).find("injection_rate"), std::string::npos);
    radial = uniform_radial_case(3, 4);
    radial.irreducible_water_saturation = 0.97;
    EXPECT_NE(refusal(radial).find("irreducible_water_saturation"), std::string::npos);
    radial = uniform_radial_case(3, 4);
    radial.van_genuchten_lambda = 1.0;
    EXPECT_NE(refusal(radial).find("van_genuchten_lambda"), std::string::npos);
}

TEST(RadialCaseCheck, TakesBoundsAsFilesHoldThem) {
    RadialCase radial = uniform_radial_case(3, 4);
    for (const float bound : {0.99F, 0.01F}) {
        radial.van_genuchten_lambda = static_cast<double>(bound);
        EXPECT_EQ(refusal(radial), "");
    }
    radial.van_genuchten_lambda = 0.9901;
    EXPECT_NE(refusal(radial), "");
}

}  // namespace
}  // namespace plumecast
