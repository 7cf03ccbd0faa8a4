#include "inverse/inversion/observed_places.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast {
namespace {

std::vector<Observation> radial_rows(const std::string& rows) {
    return observations_in("field,r,z,time,value,unit,standard_deviation\n" + rows, "obs.csv", true);
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
    const auto observations = radial_rows(
        "pressure_buildup,50,7,10,0,bar,1\npressure_buildup,50,7,15,0,bar,1\npressure_buildup,50,7,0,0,bar,1\n"
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
    EXPECT_DOUBLE_EQ(values[2], 0.0);   // at rest
    EXPECT_DOUBLE_EQ(values[3], -1.0);  // of another field
    EXPECT_DOUBLE_EQ(values[4], 6.0);
}

TEST(ObservedPlaces, RefuseWhatLiesOutsideGridOrTimes) {
    const DatasetContent content = small_grid();
    const Dataset grid(views_of(content));
    const auto refused = [&](const std::string& row, const std::string& says) {
        EXPECT_THAT([&] { ObservedPlaces(radial_rows(row), grid, "obs.csv"); },
                    ::testing::ThrowsMessage<InvalidData>(
                        ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr(says))))
            << row;
    };
    refused("pressure_buildup,2000,5,30,3.5,bar,0.2\n", "r is 2000 m");
    refused("pressure_buildup,0.05,5,30,3.5,bar,0.2\n", "r is 0.05 m");
    refused("pressure_buildup,100,11,30,3.5,bar,0.2\n", "z is 11 m");
    refused("pressure_buildup,100,5,31,3.5,bar,0.2\n", "time is 31 day");
    refused("pressure_buildup,100,5,-1,3.5,bar,0.2\n", "time is -1 day");
    refused("pressure_buildup,100,5,5,3.5,bar,0.2\n", "before the first time of the case after day 0, 10 day");
    refused("gas_saturation,100,5,5,0.5,1,0.2\n", "add the time 5 to the case");
}

TEST(ObservedPlaces, RefuseTimesBetweenTheBeginningAndTheFirstTimeAfterIt) {
    DatasetContent content = small_grid();
    content.times = {0.0, 30.0};
    const Dataset grid(views_of(content));
    EXPECT_THAT([&] { ObservedPlaces(radial_rows("pressure_buildup,50,7,12,3.5,bar,0.2\n"), grid, "obs.csv"); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("add the time 12 to the case")));
    EXPECT_NO_THROW(ObservedPlaces(radial_rows("pressure_buildup,50,7,0,3.5,bar,0.2\n"), grid, "obs.csv"));
}

/// What places() says of pressures beside a schedule at times 10, 30, 60 and 90 day.
void expect_steady(std::vector<double> ends, std::vector<float> rates, const std::string& row, const char* refusal) {
    DatasetContent content = small_grid();
    content.times = {10.0, 30.0, 60.0, 90.0};
    content.schedule_ends = std::move(ends);
    content.arrays["schedule_rate"] = std::move(rates);
    content.arrays.erase("injection_rate");
    const Dataset grid(views_of(content));
    const ObservedPlaces places(radial_rows(row), grid, "obs.csv");
    if (refusal == nullptr) {
        EXPECT_NO_THROW(places.require_steady_rates(grid, 0)) << row;
        return;
    }
    EXPECT_THAT([&] { places.require_steady_rates(grid, 0); },
                ::testing::ThrowsMessage<InvalidData>(
                    ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr(refusal))))
        << row;
}

TEST(ObservedPlaces, RefusePressuresBetweenTimesAcrossAChangeOfRate) {
    const std::string well = "bottom_hole_pressure,,,50,200,bar,1\n", cell = "pressure_buildup,50,7,50,3,bar,1\n";
    expect_steady({40.0}, {0.5F}, well, "add the times 40 and 50 to the case");  // the injection ends
    expect_steady({40.0, 90.0}, {0.5F, 0.2F}, cell, "from day 40 on a well has another rate");
    expect_steady({20.0, 55.0, 90.0}, {0.0F, 0.5F, 0.2F}, cell, "add the times 50 and 55 to the case");
    expect_steady({30.0, 90.0}, {0.5F, 0.2F}, cell, "add the time 50 to the case");  // it changes at the former time
    expect_steady({40.0, 90.0}, {0.5F, 0.5F}, cell, nullptr);                        // no change
    expect_steady({60.0, 90.0}, {0.5F, 0.2F}, cell, nullptr);                        // it changes at the later time
    expect_steady({40.0, 90.0}, {0.5F, 0.2F}, "gas_saturation,50,7,50,0.3,1,0.1\n", nullptr);
    expect_steady({40.0, 90.0}, {0.5F, 0.2F}, "bottom_hole_pressure,,,60,200,bar,1\n", nullptr);
    expect_steady({40.0, 90.0}, {0.5F, 0.2F}, "pressure_buildup,50,7,60.00001,3,bar,1\n", nullptr);  // rounded
    expect_steady({40.0, 90.0}, {0.5F, 0.2F}, "pressure_buildup,50,7,29.99999,3,bar,1\n", nullptr);
}

