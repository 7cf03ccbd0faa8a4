#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/injected_mass.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/well_run.hpp"
#include "reservoir/io/h5/file.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double co2_density = 1.87;  // [kg/sm3]

/// Volume at the surface [sm3/day] of a rate [Mt/year].
double per_day(double megatonnes_per_year) { return megatonnes_per_year * 1e9 / co2_density / 365.25; }

/// Five years: A ramps from 0.3 to 0.6 Mt/year, B injects 0.6 and is shut in after three years, so that the means are
/// 0.54 and 0.36.
WellRun two_wells() {
    WellRun run;
    run.days.clear();
    for (int year = 0; year <= 5; ++year) {
        run.days.push_back(365.25 * year);
    }
    const double low = per_day(0.3);
    const double high = per_day(0.6);
    run.wells = {{"A", 1, 1, 4, {0.0, low, high, high, high, high}}, {"B", 3, 2, 4, {0.0, high, high, high, 0.0, 0.0}}};
    run.step_at_states();
    return run;
}

class RunWellsTest : public TemporaryFolder {
   protected:
    RunWellsTest() {
        options_.output = (folder_ / "data.h5").string();
        options_.set = Json::Object{{"surface_density", co2_density}, {"temperature", 60.0}};
    }
    /// Imports the run; what was noted is in `notes_`.
    Dataset import(const WellRun& run, const std::string& name = "RUN") { return import_files(run.save(folder_ / name)); }
    Dataset import_files(const std::string& root) {
        options_.sources = {root};
        notes_ = import_models(options_).assumptions;
        return Dataset(options_.output);
    }
    std::string error_of(const WellRun& run, const std::string& name = "RUN") {
        try {
            import(run, name);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
    static std::vector<float> map(const Dataset& dataset, const char* name) {
        const std::int64_t which = 0;
        std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
        dataset.read_map(name, {&which, 1}, values);
        return values;
    }
    /// Rate of the column of a well [Mt/year].
    static double rate(const Dataset& dataset, int i, int j) {
        const std::vector<float> rates = map(dataset, "cell_injection_rate");
        const auto column = static_cast<std::size_t>((j - 1) * 4 + i - 1);
        return rates[column] + rates[column + 12];
    }
    std::string bytes() const { return read(options_.output); }

    ImportOptions options_;
    std::vector<std::string> notes_;
};

TEST_F(RunWellsTest, RefusesWellsWhoseSharesChangeUnlessTheirMeansAreAskedFor) {
    WellRun run = two_wells();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    run.add("FGIT", "", run.field_total());
    EXPECT_THAT(error_of(run), AllOf(HasSubstr("RUN: the shares of its wells"), HasSubstr("A 33.3 to 100 %"),
                                     HasSubstr("B 0 to 66.7 %"), HasSubstr("--constant-rates"),
                                     HasSubstr("A 0.54, B 0.36 Mt/year"), HasSubstr("is in the wrong well")));
    options_.constant_rates = true;
    const Dataset dataset = import(run);
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], 0.9, 1e-5);
    EXPECT_NEAR(rate(dataset, 1, 1), 0.54, 1e-5);
    EXPECT_NEAR(rate(dataset, 3, 2), 0.36, 1e-5);
    EXPECT_THAT(injected_mass(dataset), ElementsAre(FloatNear(0.9F, 1e-5F), FloatNear(2.1F, 1e-5F),
                                                    FloatNear(3.3F, 1e-5F), FloatNear(3.9F, 1e-5F),
                                                    FloatNear(4.5F, 1e-5F)));
    EXPECT_THAT(notes_, Contains(AllOf(HasSubstr("the shares of its wells"), HasSubstr("A 0.54, B 0.36 Mt/year"))));
    EXPECT_THAT(bytes(), HasSubstr("A 0.54, B 0.36 Mt/year"));
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(RunWellsTest, FindsTheSameRatesWhateverTheFilesTell) {
    options_.constant_rates = true;
    WellRun whole = two_wells();
    WellRun rates = whole;
    rates.add("WGIR", "A", {whole.wells[0].rates.begin() + 1, whole.wells[0].rates.end()});
    rates.add("WGIR", "B", {whole.wells[1].rates.begin() + 1, whole.wells[1].rates.end()});
    WellRun field = whole;
    field.add("FGIT", "", whole.field_total());
    WellRun nameless = field;
    nameless.add("WGIT", "A", whole.total(0));
    nameless.add("WGIT", "B", whole.total(1));
    nameless.has_names = false;
    WellRun no_summary = whole;
    no_summary.steps.clear();
    WellRun totals = no_summary;
    totals.wells[0].totals = {0.0};
    totals.wells[1].totals = {0.0};
    for (std::size_t well = 0; well < 2; ++well) {
        const std::vector<double> sums = whole.total(well);
        totals.wells[well].totals.insert(totals.wells[well].totals.end(), sums.begin(), sums.end());
        totals.wells[well].rates.assign(6, 0.0);  // wells that happen to be shut at the report times
    }
    for (const auto& [name, run] : {std::pair("RATES", rates), std::pair("FIELD", field), std::pair("NAMELESS", nameless),
                                    std::pair("RESTART", no_summary), std::pair("TOTALS", totals)}) {
        const Dataset dataset = import(run, name);
        EXPECT_NEAR(rate(dataset, 1, 1), 0.54, 1e-5) << name;
        EXPECT_NEAR(rate(dataset, 3, 2), 0.36, 1e-5) << name;
        EXPECT_NEAR(injected_mass(dataset)[1], 2.1, 1e-5) << name;
    }
    import(rates, "RATES");
    EXPECT_THAT(notes_, Contains(HasSubstr("comes from the WGIR of the summary")));
    import(no_summary, "RESTART");
    EXPECT_THAT(notes_, Contains(HasSubstr("comes from the connections of the restart file (XCON)")));
    import(field, "FIELD");
    EXPECT_THAT(notes_, Not(Contains(HasSubstr("comes from"))));
}

TEST_F(RunWellsTest, ReadsOneFilePerStepAndFieldUnits) {
    options_.constant_rates = true;
    WellRun run = two_wells();
    run.unit_system = 2;
    run.length = 0.3048;
    run.pressure = 0.0689475729317831;
    run.gas = 28.316846592;
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    const std::string root = run.save(folder_ / "RUN");
    std::filesystem::remove(root + ".UNRST");
    std::filesystem::remove(root + ".UNSMRY");
    for (std::size_t step = 0; step < run.days.size(); ++step) {
        WellRun::write(root + ".X000" + std::to_string(step), run.state(step));
        if (step > 0) {
            WellRun::write(root + ".S000" + std::to_string(step), reals("PARAMS", run.steps[step - 1]));
        }
    }
    const Dataset dataset = import_files(root);
    EXPECT_NEAR(rate(dataset, 1, 1), 0.54, 1e-5);
    EXPECT_NEAR(rate(dataset, 3, 2), 0.36, 1e-5);
}

TEST_F(RunWellsTest, TakesAWellThatStartsHalfwayForHalfOfTheOther) {
    WellRun run;
    run.wells = {{"W1", 1, 1, 4, {0.0, 1e6, 1e6}}, {"W2", 4, 3, 4, {0.0, 0.0, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    EXPECT_THAT(error_of(run), HasSubstr("W1 50 to 100 %, W2 0 to 50 %"));
    options_.constant_rates = true;
    const Dataset dataset = import(run);
    EXPECT_NEAR(rate(dataset, 1, 1) / rate(dataset, 4, 3), 2.0, 1e-5);
}

TEST_F(RunWellsTest, KeepsSteadyWellsOfAnyRate) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 3e5, 6e5}, {0.25, 0.75}}, {"B", 3, 2, 4, {0.0, 1.5e5, 3.015e5}}};
    run.step_at_states();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    const Dataset dataset = import(run);  // B injects 33.3 to 33.4 %
    EXPECT_NEAR(rate(dataset, 1, 1) / rate(dataset, 3, 2), 9e7 / 4.515e7, 1e-4);
    const std::vector<float> cells = map(dataset, "cell_injection_rate");
    EXPECT_NEAR(cells[12] / cells[0], 3.0, 1e-5);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("the rate varies")));
}

