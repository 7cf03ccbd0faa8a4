#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/import/run_import_test.hpp"
#include "reservoir/physics/box_case.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Volume at the surface [sm3/day] of a rate [Mt/year].
double per_day(double megatonnes_per_year) { return megatonnes_per_year * 1e9 / 1.87 / 365.25; }

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

class RunWellsTest : public RunImportTest {};

TEST_F(RunWellsTest, KeepsTheScheduleOfEachWell) {
    WellRun run = two_wells();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    run.add("FGIT", "", run.field_total());
    const Dataset dataset = import(run);
    const double year = 365.25;
    ASSERT_THAT(dataset.schedule_ends(), ElementsAre(year, 3.0 * year, 5.0 * year));
    const auto is = [](float rate) { return FloatNear(rate, 1e-5F); };
    EXPECT_THAT(dataset.schedule_rates(), ElementsAre(is(0.3F), is(0.6F), is(0.6F), is(0.6F), is(0.6F), is(0.0F)));
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], 0.9, 1e-5);
    EXPECT_NEAR(rate(dataset, 1, 1), 0.54, 1e-5);
    EXPECT_NEAR(rate(dataset, 3, 2), 0.36, 1e-5);
    EXPECT_THAT(notes_, IsEmpty());
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(RunWellsTest, RefusesCasesWithOtherNumbersOfWellsWhoseSharesChange) {
    WellRun run = two_wells();
    run.add("FGIT", "", run.field_total());
    WellRun one = two_wells();
    one.wells.pop_back();
    one.add("FGIT", "", one.field_total());
    options_.sources = {run.save(folder_ / "RUN"), one.save(folder_ / "ONE")};
    std::string problem;
    try {
        import_models(options_);
    } catch (const InvalidData& error) {
        problem = error.what();
    }
    EXPECT_THAT(problem, AllOf(HasSubstr("RUN: the shares of its wells"), HasSubstr("A 33.3 to 100 %"),
                               HasSubstr("B 0 to 66.7 %"), HasSubstr("as many wells"),
                               HasSubstr("ImportOptions::constant_rates"), HasSubstr("A 0.54, B 0.36 Mt/year"),
                               HasSubstr("is in the wrong well")));
}

TEST_F(RunWellsTest, TakesMeansOfWellsWhoseSharesChangeWhereTheyAreAskedFor) {
    WellRun run = two_wells();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    run.add("FGIT", "", run.field_total());
    options_.constant_rates = true;
    const Dataset dataset = import(run);
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], 0.9, 1e-5);
    EXPECT_NEAR(rate(dataset, 1, 1), 0.54, 1e-5);
    EXPECT_NEAR(rate(dataset, 3, 2), 0.36, 1e-5);
    EXPECT_THAT(injected_mass(dataset),
                ElementsAre(FloatNear(0.9F, 1e-5F), FloatNear(2.1F, 1e-5F), FloatNear(3.3F, 1e-5F),
                            FloatNear(3.9F, 1e-5F), FloatNear(4.5F, 1e-5F)));
    EXPECT_THAT(notes_, Contains(AllOf(HasSubstr("the shares of its wells"), HasSubstr("A 0.54, B 0.36 Mt/year"))));
    EXPECT_THAT(bytes(), HasSubstr("A 0.54, B 0.36 Mt/year"));
    EXPECT_THAT(kept_notes(), Contains(AllOf(HasSubstr("the shares of its wells"), HasSubstr("is in the wrong well"))));
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
    for (const auto& [name, run] :
         {std::pair("RATES", rates), std::pair("FIELD", field), std::pair("NAMELESS", nameless),
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
    EXPECT_THAT(import(run).schedule_ends(), ElementsAre(100.0, 200.0));
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
    EXPECT_THAT(notes_, IsEmpty());
    EXPECT_NEAR(dataset.schedule_rates()[3] / dataset.schedule_rates()[2], 2.01, 1e-4);
}

/// A summary of single precision counts days of a late injection to some minutes.
TEST_F(RunWellsTest, EndsPeriodsOnTheDaysOfStatesDecadesAfterTheStart) {
    WellRun run;
    run.days = {0.0, 36525.0, 36525.0 + 36.525, 36525.0 + 109.575, 36525.0 + 365.25};
    run.wells = {{"A", 1, 1, 4, {0.0, 0.0, 3e5, 1e5, 6e5}}};
    run.step_at_states();
    run.add("WGIT", "A", run.total(0));
    run.add("FGIT", "", run.field_total());
    options_.set["injection_start"] = 36525.0;
    const Dataset dataset = import(run);
    EXPECT_EQ(dataset.schedule_ends(), dataset.times());
    for (std::size_t period = 0; period < 3; ++period) {
        EXPECT_NEAR(dataset.schedule_rates()[period] / (std::array{3e5, 1e5, 6e5}[period] * 365.25 * co2_density / 1e9),
                    1.0, 1e-5);
    }
}

TEST_F(RunWellsTest, TakesARunWithoutInjectionForACaseOfRateZero) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 0.0, 0.0}}};
    run.later_gas = 0.0;
    run.step_at_states();
    run.add("FGIT", "", {0.0, 0.0});
    EXPECT_THAT(error_of(run), AllOf(HasSubstr("no perforated cell in the formation, since nothing is injected"),
                                     HasSubstr("set wells with the rate 0")));
    const auto well = [this](double rate) {
        options_.set["wells"] = Json::Array{Json::Object{{"i", 1}, {"j", 1}, {"rate", rate}}};
    };
    well(0.0);
    const Dataset dataset = import(run);
    EXPECT_EQ(dataset.scalar("injection_rate")[0], 0.0F);
    EXPECT_EQ(rate(dataset, 1, 1), 0.0);
    EXPECT_EQ(map(dataset, "perforation")[0], 1.0F);
    EXPECT_THAT(notes_, IsEmpty());
    EXPECT_THAT(validate(options_.output), IsEmpty());
    well(0.3);
    EXPECT_NEAR(import(run).scalar("injection_rate")[0], 0.3, 1e-6);
    EXPECT_THAT(notes_,
                ElementsAre(HasSubstr("the summary of the run counts no injected gas, but the values state 0.3")));
}

