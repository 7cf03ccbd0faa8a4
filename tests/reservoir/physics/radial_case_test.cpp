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

}  // namespace
}  // namespace plumecast
