#include <limits>

#include <gmock/gmock.h>

#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/import/run_import_test.hpp"
#include "reservoir/import/runs/step_order.hpp"

/// Files of a run that contradict each other, repeat themselves or end early.
namespace plumecast {
namespace {

using namespace plumecast::testing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double not_numbered = std::numeric_limits<double>::quiet_NaN();
constexpr double thousand_cubic_feet = 28.316846592;
constexpr double rate_of_a_million = 1e6 * 1.87e-9 * 365.25;  // [Mt/year], 1e6 sm3 a day

/// A well of 1e6 sm3 a day, with the total of the field.
WellRun steady_run(std::vector<double> days = {0.0, 100.0, 200.0}) {
    WellRun run;
    run.days = std::move(days);
    run.wells = {{"A", 1, 1, 4, std::vector<double>(run.days.size(), 1e6)}};
    run.wells[0].rates[0] = 0.0;
    return run;
}

class RunStepsTest : public RunImportTest {};

TEST(StepOrder, SortsNumberedStepsAndKeepsWhatWasWrittenLast) {
    const StepOrder whole = step_order("RUN", {0, 10, 20}, {0, 1, 2});
    EXPECT_THAT(whole.steps, ElementsAre(0, 1, 2));
    EXPECT_THAT(whole.note, IsEmpty());
    EXPECT_THAT(step_order("RUN", {0, 20, 10}, {0, 2, 1}).steps, ElementsAre(0, 2, 1));
    EXPECT_THAT(step_order("RUN", {0, 20, 10}, {0, 2, 1}).note, HasSubstr("not stand in the order of time"));
    const StepOrder anew = step_order("RUN", {0, 10, 20, 30, 10, 25}, {0, 1, 2, 3, 1, 2});
    EXPECT_THAT(anew.steps, ElementsAre(0, 4, 5));
    EXPECT_THAT(anew.note, HasSubstr("3 states are left out"));
    EXPECT_THAT(step_order("RUN", {0, 10, 10, 20}, {not_numbered, not_numbered, not_numbered, not_numbered}).steps,
                ElementsAre(0, 2, 3));
}

TEST(StepOrder, RefusesDaysThatContradictTheNumbers) {
    EXPECT_THROW(step_order("RUN", {0, 20, 10}, {0, 1, 2}), InvalidData);
    EXPECT_THROW(step_order("RUN", {0, 20, 10}, {not_numbered, not_numbered, not_numbered}), InvalidData);
}

TEST_F(RunStepsTest, ReadsStatesInTheOrderOfTime) {
    WellRun run = steady_run({0.0, 200.0, 100.0, 300.0});
    run.numbers = {0, 2, 1, 3};
    run.steps = {{100.0F}, {200.0F}, {300.0F}};
    run.add("FGIT", "", {1e8, 2e8, 3e8});
    const Dataset dataset = import(run);
    EXPECT_THAT(dataset.times(), ElementsAre(100.0, 200.0, 300.0));
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], rate_of_a_million, 1e-5);
    EXPECT_THAT(kept_notes(), Contains(HasSubstr("not stand in the order of time")));
}

TEST_F(RunStepsTest, TakesTheLastOfARunThatWasStartedAnew) {
    WellRun run = steady_run({0.0, 100.0, 200.0, 100.0, 300.0});
    run.numbers = {0, 1, 2, 1, 2};
    run.steps = {{100.0F}, {200.0F}, {100.0F}, {300.0F}};
    run.add("FGIT", "", {5e8, 9e8, 1e8, 3e8});
    const Dataset dataset = import(run);
    EXPECT_THAT(dataset.times(), ElementsAre(100.0, 300.0));
    EXPECT_THAT(injected_mass(dataset), ElementsAre(FloatNear(0.187F, 1e-5F), FloatNear(0.561F, 1e-5F)));
    EXPECT_THAT(kept_notes(), AllOf(Contains(HasSubstr("2 states are left out")),
                                    Contains(HasSubstr("the summary goes back in time"))));
}

