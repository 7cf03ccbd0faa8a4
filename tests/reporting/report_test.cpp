#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reporting/report.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "reporting/report_content.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ReportTest : public TemporaryFolder {
   protected:
    std::string sample(const DatasetContent& content = sample_content()) const {
        const std::string path = (folder_ / "fields.h5").string();
        write_dataset(path, content);
        return path;
    }
    ReportOptions options() const {
        ReportOptions result;
        result.folder = folder_ / "report";
        return result;
    }
    std::string file(const std::string& name) const { return read(folder_ / "report" / name); }
};

/// A plume of saturation 0.5 that reaches 3, 10 and 40 m at the last time in the three cases.
DatasetContent growing_plumes() {
    DatasetContent content = sample_content();
    std::vector<float>& gas = content.arrays.at("gas_saturation");
    std::ranges::fill(gas, 0.0F);
    for (std::size_t number = 0; number < 3; ++number) {
        for (std::size_t ring = 0; ring < 2 + number; ++ring) {
            gas[(number * 3 + 2) * 20 + ring] = 0.5F;
        }
    }
    return content;
}

TEST_F(ReportTest, WritesPercentilesByExceedance) {
    EXPECT_TRUE(write_report(sample(growing_plumes()), options(), {}).is_complete);
    const Json json = Json::parse(file("report.json"), "report.json");
    const Json::Array& series = *json.find("series")->get_if<Json::Array>();
    const auto radius =
        std::ranges::find_if(series, [](const Json& one) { return *one.find("name") == Json("plume_radius_0.01"); });
    ASSERT_NE(radius, series.end());
    const auto last = [&](const char* name) {
        return *radius->find(name)->get_if<Json::Array>()->back().get_if<double>();
    };
    EXPECT_NEAR(last("p90_low"), 3.0 + 0.2 * 7.0, 1e-9);
    EXPECT_NEAR(last("p50_middle"), 10.0, 1e-9);
    EXPECT_NEAR(last("p10_high"), 10.0 + 0.8 * 30.0, 1e-9);
}

TEST_F(ReportTest, WritesTablesWithDates) {
    write_report(sample(growing_plumes()), options(), {});
    EXPECT_THAT(file("plume_extent.csv"), HasSubstr("REAL,DATE,MAX_DISTANCE_SGAS_0.01,MAX_DISTANCE_SGAS_0.2\n"));
    EXPECT_THAT(file("plume_extent.csv"), HasSubstr("\n2,2020-04-10,40.0,40.0\n"));
    EXPECT_THAT(file("cases.csv"), HasSubstr("plume_radius_0.01 [m]"));
    EXPECT_THAT(file("probability.csv"), HasSubstr("\n100,0,2,0.666667,"));
    EXPECT_EQ(std::ranges::count(file("series.csv"), '\n'), 1 + 3 * 3);
    EXPECT_THAT(file("percentiles.csv"), HasSubstr("plume_radius_0.01_P90_low [m]"));
}

TEST_F(ReportTest, TellsWhenThePlumeReachedEachCell) {
    DatasetContent content = cartesian_content();  // two cases at 30 and 365 days, rows of 3 x 4 columns
    std::vector<float>& gas = content.arrays.at("gas_saturation");
    std::ranges::fill(gas, 0.0F);
    constexpr std::size_t cells = 24, second_case = 2 * cells;
    for (const std::size_t place : {second_case + 1, second_case + cells + 1, second_case + cells + 12 + 6}) {
        gas[place] = 0.5F;  // row 0, line 0, column 1 from day 30 on; row 1, line 1, column 2 at day 365
    }
    ReportOptions wanted = options();
    wanted.cases = {1};
    write_report(sample(content), wanted, {});
    EXPECT_EQ(file("migration_time.csv"),
              "case,row,line,column,x [m],y [m],migration_time [year],not_before [year]\n"
              "1,0,0,1,50,25,0.0821355236,0\n"
              "1,1,1,2,200,75,0.999315537,0.0821355236\n");
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/migration_time.pdf"));
    EXPECT_THAT(file("report.html"), HasSubstr("Migration time of the plume, case 1"));
}