TEST_F(RunWellsTest, LeavesProducersOut) {
    WellRun run;
    run.days = {0.0, 365.0, 730.0, 1095.0};
    run.wells = {{"PROD", 4, 3, 1, {0.0, -500.0, -500.0, -500.0}}, {"INJ", 1, 1, 4, {0.0, 0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", {0.0, 3.65e8, 7.3e8});
    for (const bool has_kinds : {true, false}) {
        run.has_kinds = has_kinds;
        const Dataset dataset = import(run);
        EXPECT_NEAR(dataset.scalar("injection_rate")[0], 1e6 * co2_density * 365.25 / 1e9, 1e-5);
        EXPECT_NEAR(rate(dataset, 1, 1), dataset.scalar("injection_rate")[0], 1e-5);
        EXPECT_EQ(rate(dataset, 4, 3), 0.0);
        EXPECT_EQ(map(dataset, "perforation")[11], 0.0F);
        EXPECT_THAT(notes_, Contains(HasSubstr("injection begins on day 365")));
        EXPECT_THAT(notes_, Contains(HasSubstr("PROD produces or takes something else than gas")));
    }
    run.has_kinds = true;
    run.has_rates = false;  // ICON says open for both
    run.wells[1].open = {{0, 0}, {0, 0}, {1, 1}, {1, 1}};
    const Dataset dataset = import(run);
    EXPECT_EQ(rate(dataset, 4, 3), 0.0);
    const std::vector<float> cells = map(dataset, "cell_injection_rate");
    EXPECT_NEAR(cells[12] / cells[0], 3.0, 1e-5);  // 300 mD below 100 mD
    EXPECT_THAT(notes_, Contains(HasSubstr("no rates of connections (XCON)")));
}

TEST_F(RunWellsTest, SaysThatConnectionsOpenOrClose) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.wells[0].open = {{1, 1}, {1, 1}, {1, 0}};
    import(run);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("connections of INJ open or close")));
}