TEST_F(RunWellsTest, CountsFromTheStartOfARunWhoseFirstTotalIsNoNumber) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", {std::nan(""), 2e8});
    EXPECT_NEAR(import(run).scalar("injection_rate")[0], 1e6 * co2_density * 365.25 / 1e9, 1e-5);
}

TEST_F(RunWellsTest, LeavesProducersOut) {
    WellRun run;
    run.days = {0.0, 365.0, 730.0, 1095.0};
    run.wells = {{"PROD", 4, 3, 1, {0.0, -500.0, -500.0, -500.0}}, {"INJ", 1, 1, 4, {0.0, 0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", {0.0, 3.65e8, 7.3e8});
    options_.constant_rates = true;
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
    run.has_rates = false;  // ICON says open for both at all times
    run.wells[1].status = {-1000, -1000, 1, 1};
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

/// A takes the upper cell of a column in the first half, B the lower one in the second.
TEST_F(RunWellsTest, SaysThatWellsInOneColumnTakeTurns) {
    WellRun run;
    run.wells = {{"A", 2, 1, 4, {0.0, 1e6, 0.0}, {1.0, 0.0}}, {"B", 2, 1, 4, {0.0, 0.0, 1e6}, {0.0, 1.0}}};
    run.wells[0].open = {{1, 0}, {1, 0}, {1, 0}};
    run.wells[1].open = {{0, 1}, {0, 1}, {0, 1}};
    run.step_at_states();
    run.add("WGIT", "A", run.total(0));
    run.add("WGIT", "B", run.total(1));
    run.add("FGIT", "", run.field_total());
    const auto is_named = HasSubstr("the wells A, B share a column of the grid, and the gas moves");
    import(run);
    EXPECT_THAT(notes_, Contains(is_named));
    run.wells[1].j = 2;
    import(run);
    EXPECT_THAT(notes_, Not(Contains(is_named))) << "columns of their own have schedules of their own";
    run.wells[1].j = 1;
    run.wells[1].shares = {1.0, 0.0};
    run.wells[1].open = run.wells[0].open;
    import(run);
    EXPECT_THAT(notes_, Not(Contains(is_named))) << "both take the same cell";
}

/// Both inject at all times, but ever more of the gas goes to the lower cell.
TEST_F(RunWellsTest, SaysThatTheGasOfAColumnMovesBetweenItsWells) {
    WellRun run;
    run.wells = {{"A", 2, 1, 4, {0.0, 9e5, 1e5}, {1.0, 0.0}}, {"B", 2, 1, 4, {0.0, 1e5, 9e5}, {0.0, 1.0}}};
    run.wells[0].open = {{1, 0}, {1, 0}, {1, 0}};
    run.wells[1].open = {{0, 1}, {0, 1}, {0, 1}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    import(run);
    EXPECT_THAT(notes_, Contains(HasSubstr("the wells A, B share a column of the grid")));
    run.wells[0].rates = {0.0, 5e5, 5.5e5};
    run.wells[1].rates = {0.0, 5e5, 4.5e5};  // 5 % of the gas moves
    import(run);
    EXPECT_THAT(notes_, Not(Contains(HasSubstr("share a column"))));
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
    EXPECT_THAT(error_of(later),
                AllOf(HasSubstr("3.65e+09 sm3 of gas were injected before day 3650"), Not(HasSubstr("counted back"))));
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
    options_.set["injection_rate"] = 1e6 * co2_density * 365.25 / 1e9;
    EXPECT_THAT(error_of(run), HasSubstr(says));
    options_.set["injection_start"] = 100.0;
    run.later_gas = 0.0;
    EXPECT_THAT(import(run).times(), ElementsAre(100.0, 200.0));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(RunWellsTest, StatesConnectionFactorsThatAreNotThoseOfAVerticalWell) {
    WellRun run;
    run.wells = {{"INJ", 2, 1, 4, {0.0, 1e6, 1e6}}};
    run.factor = box_connection_factor(100.0, 100.0, 10.0, 100.0, 100.0, 0.1);
    EXPECT_FALSE(import(run).has("well_connection_factor"));
    run.factor *= 0.25;  // skin, or a well along the layers
    const Dataset dataset = import(run);
    EXPECT_FLOAT_EQ(map(dataset, "well_connection_factor")[1], static_cast<float>(run.factor));
    EXPECT_FLOAT_EQ(map(dataset, "well_connection_factor")[13], static_cast<float>(3.0 * run.factor));
    EXPECT_EQ(map(dataset, "well_connection_factor")[0], 0.0F);
    EXPECT_FALSE(dataset.has("transmissibility_x"));
    EXPECT_THAT(validate(options_.output), Each(Field(&Violation::is_error, false)));
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

}  // namespace
}  // namespace plumecast::testing