TEST_F(ReportTest, TellsThePressureOfEachWell) {
    ReportOptions wanted = options();
    wanted.cases = {1};
    write_report(sample(cartesian_content()), wanted, {});
    const std::string table = file("wells.csv");
    EXPECT_THAT(table, HasSubstr("case,well,line,column,x [m],y [m],DATE,time [day],injection_rate [Mt/year],"));
    EXPECT_THAT(table, HasSubstr("\n1,0,0,1,50,25,2020-01-31,30,0.5,"));
    EXPECT_THAT(table, HasSubstr("\n1,1,1,3,500,75,2020-12-31,365,1,"));
    EXPECT_EQ(std::ranges::count(table, '\n'), 1 + 2 * 2);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/bottom_hole_pressure_wells.png"));
    wanted.folder = folder_ / "narrow";
    wanted.well_radius = 500.0;  // wider than the cells, so that no pressure is known
    write_report(sample(cartesian_content()), wanted, {});
    EXPECT_TRUE(std::filesystem::exists(folder_ / "narrow/wells.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "narrow/pictures/bottom_hole_pressure_wells.png"));
    wanted.well_radius.reset();
    wanted.folder = folder_ / "rings";
    wanted.cases = {0};
    write_report(sample(), wanted, {});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "rings/wells.csv"));
}

TEST_F(ReportTest, TellsWhenThePlumeReachedRings) {
    ReportOptions wanted = options();
    wanted.cases = {0};
    write_report(sample(growing_plumes()), wanted, {});
    EXPECT_EQ(file("migration_time.csv"),
              "case,row,column,radius [m],migration_time [year],not_before [year]\n"
              "0,0,0,0.55,0.273785079,0.0273785079\n"
              "0,0,1,2,0.273785079,0.0273785079\n");
    wanted.folder = folder_ / "none";
    DatasetContent content = growing_plumes();
    std::ranges::fill(content.arrays.at("gas_saturation"), 0.0F);
    write_report(sample(content), wanted, {});
    EXPECT_EQ(read(folder_ / "none/migration_time.csv"),
              "case,row,column,radius [m],migration_time [year],not_before [year]\n");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none/pictures/migration_time.png"));
}

TEST_F(ReportTest, StatesTheResolutionOfSizesAndTheDigitsThatAreKnown) {
    write_report(sample(growing_plumes()), options(), {});
    EXPECT_THAT(file("series.csv"), HasSubstr("plume_radius_0.01 [m],plume_radius_0.01_resolution [m]"));
    EXPECT_THAT(file("cases.csv"), HasSubstr("plume_radius_0.01_resolution [m]"));
    EXPECT_THAT(file("report.html"), HasSubstr("<div class=\"resolution\">resolution "));
    EXPECT_THAT(file("report.json"), HasSubstr("plume_radius_0.01_resolution"));
    EXPECT_EQ(known_digits(1982.4829131, 118.0), "1982");
    EXPECT_EQ(known_digits(1982.4829131, 2300.0), "1980");
    EXPECT_EQ(known_digits(12.3456789, 3.0), "12.35");
    EXPECT_EQ(known_digits(87.65432109), "87.65432");
    EXPECT_EQ(known_digits(0.0, 3.0), "0");
}

TEST_F(ReportTest, KeepsTheDigitsOfSmallPercentiles) {
    DatasetContent content = sample_content();  // plumes of a ring of the radius 1 m, and twice of 100 m
    std::vector<float>& gas = content.arrays.at("gas_saturation");
    std::ranges::fill(gas, 0.0F);
    for (std::size_t number = 0; number < 3; ++number) {
        for (std::size_t ring = 0; ring < (number == 0 ? 1U : 5U); ++ring) {
            gas[(number * 3 + 2) * 20 + ring] = 0.5F;
        }
    }
    write_report(sample(content), options(), {});
    const std::string table = file("percentiles.csv");
    const std::string last = table.substr(table.rfind('\n', table.size() - 2) + 1);
    EXPECT_THAT(last, HasSubstr(",20.800,100.000,100.000,"));  // the radius: 1 m and a fifth of the way to 100 m
}