TEST_F(RunWellsTest, CountsARestartedRunFromItsOwnStart) {
    WellRun run;
    run.days = {3650.0, 3680.0, 4015.0};
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.restarts = "HIST";
    run.step_at_states();
    run.add("FGIT", "", {3e7, 3.65e8});  // nothing was injected before
    options_.set["injection_start"] = 3650.0;
    const double yearly = 1e6 * co2_density * 365.25 / 1e9;
    const Dataset dataset = import(run);
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], yearly, 1e-5);
    EXPECT_NEAR(injected_mass(dataset)[0], yearly * 30.0 / 365.25, 1e-5);
    EXPECT_THAT(notes_, IsEmpty());
    EXPECT_THAT(bytes(), HasSubstr("2040-05-29"));  // 3650 days after 1 June 2030

    WellRun later = run;
    later.steps = {{3680.0F, 3.68e9F}, {4015.0F, 4.015e9F}};
    EXPECT_THAT(error_of(later), AllOf(HasSubstr("3.65e+09 sm3 of gas were injected before day 3650"),
                                       HasSubstr("'HIST', as SMSPEC RESTART says")));
    WellRun history;  // lies beside it, and tells the total
    history.steps = {{1825.0F, 3.65e9F}, {3650.0F, 3.65e9F}};
    history.add("FGIT", "", {});
    WellRun::write(folder_ / "HIST.SMSPEC", history.specification());
    WellRun::write(folder_ / "HIST.UNSMRY", history.summary());
    EXPECT_THAT(error_of(later), AllOf(HasSubstr("3.65e+09 sm3 of gas were injected before day 3650"),
                                       Not(HasSubstr("counted back"))));
    history.steps = {{1825.0F, 0.0F}, {3650.0F, 0.0F}};
    WellRun::write(folder_ / "HIST.UNSMRY", history.summary());
    EXPECT_NEAR(import(run).scalar("injection_rate")[0], yearly, 1e-5);
}

TEST_F(RunWellsTest, RefusesARestartedRunWhoseTotalsBeginNowhere) {
    WellRun run;
    run.days = {3650.0, 3680.0, 4015.0};
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.has_rates = false;
    run.restarts = "HIST";
    run.step_at_states();
    run.add("FGIT", "", {3e7, 3.65e8});
    options_.set["injection_start"] = 3650.0;
    EXPECT_THAT(error_of(run), AllOf(HasSubstr("no total of the injected gas on day 3650"), HasSubstr("SMSPEC RESTART"),
                                     HasSubstr("'HIST'")));
    run.add("FGIR", "", {1e6, 1e6});
    EXPECT_NEAR(import(run).scalar("injection_rate")[0], 1e6 * co2_density * 365.25 / 1e9, 1e-5);
}

TEST_F(RunWellsTest, RefusesToStartWithinAnInjection) {
    WellRun run;
    run.days = {0.0, 100.0, 200.0, 300.0};
    run.wells = {{"INJ", 1, 1, 4, {0.0, 0.0, 1e6, 1e6}}};
    options_.set["injection_start"] = 200.0;
    const std::string says = "1e+08 sm3 of gas were injected before day 200";
    EXPECT_THAT(error_of(run), AllOf(HasSubstr(says), HasSubstr("set injection_start to 100")));
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    EXPECT_THAT(error_of(run), AllOf(HasSubstr(says), HasSubstr("set injection_start to 100")));
    options_.set["injection_rate"] = 0.5;
    EXPECT_THAT(error_of(run), HasSubstr(says));
    options_.set["injection_start"] = 100.0;
    run.later_gas = 0.0;
    EXPECT_THAT(import(run).times(), ElementsAre(100.0, 200.0));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(RunWellsTest, SaysThatGasIsInPlaceBeforeInjection) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.initial_gas = 0.3;
    import(run);
    EXPECT_THAT(notes_, Contains(HasSubstr("gas is in place before injection, up to a saturation of 0.3")));
}