TEST_F(RunStepsTest, NamesTheStateThatLacksAnArray) {
    WellRun run = steady_run();
    run.save(folder_ / "RUN");
    WellRun::write(folder_ / "RUN.UNRST",
                   integers("SEQNUM", {0}) + run.state(0) + integers("SEQNUM", {1}) + integers("INTEHEAD", run.head()));
    options_.sources = {(folder_ / "RUN").string()};
    try {
        import_models(options_);
        ADD_FAILURE() << "the second state has no time";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("RUN.UNRST: no DOUBHEAD (in state 2 of 2: "));
    }
    WellRun::write(folder_ / "RUN.UNRST", "");
    try {
        import_models(options_);
        ADD_FAILURE() << "there is no state";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("RUN.UNRST: the file is empty"));
    }
}

TEST_F(RunStepsTest, VectorsHaveTheUnitThatTheSummaryStates) {
    WellRun run = steady_run();
    run.step_at_states();
    run.add("FGIT", "", {1e8 / thousand_cubic_feet, 2e8 / thousand_cubic_feet});
    run.add("WBHP", "A", {2175.57, 2175.57});
    run.add("WGIR", "A", {1e6 / thousand_cubic_feet, 1e6 / thousand_cubic_feet});
    run.units = {"DAYS", "MSCF", "PSIA", "MSCF/DAY"};
    const Dataset dataset = import(run);
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], rate_of_a_million, 1e-5);
    EXPECT_THAT(notes_, IsEmpty());
    run.units[1] = "KSM3";
    EXPECT_THAT(error_of(run), HasSubstr("RUN.SMSPEC: FGIT in 'KSM3' (SM3, MSCF and SCC are read)"));
    run.units = {"YEARS", "MSCF", "PSIA", "MSCF/DAY"};
    EXPECT_THAT(error_of(run), HasSubstr("RUN.SMSPEC: TIME in 'YEARS'"));
}

TEST_F(RunStepsTest, RefusesStatesInOtherUnitsThanTheProperties) {
    WellRun run = steady_run();
    run.state_units = 2;
    EXPECT_THAT(error_of(run),
                AllOf(HasSubstr("RUN.UNRST: INTEHEAD declares FIELD units"), HasSubstr("RUN.INIT has METRIC")));
}

TEST_F(RunStepsTest, RefusesATotalThatFallsAndASummaryThatEndsEarly) {
    WellRun run = steady_run({0.0, 100.0, 200.0, 300.0});
    WellRun falls = run;
    falls.step_at_states();
    falls.add("FGIT", "", {1e8, 2e8, 1e8});
    EXPECT_THAT(error_of(falls), AllOf(HasSubstr("RUN: FGIT falls from 2e+08 to 1e+08 sm3 on day 300"),
                                       HasSubstr("choose times up to day 200")));
    options_.set["times"] = Json(Json::Array{100.0, 200.0});
    EXPECT_NEAR(import(falls).scalar("injection_rate")[0], rate_of_a_million, 1e-5);
    WellRun ends = run;
    ends.steps = {{100.0F}};
    ends.add("FGIT", "", {1e8});
    EXPECT_THAT(error_of(ends), HasSubstr("RUN: the summary ends on day 100 (a state of day 200 is imported"));
    options_.set["times"] = Json(Json::Array{100.0});
    EXPECT_NEAR(import(ends).scalar("injection_rate")[0], rate_of_a_million, 1e-5);
}

TEST_F(RunStepsTest, CountsGasThatComesBackIntoAWell) {
    WellRun run = steady_run();
    run.wells.push_back({"B", 4, 3, 4, run.wells[0].rates});
    run.wells[0].shares = {1.5, -0.5};
    run.step_at_states();
    run.add("FGIT", "", {2e8, 4e8});
    const Dataset dataset = import(run);
    EXPECT_NEAR(rate(dataset, 1, 1), rate_of_a_million, 1e-5);
    EXPECT_NEAR(rate(dataset, 4, 3), rate_of_a_million, 1e-5);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("up to 33 % of the gas of A comes back into the well")));
}