TEST_F(ReportTest, CountsTheCasesThatExceedTheLimitWithAnInterval) {
    DatasetContent content = growing_plumes();
    std::vector<float>& buildup = content.arrays.at("pressure_buildup");
    std::ranges::fill(buildup, 1.0F);
    content.arrays.at("injection_rate") = {1e-6F, 1e-6F, 1e-6F};  // the wells have the pressure of their cells
    buildup[2 * 60 + 2 * 20 + 4] = 500.0F;                        // the last case, at the last time
    ReportOptions wanted = options();
    wanted.series.fracture.pressure = 400.0;
    const ReportSummary summary = write_report(sample(content), wanted, {});
    const std::string words =
        "of 3 cases (33.3 %, 90 % interval 1.7 to 86.5 %, Clopper-Pearson) exceed 90 % of the fracture "
        "pressure";
    EXPECT_THAT(summary.findings, ::testing::Contains(HasSubstr("1 " + words)));
    EXPECT_THAT(file("report.html"), HasSubstr("1 " + words));
    EXPECT_THAT(file("exceedance.csv"), HasSubstr("fracture_pressure,1,3,0.333333,0.01695"));
    EXPECT_THAT(file("exceedance.csv"), HasSubstr("fracture_pressure_in_cells,1,3,"));
    EXPECT_THAT(file("report.json"), HasSubstr("\"exceedances\""));
    wanted.cases = {0};
    wanted.folder = folder_ / "one";
    EXPECT_THAT(write_report(sample(content), wanted, {}).findings,
                ::testing::Contains("the case stays below 90 % of the fracture pressure"));
}

TEST_F(ReportTest, SaysOfHowManyCasesPercentilesAre) {
    DatasetContent content = growing_plumes();
    std::ranges::fill(content.arrays.at("pressure_buildup"), 1.0F);
    content.arrays.at("injection_rate") = {1e-6F, 1e-6F, 1e-6F};
    content.arrays.at("pressure_buildup")[60 + 2 * 20 + 5] = 2000.0F;  // beyond known densities in the well of case 1
    ReportOptions wanted = options();
    wanted.series.fracture.pressure = 4000.0;
    const ReportSummary summary = write_report(sample(content), wanted, {});
    const std::string words = "bottom_hole_pressure (2 of 3 at the fewest), bottom_hole_buildup (2 of 3 at the fewest)";
    EXPECT_THAT(summary.findings,
                ::testing::Contains(HasSubstr("ercentiles are of the cases alone that have a value, of ")));
    EXPECT_THAT(summary.findings, ::testing::Contains(HasSubstr(words)));
    EXPECT_THAT(file("report.html"), HasSubstr(words));
    EXPECT_THAT(file("percentiles.csv"), HasSubstr("bottom_hole_pressure_P10_high [bar],bottom_hole_pressure_cases,"));
    EXPECT_THAT(file("percentiles.csv"), Not(HasSubstr("max_buildup_cases")));
    EXPECT_THAT(file("report.json"), HasSubstr("\"cases_unknown\""));
}

TEST(Exceedances, SayOfHowManyCasesTheyAreNotKnown) {
    Exceedance some{"fracture_pressure", "90 % of the fracture pressure", proportion_of(1, 1)};
    EXPECT_EQ(some.text(), "the case exceeds 90 % of the fracture pressure");
    some.unknown = 1;
    EXPECT_THAT(some.text(), HasSubstr("1 of 1 cases (100 %"));
    EXPECT_THAT(some.text(), HasSubstr("90 % of the fracture pressure; of 1 further case it is not known"));
}

TEST(Exceedances, SayWhenNoCaseCouldBeCounted) {
    const Exceedance none{"fracture_pressure", "90 % of the fracture pressure", proportion_of(0, 0)};
    EXPECT_EQ(none.text(),
              "whether 90 % of the fracture pressure is exceeded was not computed: no bottom-hole pressure");
}

TEST_F(ReportTest, DoesNotComputeAnAreaOfReviewFromADefault) {
    const ReportSummary summary = write_report(sample(), options(), {});
    EXPECT_THAT(summary.findings, ::testing::Contains(HasSubstr("area of review: not computed: give")));
    EXPECT_THAT(file("report.html"), HasSubstr("Not computed: give the critical build-up of your site, or what"));
    EXPECT_THAT(file("cases.csv"), Not(HasSubstr("review_area")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "report/pictures/review_radius.png"));
    ReportOptions wanted = options();
    wanted.folder = folder_ / "asked";
    wanted.series.pressure_front = 3.8;
    EXPECT_THAT(write_report(sample(), wanted, {}).findings, Not(::testing::Contains(HasSubstr("not computed"))));
    EXPECT_THAT(read(folder_ / "asked/cases.csv"), HasSubstr("review_area [m2]"));
}

