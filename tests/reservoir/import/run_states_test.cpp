#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/import/run_import_test.hpp"

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
using ::testing::StartsWith;

class RunStatesTest : public RunImportTest {};

TEST_F(RunStatesTest, KeepsTheDateOnWhichInjectionStarts) {
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

TEST_F(RunStatesTest, NamesAStartThatTheCalendarDoesNotHave) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.start = {31, 2, 2020, 0, 0, 0};
    import(run);
    EXPECT_THAT(kept_notes(), ElementsAre(AllOf(HasSubstr("STARTDAT of the summary is 31-2-2020-0-0-0, a day that the "
                                                          "calendar does not have (no date of the start is kept)"),
                                                HasSubstr("correct START"))));
    EXPECT_THAT(bytes(), Not(HasSubstr("start_date")));
    run.start = {29, 2, 2020, 24, 0, 0};
    import(run);
    EXPECT_THAT(kept_notes(), ElementsAre(HasSubstr("(the date of the first state counts instead)")));
    EXPECT_THAT(bytes(), HasSubstr("2020-02-29"));
    run.start = {29, 2, 2020, 0, 0, 0};
    import(run);
    EXPECT_THAT(kept_notes(), IsEmpty());
    run.steps.clear();
    run.start = {31, 2, 2020};
    std::filesystem::remove(folder_ / "RUN.SMSPEC");
    import(run);
    EXPECT_THAT(kept_notes(), Contains(HasSubstr("INTEHEAD of the first state is of 31-2-2020")));
}

TEST_F(RunStatesTest, MakesDissolvedCo2OfTheGasInTheBrine) {
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
    EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr("a formation volume factor of 1"), HasSubstr("RPTRST BO, in OPM"),
                                          HasSubstr("EnableOpmRstFile=true"))));

    run.phases = 7;  // RS counts the gas in oil
    EXPECT_THAT(import(run).outputs(), Not(Contains("dissolved_co2")));
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("RS is left out")));
}

TEST_F(RunStatesTest, NamesTheRatioThatARunWithDissolvedGasDoesNotHold) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.phases = 6;
    run.brine = {{"PCGW", 0.0}};
    const auto notes_with = [&](const std::string& deck) {
        WellRun::write(folder_ / "RUN.DATA", "RUNSPEC\nGAS\n" + deck);
        EXPECT_THAT(import(run).outputs(), Not(Contains("dissolved_co2")));
        return notes_;
    };
    EXPECT_THAT(notes_with("WATER\nCO2STORE\n"), IsEmpty());
    EXPECT_THAT(notes_with("WATER\nCO2STORE\nDISGASW\n"),
                ElementsAre(AllOf(HasSubstr("the restart file holds no RSW"),
                                  HasSubstr("OPM Flow 2024.10 does with its parameter EnableOpmRstFile=true"))));
    run.phases = 5;
    EXPECT_THAT(
        notes_with("OIL\nDISGAS\n"),
        ElementsAre(AllOf(HasSubstr("the restart file holds no RS (the deck has DISGAS)"), HasSubstr("RPTRST RS"))));
    run.phases = 7;  // the oil holds that gas
    EXPECT_THAT(notes_with("OIL\nWATER\nDISGAS\n"), IsEmpty());
}

TEST_F(RunStatesTest, LeavesDissolvedCo2OutWhereBrineHoldsItBeforeInjection) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    run.brine = {{"RS", 20.0}, {"1OVERBO", 0.95}};
    run.initial_brine = 15.0;
    run.of_initial = WellRun::constant("PORV", 2e4);
    EXPECT_THAT(import(run).outputs(), Not(Contains("dissolved_co2")));
    EXPECT_THAT(kept_notes(), ElementsAre(AllOf(HasSubstr("dissolved CO2 is left out"),
                                                HasSubstr("0.0342 times what is injected"), HasSubstr("RSVD"))));
    run.initial_brine = 1.0;  // 0.2 % of what is injected
    EXPECT_THAT(import(run).outputs(), Contains("dissolved_co2"));
    run.of_initial.clear();
    EXPECT_THAT(import(run).outputs(), Not(Contains("dissolved_co2")));
}

