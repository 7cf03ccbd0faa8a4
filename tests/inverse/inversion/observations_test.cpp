#include "inverse/inversion/observations.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

const std::string header = "field,r,z,time,value,unit,standard_deviation\n";

std::vector<Observation> radial(const std::string& rows) { return observations_in(header + rows, "obs.csv", true); }

void expect_refused(const std::string& rows, const std::vector<std::string>& says) {
    try {
        radial(rows);
        FAIL() << rows;
    } catch (const InvalidData& error) {
        for (const std::string& text : says) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
        }
    }
}

TEST(Observations, ReadsRowsWithColumnsInAnyOrder) {
    const auto read = observations_in(
        "value, unit,standard_deviation,time,z,r,field\r\n3.5,bar,0.2,30,5,100,pressure_buildup\r\n\r\n"
        "0.25,1,0.05,60,6,1e2,gas_saturation\r\n",
        "obs.csv", true);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].field, "pressure_buildup");
    EXPECT_EQ(read[0].value, 3.5);
    EXPECT_EQ(read[0].row, 2);
    EXPECT_EQ(read[1].x, 100.0);
    EXPECT_EQ(read[1].time, 60.0);
    EXPECT_EQ(read[1].row, 4);
}

TEST(Observations, RefusesARowWithFileAndRow) {
    const std::string good = "pressure_buildup,100,5,30,3.5,bar,0.2\n";
    expect_refused(good + "pressure_buildup,100,5,30,3.5,bar,0\n", {"obs.csv: row 3", "standard_deviation is 0"});
    expect_refused("pressure_buildup,100,5,30,3.5,bar,-1\n", {"row 2", "standard_deviation is -1"});
    expect_refused("pressure_buildup,100,5,30,3.5,bar,1e-200\n", {"row 2", "standard_deviation is 1e-200", "3.5e-07"});
    expect_refused("pressure_buildup,100,5,30,3.5,,0.2\n", {"row 2", "no unit", "'bar'"});
    expect_refused("pressure_buildup,100,5,30,3.5,kPa,0.2\n", {"row 2", "'kPa'", "'bar'"});
    expect_refused("presure_buildup,100,5,30,3.5,bar,0.2\n", {"row 2", "write 'pressure_buildup'"});
    expect_refused("bottom_hole_pressure,100,,30,3.5,bar,0.2\n", {"row 2", "r is '100'", "of a well"});
    expect_refused("pressure_buildup,100,5,30,nan,bar,0.2\n", {"row 2", "value is 'nan'"});
    expect_refused("pressure_buildup,100,5,30,\"3,5\",bar,0.2\n", {"row 2", "has 8 values"});
    expect_refused("", {"holds no observation"});
}

TEST(Observations, RefusesWhatIsNoValueOfItsField) {
    expect_refused("gas_saturation,100,5,30,1.7,1,0.05\n", {"obs.csv: row 2", "value is 1.7", "between 0 and 1"});
    expect_refused("gas_saturation,100,5,30,-0.31,1,0.05\n", {"row 2", "value is -0.31"});
    expect_refused("bottom_hole_pressure,,,30,15350000,bar,0.5\n", {"row 2", "between 0 and 1000 bar"});
    expect_refused("pressure_buildup,100,5,30,350000,bar,0.2\n", {"row 2", "between -1000 and 1000 bar"});
    EXPECT_EQ(radial("gas_saturation,100,5,30,1.1,1,0.05\n").size(), 1U);  // within the noise of an error of 0.05
    EXPECT_EQ(radial("gas_saturation,100,5,30,-0.17,1,0.05\n").size(), 1U);
}

TEST(Observations, RefusesARowThatRepeatsAnother) {
    const std::string row = "gas_saturation,100,5,30,0.3,1,0.05\n";
    expect_refused(row + "pressure_buildup,100,5,30,3.5,bar,0.2\n" + row, {"obs.csv: row 4 repeats row 2"});
    EXPECT_EQ(radial(row + "gas_saturation,100,5,30,0.31,1,0.05\n").size(), 2U);  // measured twice
}

TEST(Observations, SaysThatATableIsSeparatedByCommas) {
    EXPECT_THAT([] { observations_in("field;r;z;time;value;unit;standard_deviation\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("row 1 is separated by semicolons")));
    EXPECT_THAT([] { observations_in("field\tr\tz\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("separated by tabs")));
}

TEST(Observations, ReadsPressuresOfWells) {
    const auto one = radial("bottom_hole_pressure,,,30,153.5,bar,0.5\n");
    ASSERT_EQ(one.size(), 1U);
    EXPECT_TRUE(one[0].is_of_well());
    EXPECT_EQ(one[0].well, 0);
    EXPECT_EQ(one[0].value, 153.5);
    const std::string with_wells = "field,x,y,z,well,time,value,unit,standard_deviation\n";
    const auto rows = observations_in(with_wells +
                                          "bottom_hole_pressure,,,,2,30,153.5,bar,0.5\n"
                                          "pressure_buildup,1,2,3,,30,1.5,bar,0.5\n",
                                      "obs.csv", false);
    EXPECT_EQ(rows[0].well, 2);
    EXPECT_TRUE(rows[0].names_well);
    EXPECT_FALSE(one[0].names_well);
    EXPECT_FALSE(rows[1].is_of_well());
    EXPECT_EQ(rows[1].y, 2.0);
    const auto refused = [&](const std::string& row, const char* says) {
        EXPECT_THAT([&] { observations_in(with_wells + row, "obs.csv", false); },
                    ::testing::ThrowsMessage<InvalidData>(
                        ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr(says))));
    };
    refused("bottom_hole_pressure,,,,-1,30,153.5,bar,0.5\n", "well is '-1'");
    refused("bottom_hole_pressure,,,,a,30,153.5,bar,0.5\n", "well is 'a'");
    refused("bottom_hole_pressure,,,,0,30,153.5,,0.5\n", "no unit");
    refused("bottom_hole_pressure,,4,,0,30,153.5,bar,0.5\n", "y is '4'");
    refused("pressure_buildup,1,2,3,1,30,1.5,bar,0.5\n", "names a well");
}

TEST(Observations, RefusesAHeaderThatLacksOrMisspellsAColumn) {
    EXPECT_THAT([] { observations_in("field,r,z,time,value,unit\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("no column 'standard_deviation'")));
    EXPECT_THAT([] { observations_in("field,r,z,time,valeu,unit,standard_deviation\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("write 'value'")));
    EXPECT_THAT([] { observations_in(header, "obs.csv", false); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("a Cartesian grid has")));
}

TEST(Observations, MayBeginWithTheByteOrderMarkOfASpreadsheet) {
    const std::string row = "pressure_buildup,10,5,100,2,bar,0.2\n";
    const auto marked = observations_in("\xEF\xBB\xBF" + std::string(header) + row, "obs.csv", true);
    ASSERT_EQ(marked.size(), 1U);
    EXPECT_EQ(marked[0].field, radial(row)[0].field);
}

}  // namespace
}  // namespace plumecast