TEST(ObservedPlaces, TakeATimeThatWasRoundedAboveTheLastOne) {
    const DatasetContent content = small_grid();
    const Dataset grid(views_of(content));
    const ObservedPlaces places(radial_rows("pressure_buildup,50,7,30.00001,0,bar,1\n"), grid, "obs.csv");
    std::vector<float> buildup(12, 0.0F);
    buildup[6 + 4] = 6.0F;
    double value = 0.0;
    places.sample("pressure_buildup", buildup, {&value, 1});
    EXPECT_EQ(value, 6.0);
}

TEST(ObservedPlaces, SpreadIsTheAdjointOfSample) {
    const DatasetContent content = small_grid();
    const Dataset grid(views_of(content));
    const ObservedPlaces places(radial_rows("pressure_buildup,50,7,12,0,bar,1\npressure_buildup,50,7,0,0,bar,1\n"
                                            "gas_saturation,50,7,12,0,1,1\npressure_buildup,5,3,30,0,bar,1\n"),
                                grid, "obs.csv");
    std::vector<float> field(12);
    for (std::size_t i = 0; i < field.size(); ++i) {
        field[i] = static_cast<float>(i * i) - 20.0F;
    }
    const std::vector<double> weights{0.5, -2.0, 100.0, 3.0};
    std::vector<double> sampled(4, 0.0), of_field(12, 0.0);
    places.sample("pressure_buildup", field, sampled);
    places.spread("pressure_buildup", weights, of_field);
    double there = 0.0, back = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        there += weights[i] * sampled[i];
    }
    for (std::size_t i = 0; i < 12; ++i) {
        back += of_field[i] * static_cast<double>(field[i]);
    }
    EXPECT_NEAR(there, back, 1e-9);
}

/// Two columns of two cells, of which the second lies a throw of 20 m deeper, as on both sides of a fault, and wells in
/// both.
DatasetContent faulted_grid() {
    DatasetContent content;
    content.x_edges = {0.0, 100.0, 200.0};
    content.y_edges = {0.0, 100.0};
    content.z_edges = {0.0, 10.0, 20.0};
    content.times = {10.0, 30.0};
    for (const char* name : {"permeability_x", "permeability_y", "permeability_z", "active"}) {
        content.arrays[name] = std::vector<float>(4, 1.0F);
    }
    content.arrays["porosity"] = std::vector<float>(4, 0.2F);
    content.arrays["perforation"] = {1.0F, 1.0F, 0.0F, 0.0F};
    content.arrays["cell_injection_rate"] = {0.5F, 0.5F, 0.0F, 0.0F};
    content.arrays["cell_volume"] = std::vector<float>(4, 1e5F);
    content.arrays["cell_centre_x"] = {50.0F, 150.0F, 50.0F, 150.0F};
    content.arrays["cell_centre_y"] = std::vector<float>(4, 50.0F);
    content.arrays["cell_centre_z"] = {5.0F, 25.0F, 15.0F, 35.0F};
    for (const auto& [name, value] : std::vector<std::pair<std::string, float>>{{"injection_rate", 1.0F},
                                                                                {"initial_pressure", 200.0F},
                                                                                {"temperature", 60.0F},
                                                                                {"irreducible_water_saturation", 0.2F},
                                                                                {"van_genuchten_lambda", 0.5F}}) {
        content.arrays[name] = {value};
    }
    return content;
}

std::vector<Observation> box_rows(const std::string& rows) {
    return observations_in("field,x,y,z,time,value,unit,standard_deviation\n" + rows, "obs.csv", false);
}

TEST(ObservedPlaces, TakeTheCellOfTheTrueDepthInItsColumn) {
    const DatasetContent content = faulted_grid();
    const Dataset grid(views_of(content));
    const ObservedPlaces places(
        box_rows("pressure_buildup,60,40,12,10,0,bar,1\npressure_buildup,160,40,27,10,0,bar,1\n"
                 "pressure_buildup,140,60,40,10,0,bar,1\npressure_buildup,10,90,0,10,0,bar,1\n"),
        grid, "obs.csv");
    EXPECT_EQ(places.cell(0), 2);
    EXPECT_EQ(places.cell(1), 1);
    EXPECT_EQ(places.cell(2), 3);
    EXPECT_EQ(places.cell(3), 0);
    const auto refused = [&](const std::string& row, const std::string& says) {
        EXPECT_THAT([&] { ObservedPlaces(box_rows(row), grid, "obs.csv"); },
                    ::testing::ThrowsMessage<InvalidData>(
                        ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr(says))))
            << row;
    };
    refused("pressure_buildup,160,40,12,10,0,bar,1\n", "z is 12 m (the cells of the grid there reach from 20 to 40 m)");
    refused("pressure_buildup,60,40,27,10,0,bar,1\n", "from 0 to 20 m");
    refused("pressure_buildup,300,50,27,10,0,bar,1\n", "150 m from the nearest centre");
}