TEST_F(RunWellsTest, RefusesAWellWhoseCellsAreNotKnown) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", {1e8, 2e8});
    run.has_rates = false;
    EXPECT_THAT(import(run).scalar("injection_rate")[0], Not(0.0F));  // all of it goes to the well that is there
    run.wells.clear();
    EXPECT_THAT(error_of(run), HasSubstr("no perforated cell"));
}

TEST_F(RunWellsTest, KeepsTheDateOnWhichInjectionStarts) {
    WellRun run;
    run.days = {0.0, 100.5, 200.5};
    run.wells = {{"INJ", 1, 1, 4, {0.0, 0.0, 1e6}}};
    import(run);
    EXPECT_THAT(bytes(), HasSubstr("2030-06-01"));
    options_.set["injection_start"] = 100.5;
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.start = {31, 12, 2028, 6, 30, 0};
    import(run);
    EXPECT_THAT(bytes(), HasSubstr("2029-04-10T18:30:00"));
}

TEST_F(RunWellsTest, MakesDissolvedCo2OfTheGasInTheBrine) {
    const std::int64_t which = 0;
    const auto dissolved = [&](const Dataset& dataset) {
        std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
        dataset.read_output("dissolved_co2", {&which, 1}, values);
        return values;
    };
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.brine = {{"RS", 20.0}, {"1OVERBO", 0.95}};
    const float expected = static_cast<float>(20.0 * 0.95 * 0.75 * co2_density);
    EXPECT_THAT(dissolved(import(run)), Each(FloatNear(expected, 1e-4F)));
    EXPECT_THAT(notes_, IsEmpty());
    EXPECT_THAT(validate(options_.output), IsEmpty());

    WellRun water = run;
    water.phases = 6;
    water.brine = {{"RSW", 20.0}, {"BW", 1.0 / 0.95}, {"SWAT", 0.75}};
    EXPECT_THAT(dissolved(import(water)), Each(FloatNear(expected, 1e-4F)));

    WellRun field = run;
    field.unit_system = 2;
    field.length = 0.3048;
    field.pressure = 0.0689475729317831;
    field.gas = 28.316846592;
    field.steps.clear();
    field.brine = {{"RS", 20.0 * 0.158987294928 / 28.316846592}, {"1OVERBO", 0.95}};
    field.vectors = {"TIME"};
    field.names = {""};
    EXPECT_THAT(dissolved(import(field, "FIELD")), Each(FloatNear(expected, 1e-4F)));

    run.brine = {{"RS", 20.0}};
    EXPECT_THAT(dissolved(import(run)), Each(FloatNear(expected / 0.95F, 1e-4F)));
    EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr("a formation volume factor of 1"), HasSubstr("RPTRST BO"))));

    run.phases = 7;  // RS counts the gas in oil
    EXPECT_THAT(import(run).outputs(), Not(Contains("dissolved_co2")));
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("RS is left out")));
}

TEST_F(RunWellsTest, WarnsOfARunThatMadeOrLostCo2) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    WellRun made = run;
    made.add("FGIP", "", {1.05e8, 2.252e8});
    import(made);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("RUN: the run made 12.6 % of the injected CO2 up to day 200")));
    WellRun lost = run;
    lost.add("FGIPG", "", {5e7, 1.1e8});
    lost.add("FGIPL", "", {5e7, 0.8e8});
    import(lost);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("the run lost 5 % of the injected CO2 up to day 200")));
    WellRun sound = run;
    sound.add("FGIP", "", {1.004e8, 1.909e8});
    sound.add("FGPT", "", {0.0, 1e7});  // what was produced is not lost
    import(sound);
    EXPECT_THAT(notes_, IsEmpty());
    WellRun filled = run;  // gas was there before: compared from the first step on
    filled.initial_gas = 0.3;
    filled.add("FGIP", "", {5e8, 6e8});
    import(filled);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("gas is in place before injection")));
}

TEST_F(RunWellsTest, KeepsTheHighestBottomHolePressure) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 1e6, 1e6}}, {"B", 3, 2, 4, {0.0, 1e6, 1e6}}};
    import(run);
    const auto pressure = [&] { return h5::File::open(options_.output).read<float>("/case/bottom_hole_pressure"); };
    EXPECT_THAT(pressure(), ElementsAre(160.0F, 160.0F));
    run.step_at_states();
    run.add("WGIR", "A", {1e6, 1e6});
    run.add("WGIR", "B", {1e6, 1e6});
    run.add("WBHP", "A", {210.0, 180.0});
    run.add("WBHP", "B", {190.0, 185.0});
    import(run);
    EXPECT_THAT(pressure(), ElementsAre(210.0F, 185.0F));
}

}  // namespace
}  // namespace plumecast::testing