TEST_F(ReportTest, NamesCasesWithoutACriticalBuildUpAndMeasuresTheOthers) {
    DatasetContent content = growing_plumes();
    content.attributes["top_depth"] = "1325";
    content.arrays.at("initial_pressure") = {110.0F, 200.0F, 111.0F};  // brine rises by itself from 139 bar on
    ReportOptions wanted = options();
    wanted.series.drinking_water = DrinkingWater{300.0, std::nullopt, 1080.0};
    EXPECT_THAT(write_report(sample(content), wanted, {}).findings,
                ::testing::Contains(HasSubstr("no critical build-up, so no front and no area of review, of case 1: ")));
    const Json json = Json::parse(file("report.json"), "report.json");
    EXPECT_EQ(json.find("cases")->get_if<Json::Array>()->size(), 3U);
    EXPECT_THAT(file("report.html"), HasSubstr("of case 1: at the initial pressure"));
    EXPECT_THAT(file("probability.csv"), HasSubstr("\n100,0,0,1,"));
    wanted.cases = {1};
    wanted.folder = folder_ / "none";
    EXPECT_THROW(write_report(sample(content), wanted, {}), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(wanted.folder));
}

TEST_F(ReportTest, NamesCasesWithoutValuesOfFilesWithoutVerdicts) {
    DatasetContent content = growing_plumes();
    for (const char* name : {"gas_saturation", "pressure_buildup"}) {
        std::fill_n(content.arrays.at(name).begin() + 60, 60, std::nanf(""));
    }
    write_report(sample(content), options(), {});
    EXPECT_THAT(file("report.html"), HasSubstr("Not counted anywhere, as they could not be computed: case 1."));
    ReportOptions one = options();
    one.cases = {1};
    one.folder = folder_ / "one";
    try {
        write_report(sample(content), one, {});
        ADD_FAILURE() << "reported a case without values";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("case 1 has no values (NaN, as it could not be computed); choose another"));
    }
}

TEST_F(ReportTest, TellsWhatThereIsWithoutSaturationAndBuildUp) {
    DatasetContent content = sample_content();
    content.arrays["dissolved_co2"].assign(content.arrays["gas_saturation"].size(), 1.0F);
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    EXPECT_TRUE(write_report(sample(content), options(), {}).is_complete);
    EXPECT_THAT(file("series.csv"), HasSubstr("case,DATE,time [day],mass_injected [Mt],mass_dissolved [Mt]\n"));
    EXPECT_THAT(file("report.html"), HasSubstr("Dissolved CO2"));
}

TEST_F(ReportTest, TakesTheDepthThatTheFileStates) {
    DatasetContent content = sample_content();
    content.attributes["top_depth"] = "1325";
    ReportOptions wanted = options();
    wanted.series.fracture.gradient = 0.16;
    EXPECT_THAT(write_report(sample(content), wanted, {}).findings,
                ::testing::Contains("depth of the top of the formation: 1325 m, as the file states it"));
    EXPECT_THAT(file("cases.csv"), HasSubstr("\n0,1325,"));
    wanted.top_depth = 1400.0;
    wanted.folder = folder_ / "given";
    EXPECT_THAT(write_report(sample(content), wanted, {}).findings,
                ::testing::Contains("depth of the top of the formation: 1400 m, as given"));
    wanted.top_depth.reset();
    wanted.folder = folder_ / "none";
    EXPECT_THAT(write_report(sample(), wanted, {}).findings,
                ::testing::Contains(::testing::AllOf(HasSubstr("computed: where fresh water at rest"),
                                                     HasSubstr("since the file states no depth"))));
}

TEST_F(ReportTest, TakesTheDepthAtTheEndOfAnOrigin) {
    DatasetContent content = cartesian_content();
    content.attributes["origin"] = "x 431000 m, y 6521000 m, depth 800 m";
    EXPECT_THAT(write_report(sample(content), options(), {}).findings,
                ::testing::Contains("depth of the top of the formation: 800 m, as the file states it"));
    content.attributes["top_depth"] = "deep";
    EXPECT_THROW(write_report(sample(content), options(), {}), InvalidData);
}