TEST(ObservedPlaces, RefuseCellsOfTheirOwnWithoutCentres) {
    DatasetContent content = faulted_grid();
    content.arrays["cell_volume"] = std::vector<float>(4, 2e5F);
    content.arrays.erase("cell_centre_z");
    const Dataset grid(views_of(content));
    EXPECT_THAT([&] { ObservedPlaces(box_rows("pressure_buildup,60,40,12,10,0,bar,1\n"), grid, "obs.csv"); },
                ::testing::ThrowsMessage<InvalidData>(::testing::HasSubstr("add /grid/cell_centre_x")));
}

TEST(ObservedPlaces, RefuseAPressureOfNoWellByNameWhereThereAreSeveral) {
    const DatasetContent content = faulted_grid();
    const Dataset grid(views_of(content));
    const ObservedPlaces places(box_rows("bottom_hole_pressure,,,,10,205,bar,1\n"), grid, "obs.csv");
    EXPECT_THAT([&] { places.require_wells(grid, 0); },
                ::testing::ThrowsMessage<InvalidData>(::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"),
                                                                       ::testing::HasSubstr("has 2 wells"),
                                                                       ::testing::HasSubstr("column well"))));
    const auto named =
        observations_in("field,x,y,z,well,time,value,unit,standard_deviation\nbottom_hole_pressure,,,,1,10,205,bar,1\n",
                        "obs.csv", false);
    EXPECT_NO_THROW(ObservedPlaces(named, grid, "obs.csv").require_wells(grid, 0));
}

/// The small grid with fields, a well of two cells and rising pressures.
DatasetContent small_fields() {
    DatasetContent content = small_grid();
    content.arrays["perforation"] = {1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F};
    content.arrays["permeability_r"] = std::vector<float>(6, 100.0F);
    content.arrays["permeability_z"] = std::vector<float>(6, 10.0F);
    content.arrays["injection_rate"] = {0.5F};
    content.arrays["gas_saturation"] = {0.3F, 0.1F, 0.0F, 0.1F, 0.0F, 0.0F, 0.6F, 0.3F, 0.0F, 0.4F, 0.1F, 0.0F};
    content.arrays["pressure_buildup"] = {20.0F, 9.0F, 2.0F, 19.0F, 9.0F, 2.0F, 25.0F, 12.0F, 4.0F, 24.0F, 12.0F, 4.0F};
    return content;
}

TEST(ObservedPlaces, SampleBottomHolePressuresAsTheReportHasThem) {
    const DatasetContent content = small_fields();
    const Dataset dataset(views_of(content));
    const ObservedPlaces places(radial_rows("bottom_hole_pressure,,,10,0,bar,1\nbottom_hole_pressure,,,25,0,bar,1\n"
                                            "bottom_hole_pressure,,,0,0,bar,1\ngas_saturation,5,3,30,0,1,1\n"),
                                dataset, "obs.csv");
    EXPECT_TRUE(places.has_wells());
    EXPECT_EQ(places.cell(0), -1);
    EXPECT_THAT(places.fields(), ::testing::UnorderedElementsAre("pressure_buildup", "gas_saturation"));
    places.require_wells(dataset, 0);
    std::vector<double> values(4, -1.0);
    const ObservedFields fields{{"pressure_buildup", content.arrays.at("pressure_buildup")},
                                {"gas_saturation", content.arrays.at("gas_saturation")}};
    places.sample(dataset, 0, fields, values);
    const CaseReader reader{Dataset(views_of(content))};
    const CaseFields one = reader.read(0);
    const auto series = case_series(one, reader.times(), {});
    const auto reported = std::ranges::find(series, "bottom_hole_pressure", &NamedSeries::name);
    ASSERT_NE(reported, series.end());
    ASSERT_TRUE(std::isfinite(reported->values[0]));
    EXPECT_GT(reported->values[0], one.initial_pressures[0] + 20.0);
    EXPECT_NEAR(values[0], reported->values[0], 1e-9);
    EXPECT_NEAR(values[1], 0.25 * reported->values[0] + 0.75 * reported->values[1], 1e-9);
    EXPECT_NEAR(values[2], one.initial_pressures[0], 1e-9);  // at rest
    EXPECT_NEAR(values[3], 0.6, 1e-6);
}

TEST(ObservedPlaces, RefuseAWellThatTheCaseLacks) {
    const DatasetContent content = small_fields();
    const Dataset dataset(views_of(content));
    const auto observations = observations_in(
        "field,r,z,well,time,value,unit,standard_deviation\nbottom_hole_pressure,,,1,10,5,bar,1\n", "obs.csv", true);
    const ObservedPlaces places(observations, dataset, "obs.csv");
    EXPECT_THAT([&] { places.require_wells(dataset, 0); },
                ::testing::ThrowsMessage<InvalidData>(
                    ::testing::AllOf(::testing::HasSubstr("obs.csv: row 2"), ::testing::HasSubstr("no well 1"))));
}

}  // namespace
}  // namespace plumecast