TEST_F(RunStepsTest, SubtractsWhatConnectionsGaveBackFromTheirTotals) {
    WellRun run = steady_run({0.0, 100.0, 200.0, 300.0});
    RunWell& well = run.wells[0];  // 1e8 sm3 in each step
    well.rates = {0.0, 1e6, 1e6, 1e6};
    well.entered = {{0.0, 0.0}, {8e7, 2e7}, {2.1e8, 2e7}, {3.4e8, 2e7}};
    well.returned = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 3e7}, {0.0, 3.5e7}};  // the lower one gives back more than it got
    const auto share_below = [&](const Dataset& dataset) {
        const std::vector<float> cells = map(dataset, "cell_injection_rate");
        return static_cast<double>(cells[12]) / static_cast<double>(cells[0] + cells[12]);
    };
    for (const bool has_summary : {false, true}) {
        if (has_summary) {
            run.step_at_states();
            run.add("FGIT", "", {1e8, 2e8, 3.25e8});
        }
        const Dataset dataset = import(run);
        EXPECT_NEAR(injected_mass(dataset).back(), 0.60775F, 1e-4) << "3.25e8 sm3";
        EXPECT_EQ(share_below(dataset), 0.0);
        EXPECT_THAT(notes_, Contains(HasSubstr("up to 23 % of the gas of A comes back into the well")));
    }
    well.entered = {{0.0, 0.0}, {5e7, 5e7}, {1.8e8, 5e7}, {2.8e8, 5e7}};
    well.returned = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 3e7}, {0.0, 3e7}};
    run.steps.clear();
    EXPECT_NEAR(share_below(import(run, "TOTALS")), 2e7 / 3e8, 1e-6);
}

TEST_F(RunStepsTest, DoesNotTakeWhatAProducerProducedForGasThatComesBack) {
    WellRun run = steady_run({0.0, 100.0, 200.0});
    RunWell& well = run.wells[0];
    well.rates = {0.0, 1e6, 1e6};
    well.entered = {{0.0, 0.0}, {6e7, 4e7}, {1.2e8, 8e7}};
    well.returned = {{0.0, 0.0}, {9e7, 9e7}, {9e7, 9e7}};  // from years of production before
    well.kind = 1;
    const std::vector<float> cells = map(import(run), "cell_injection_rate");
    EXPECT_NEAR(static_cast<double>(cells[12]) / static_cast<double>(cells[0]), 2.0 / 3.0, 1e-6);
}

TEST_F(RunStepsTest, SaysThatGasMovesBetweenConnections) {
    WellRun run = steady_run();
    run.wells[0].shares_at = {{0.5, 0.5}, {1.0, 0.0}, {0.0, 1.0}};
    run.step_at_states();
    run.add("FGIT", "", {1e8, 2e8});
    const Dataset dataset = import(run);
    EXPECT_NEAR(map(dataset, "cell_injection_rate")[0], 0.5 * rate_of_a_million, 1e-5);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("the gas of A moves between its connections")));
}

TEST_F(RunStepsTest, SaysHowMuchGasGoesIntoInactiveCells) {
    WellRun run = steady_run();
    run.step_at_states();
    run.add("FGIT", "", {1e8, 2e8});
    const std::string root = run.save(folder_ / "RUN");
    std::vector<double> volumes(WellRun::cells, 2e4);
    volumes[0] = 0.0;
    WellRun::write(root + ".INIT", run.initial() + doubles("PORV", volumes));
    const Dataset dataset = import_files(root);
    EXPECT_NEAR(map(dataset, "cell_injection_rate")[12], rate_of_a_million, 1e-5);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("50 % of the gas goes into cells that are not active")));
}

}  // namespace
}  // namespace plumecast