TEST_F(RunStatesTest, NamesPressuresThatBrineAtRestDoesNotHave) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    options_.set["initial_pressure"] = 99.5;
    import(run);
    EXPECT_THAT(kept_notes(), IsEmpty());
    run.below = 40.0;
    import(run);
    EXPECT_THAT(kept_notes(), ElementsAre(AllOf(HasSubstr("140 bar in cell (1, 1, 2), 39 bar above"),
                                                HasSubstr("at rest below 99.5 bar at the top"))));
    options_.set["initial_pressure"] = 200.0;  // stated wrong
    run.below = 1.0;
    import(run);
    EXPECT_THAT(kept_notes(), ElementsAre(HasSubstr("100 bar in cell (1, 1, 1), 100 bar below")));
}

TEST_F(RunStatesTest, TakesThePressureOfBrineInRunsOfGasAndWater) {
    WellRun run;
    run.phases = 6;
    run.step_at_states();
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.add("FGIT", "", run.field_total());
    const std::int64_t which = 0;
    const auto buildup = [&](const Dataset& dataset) {
        std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
        dataset.read_output("pressure_buildup", {&which, 1}, values);
        return values.back();
    };
    const float of_gas = buildup(import(run));
    EXPECT_THAT(kept_notes(), Contains(HasSubstr("PRESSURE of a run of gas and water is that of the gas")));
    run.brine = {{"PCGW", 0.25}};
    EXPECT_FLOAT_EQ(buildup(import(run)), of_gas - 0.25F);
    EXPECT_THAT(kept_notes(), Each(Not(HasSubstr("PRESSURE"))));
}

TEST_F(RunStatesTest, WarnsOfARunThatMadeOrLostCo2) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    WellRun made = run;
    made.add("FGIP", "", {1.05e8, 2.252e8});
    import(made);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("RUN: the run made 12.6 % of the injected CO2 up to day 200")));
    EXPECT_THAT(kept_notes(), ElementsAre(StartsWith("the run made 12.6 % of the injected CO2 up to day 200")));
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
    EXPECT_THAT(kept_notes(), IsEmpty());
    WellRun filled = run;  // gas was there before: compared from the first step on
    filled.initial_gas = 0.3;
    filled.add("FGIP", "", {5e8, 6e8});
    import(filled);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("gas is in place before injection")));
}

TEST_F(RunStatesTest, KeepsTheHighestBottomHolePressure) {
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

TEST_F(RunStatesTest, NamesTemperaturesThatChange) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 1e5, 1e5}}};
    const auto notes_of = [&](double before, double after) {
        run.initial_brine = before;
        run.brine = {{"TEMP", after}};
        import(run);
        return kept_notes();
    };
    EXPECT_THAT(notes_of(60.0, 42.0), Contains(HasSubstr("temperatures change by up to -18 degC until day 200")));
    EXPECT_THAT(notes_of(60.0, 60.5), Not(Contains(HasSubstr("temperatures"))));
}

TEST_F(RunStatesTest, NamesOilThatIsNoBrine) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 1e5, 1e5}}};
    run.brine = {{"SOIL", 0.7}};
    const auto is_named = Contains(HasSubstr("oil is in place before injection, up to a saturation of 0.7"));
    import(run);
    EXPECT_THAT(kept_notes(), Not(is_named)) << "of oil and gas alone, the oil is the brine";
    run.phases = 7;
    import(run);
    EXPECT_THAT(kept_notes(), is_named);
    WellRun::write(folder_ / "RUN.DATA", "RUNSPEC\nOIL\nGAS\nWATER\nCO2STORE\n");
    import(run);
    EXPECT_THAT(kept_notes(), Not(is_named));
}

TEST_F(RunStatesTest, RefusesCarbonDioxideThatIsASolvent) {
    WellRun run;
    run.wells = {{"A", 1, 1, 4, {0.0, 1e5, 1e5}}};
    run.brine = {{"SSOL", 0.0}};
    import(run);
    run.brine = {{"SSOL", 0.3}};
    EXPECT_THAT(error_of(run), AllOf(HasSubstr("SSOL up to 0.3"), HasSubstr("run the case with CO2 as the gas")));
}

}  // namespace
}  // namespace plumecast::testing