TEST_F(ReportTest, MakesAPageThatNeedsNothingElse) {
    write_report(sample(), options(), {});
    const std::string page = file("report.html");
    EXPECT_THAT(page, HasSubstr("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("data:image/svg+xml;base64,"));
    EXPECT_THAT(page, HasSubstr("data:image/png;base64,iVBORw0KGgo"));
    for (const char* foreign : {"src=\"http", "href=\"http", "url(http", "@import", "<link"}) {
        EXPECT_THAT(page, Not(HasSubstr(foreign)));
    }
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/plume_radius.pdf"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/probability_plume.png"));
}

TEST_F(ReportTest, ShowsWhereTheCo2IsAndFromWhenOnThePlumeIsStable) {
    DatasetContent content = growing_plumes();
    content.arrays["dissolved_co2"].assign(content.arrays.at("gas_saturation").size(), 1.0F);
    content.arrays["residual_gas_saturation"] = {0.3F, 0.3F, 0.3F};
    content.schedule_ends = {5.0};
    content.arrays["schedule_rate"] = {1.0F, 1.0F, 1.0F};
    content.arrays.erase("injection_rate");
    EXPECT_THAT(write_report(sample(content), options(), {}).findings,
                ::testing::Contains(HasSubstr("time of stabilisation: not within the times of the data set")));
    EXPECT_THAT(file("ledger.csv"), HasSubstr("case,DATE,time [day],mass_injected [Mt],mass_mobile [Mt],mass_trapped "
                                              "[Mt],mass_dissolved [Mt],closing_error [Mt]\n"));
    EXPECT_EQ(std::ranges::count(file("ledger.csv"), '\n'), 1 + 3 * 3);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/ledger.png"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/ledger.pdf"));
    EXPECT_THAT(file("report.html"), HasSubstr("Where the CO2 is, case "));
    EXPECT_THAT(file("report.html"), HasSubstr("<dt>Mobile and trapped CO2</dt>"));
    EXPECT_THAT(file("report.html"), HasSubstr("<dt>Stabilisation</dt>"));
    // Plumes that are there from the stop on.
    std::vector<float>& gas = content.arrays.at("gas_saturation");
    for (std::size_t number = 0; number < 3; ++number) {
        for (std::size_t time = 0; time < 3; ++time) {
            gas[(number * 3 + time) * 20] = 0.5F;
            std::fill_n(gas.begin() + static_cast<std::ptrdiff_t>((number * 3 + time) * 20 + 1), 19, 0.0F);
        }
    }
    ReportOptions again = options();
    again.folder = folder_ / "again";
    EXPECT_THAT(write_report(sample(content), again, {}).findings,
                ::testing::Contains(HasSubstr("time of stabilisation: year ")));
}

TEST_F(ReportTest, WarnsOfCasesThatHoldMoreThanWasInjected) {
    DatasetContent content = growing_plumes();
    content.arrays.at("injection_rate") = {10.0F, 10.0F, 1e-9F};
    write_report(sample(content), options(), {});
    EXPECT_THAT(file("report.html"), HasSubstr("In 1 of 3 cases more free CO2 is in place than was injected"));
    content.arrays.at("injection_rate") = {10.0F, 10.0F, 10.0F};
    ReportOptions again = options();
    again.folder = folder_ / "again";
    write_report(sample(content), again, {});
    EXPECT_THAT(read(folder_ / "again" / "report.html"), Not(HasSubstr("than was injected, which")));
}

