#include "inverse/inversion/observations.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

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
    expect_refused("pressure_buildup,100,5,30,3.5,,0.2\n", {"row 2", "no unit", "'bar'"});
    expect_refused("pressure_buildup,100,5,30,3.5,kPa,0.2\n", {"row 2", "'kPa'", "'bar'"});
    expect_refused("presure_buildup,100,5,30,3.5,bar,0.2\n", {"row 2", "write 'pressure_buildup'"});
    expect_refused("bottom_hole_pressure,100,5,30,3.5,bar,0.2\n", {"row 2", "bottom_hole_pressure"});
    expect_refused("pressure_buildup,100,5,30,nan,bar,0.2\n", {"row 2", "value is 'nan'"});
    expect_refused("pressure_buildup,100,5,30,\"3,5\",bar,0.2\n", {"row 2", "has 8 values"});
    expect_refused("", {"holds no observation"});
}

TEST(Observations, RefusesAHeaderThatLacksOrMisspellsAColumn) {
    EXPECT_THAT([] { observations_in("field,r,z,time,value,unit\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("no column 'standard_deviation'")));
    EXPECT_THAT([] { observations_in("field,r,z,time,valeu,unit,standard_deviation\n", "obs.csv", true); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("write 'value'")));
    EXPECT_THAT([] { observations_in(header, "obs.csv", false); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("a Cartesian grid has")));
}

/// A radial grid of two rows and three columns, with two times.
DatasetContent small_grid() {
    DatasetContent content;
    content.r_edges = {0.1, 10.0, 100.0, 1000.0};
    content.z_edges = {0.0, 5.0, 10.0};
    content.times = {10.0, 30.0};
    for (const char* name : {"permeability_r", "permeability_z", "porosity", "perforation", "active"}) {
        content.arrays[name] = std::vector<float>(6, 1.0F);
    }
    content.arrays["porosity"] = std::vector<float>(6, 0.2F);
    for (const auto& [name, value] : std::vector<std::pair<std::string, float>>{{"injection_rate", 1.0F},
                                                                                {"initial_pressure", 200.0F},
                                                                                {"temperature", 60.0F},
                                                                                {"irreducible_water_saturation", 0.2F},
                                                                                {"van_genuchten_lambda", 0.5F},
                                                                                {"thickness", 10.0F}}) {
        content.arrays[name] = {value};
    }
    return content;
}

TEST(ObservedPlaces, SampleTheCellLinearlyInTime) {
    const DatasetContent content = small_grid();
    const Dataset grid(views_of(content));
    const auto observations = radial(
        "pressure_buildup,50,7,10,0,bar,1\npressure_buildup,50,7,15,0,bar,1\npressure_buildup,50,7,5,0,bar,1\n"
        "gas_saturation,1000,10,30,0,1,1\npressure_buildup,10,5,30,0,bar,1\n");
    const ObservedPlaces places(observations, grid, "obs.csv");
    EXPECT_EQ(places.cell(0), 4);
    EXPECT_EQ(places.cell(3), 5);  // the last edges belong to the last cells
    EXPECT_EQ(places.cell(4), 4);  // inner edges to the cells beyond
    std::vector<float> buildup(12, 0.0F);
    buildup[4] = 2.0F;
    buildup[6 + 4] = 6.0F;
    std::vector<double> values(5, -1.0);
    places.sample("pressure_buildup", buildup, values);
    EXPECT_DOUBLE_EQ(values[0], 2.0);
    EXPECT_DOUBLE_EQ(values[1], 3.0);
    EXPECT_DOUBLE_EQ(values[2], 1.0);   // half of the way from 0 at time 0
    EXPECT_DOUBLE_EQ(values[3], -1.0);  // of another field
    EXPECT_DOUBLE_EQ(values[4], 6.0);
}

TEST(ObservedPlaces, RefuseWhatLiesOutsideGridOrTimes) {
    const DatasetContent content = small_grid();
    const Dataset grid(views_of(content));
    const auto refused = [&](const std::string& row, const std::string& says) {
        EXPECT_THAT([&] { ObservedPlaces(radial(row), grid, "obs.csv"); },
                    ::testing::ThrowsMessage<InvalidData>(
                        ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr(says))))
            << row;
    };
    refused("pressure_buildup,2000,5,30,3.5,bar,0.2\n", "r is 2000 m");
    refused("pressure_buildup,0.05,5,30,3.5,bar,0.2\n", "r is 0.05 m");
    refused("pressure_buildup,100,11,30,3.5,bar,0.2\n", "z is 11 m");
    refused("pressure_buildup,100,5,31,3.5,bar,0.2\n", "time is 31 day");
    refused("pressure_buildup,100,5,-1,3.5,bar,0.2\n", "time is -1 day");
}

TEST(Observations, MayBeginWithTheByteOrderMarkOfASpreadsheet) {
    const std::string row = "pressure_buildup,10,5,100,2,bar,0.2\n";
    const auto marked = observations_in("\xEF\xBB\xBF" + std::string(header) + row, "obs.csv", true);
    ASSERT_EQ(marked.size(), 1U);
    EXPECT_EQ(marked[0].field, radial(row)[0].field);
}

}  // namespace
}  // namespace plumecast