TEST_F(ReportTest, EscapesTitlesInThePage) {
    ReportOptions wanted = options();
    wanted.title = "<script>alert(1)</script> & more";
    write_report(sample(), wanted, {});
    EXPECT_THAT(file("report.html"), HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"));
    EXPECT_THAT(file("report.html"), Not(HasSubstr("<script>alert")));
}

TEST_F(ReportTest, CountsACaseThatIsAskedForTwiceOnce) {
    ReportOptions wanted = options();
    wanted.cases = {2, 0, 2};
    write_report(sample(), wanted, {});
    EXPECT_EQ(std::ranges::count(file("cases.csv"), '\n'), 1 + 2);
    EXPECT_THAT(file("cases.csv"), ::testing::ContainsRegex("\n2,[^\n]*\n0,"));
}

TEST_F(ReportTest, ReportsOneCaseWithoutPercentiles) {
    ReportOptions wanted = options();
    wanted.cases = {2};
    wanted.gen_data = true;
    write_report(sample(growing_plumes()), wanted, {});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "report/percentiles.csv"));
    EXPECT_EQ(file("gen_data/plume_radius_0.01_0"), "0\n0\n40.0\n");
    EXPECT_THAT(file("report.html"), Not(HasSubstr("P90, P50, P10")));  // pictures may hold "P90" by chance
    EXPECT_THAT(file("report.html"), Not(HasSubstr("class=\"range\"")));
}

TEST_F(ReportTest, SaysOfWhichAreaItsMassesAre) {
    ReportOptions wanted = options();
    write_report(sample(cartesian_content()), wanted, {});
    EXPECT_EQ(*Json::parse(file("report.json"), "report.json").find("options")->find("polygon"), Json());
    wanted.polygon = MapPolygon{{{{0.0, 0.0}, {300.0, 0.0}, {300.0, 80.0}}, {{10.0, 5.0}, {20.0, 5.0}, {20.0, 8.0}}}};
    wanted.polygon_source = "areas/licence.geojson";
    write_report(sample(cartesian_content()), wanted, {});
    const Json json = Json::parse(file("report.json"), "report.json");
    const Json& polygon = *json.find("options")->find("polygon");
    EXPECT_EQ(*polygon.find("source"), Json("areas/licence.geojson"));
    EXPECT_EQ(*polygon.find("rings"), Json(std::int64_t{2}));
}

TEST_F(ReportTest, DrawsAGridOfOneRing) {
    DatasetContent content = sample_content();
    content.r_edges = {0.1, 5000.0};
    for (auto& [name, values] : content.arrays) {
        if (values.size() > 3) {  // a map or a field, of whose rings the first stays
            std::vector<float> first;
            for (std::size_t cell = 0; cell < values.size(); cell += 5) {
                first.push_back(values[cell]);
            }
            values = first;
        }
    }
    EXPECT_TRUE(write_report(sample(content), options(), {}).is_complete);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/pressure_buildup.png"));
}

TEST_F(ReportTest, MeasuresBoxes) {
    EXPECT_TRUE(write_report(sample(cartesian_content()), options(), {}).is_complete);
    EXPECT_THAT(file("probability.csv"), HasSubstr("time [day],row,line,column,"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "report/pictures/gas_saturation.png"));
}

TEST_F(ReportTest, WritesNothingWhenItIsEnded) {
    EXPECT_FALSE(write_report(sample(), options(), [](std::int64_t, std::int64_t) { return false; }).is_complete);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "report"));
}

TEST_F(ReportTest, RefusesMoreFracturePressuresThanCases) {
    ReportOptions wanted = options();
    wanted.series.fracture.pressures = {300.0, 310.0, 320.0};
    EXPECT_TRUE(write_report(sample(), wanted, {}).is_complete);
    wanted.series.fracture.pressures.push_back(330.0);
    wanted.folder = folder_ / "surplus";
    EXPECT_THROW(write_report(sample(), wanted, {}), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(wanted.folder));
}

TEST_F(ReportTest, RefusesGenDataOfAnEnsemble) {
    ReportOptions wanted = options();
    wanted.gen_data = true;
    EXPECT_THROW(write_report(sample(), wanted, {}), InvalidInput);
}

TEST(Shown, KeepsThreeDigitsThatCount) {
    EXPECT_EQ(shown(0.0), "0");
    EXPECT_EQ(shown(0.012345), "0.0123");
    EXPECT_EQ(shown(12.345), "12.3");
    EXPECT_EQ(shown(-1234.5), "-1,230");
    EXPECT_EQ(shown(1234567.0), "1,230,000");
    EXPECT_EQ(shown(3.1e12), "3.10e+12");
    EXPECT_EQ(shown_unit("m2", 2e6).unit, "km2");
    EXPECT_EQ(shown_unit("m", 9000.0).unit, "m");
    EXPECT_EQ(shown_unit("m", 50000.0).unit, "km");
}

}  // namespace
}  // namespace plumecast::testing
