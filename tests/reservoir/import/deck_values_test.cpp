#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/import/run_import_test.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// What the deck beside a run and its tables tell of rock, temperature and saturation functions.
class DeckValuesTest : public RunImportTest {
   protected:
    DeckValuesTest() { options_.set = Json::Object{{"surface_density", co2_density}}; }

    static WellRun run_from(double top) {
        WellRun run;
        run.wells = {{"A", 1, 1, 4, {0.0, 1e5, 1e5}}};
        run.top = top;
        return run;
    }
    std::string save(const std::string& name, const WellRun& run, const std::string& deck) const {
        WellRun::write(folder_ / (name + ".DATA"), deck);
        return run.save(folder_ / name);
    }
    Dataset import_all(const std::vector<std::string>& roots) {
        options_.sources = roots;
        notes_ = import_models(options_).assumptions;
        return Dataset(options_.output);
    }
};

TEST_F(DeckValuesTest, NamesTheLimitOfTheWellsPressureThatARunComesTo) {
    WellRun run = run_from(1000.0);  // whose well has 150 bar
    const auto notes_of = [&](const std::string& name, const std::string& limit) {
        import_files(save(name, run,
                          "RUNSPEC\nSCHEDULE\nWCONINJE\n A GAS OPEN RATE 1e5 1* " + limit +
                              " /\n B GAS OPEN RATE 1e5 2* 950 /\n/\nTSTEP\n 100 /\n"));
        return kept_notes();
    };
    options_.set.get_if<Json::Object>()->emplace_back("temperature", 60.0);
    EXPECT_THAT(notes_of("HELD", "150.1"), Contains(HasSubstr("WCONINJE limits the pressure in a well to 150.1 bar")));
    EXPECT_THAT(notes_of("FREE", "160"), Not(Contains(HasSubstr("WCONINJE"))));
    EXPECT_THAT(notes_of("NONE", "1*"), Not(Contains(HasSubstr("WCONINJE"))));
    run.pressure = 0.0689475729317831;
    run.unit_system = 2;
    run.length = 0.3048;
    run.gas = 28.316846592;
    EXPECT_THAT(notes_of("FIELD", "2175.57"), Contains(HasSubstr("to 150 bar, which the run comes to")));
}

TEST_F(DeckValuesTest, AreTakenInTheUnitsOfTheDeck) {
    WellRun run = run_from(1000.0);
    run.unit_system = 2;
    run.length = 0.3048;
    run.pressure = 0.0689475729317831;
    run.gas = 28.316846592;
    const Dataset field = import_files(
        save("FIELD", run, "RUNSPEC\nFIELD\nPROPS\nROCK\n 1* 3e-6 /\nSOLUTION\nRTEMPVD\n 3000 100 4000 140 /\n"));
    const RockFluidSettings rock = rock_fluid_of(field);
    EXPECT_NEAR(rock.rock_compressibility, 3e-6 / run.pressure, 1e-12);
    EXPECT_NEAR(rock.temperature_gradient, 0.04 / 1.8 / run.length, 1e-6);
    const double middle = 100.0 + 0.04 * (1010.0 / run.length - 3000.0);  // [degF]
    EXPECT_NEAR(field.scalar("temperature")[0], (middle - 32.0) / 1.8, 1e-3);
    EXPECT_THAT(validate(options_.output), IsEmpty());
    const Dataset metric = import_files(
        save("METRIC", run_from(1000.0), "PROPS\nROCK\n 100 6e-5 /\nSOLUTION\nTEMPVD\n 0 15 1000 40 2000 90 /\n"));
    EXPECT_DOUBLE_EQ(rock_fluid_of(metric).rock_compressibility, 6e-5);
    EXPECT_NEAR(rock_fluid_of(metric).temperature_gradient, 0.05, 1e-6);
    EXPECT_NEAR(metric.scalar("temperature")[0], 40.5, 1e-3);
}

TEST_F(DeckValuesTest, OfOneLineOfTemperatureFitAtAnyDepth) {
    const std::string line = "SOLUTION\nRTEMPVD\n 0 15 3000 104.9 /\n";
    const std::string high = save("HIGH", run_from(1000.0), line), low = save("LOW", run_from(1137.0), line);
    const Dataset dataset = import_all({high, low});
    EXPECT_NEAR(rock_fluid_of(dataset).temperature_gradient, 89.9 / 3000.0, 1e-9);
    EXPECT_NEAR(dataset.scalar("temperature")[1] - dataset.scalar("temperature")[0], 137.0 * 89.9 / 3000.0, 1e-4);
    const std::string other = save("OTHER", run_from(1000.0), "SOLUTION\nRTEMPVD\n 0 15 3000 105 /\n");
    try {
        import_all({high, other});
        ADD_FAILURE() << "one gradient for two";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("OTHER: temperature_gradient is 0.03"), HasSubstr("import the cases")));
    }
}

TEST_F(DeckValuesTest, OfDifferentRockAreLeftOutWithANote) {
    options_.set["temperature"] = 60.0;
    const std::string stiff = save("STIFF", run_from(1000.0), "PROPS\nROCK\n 100 4.5e-5 /\n");
    const std::string soft = save("SOFT", run_from(1000.0), "PROPS\nROCK\n 100 5e-5 /\n");
    const std::string silent = save("SILENT", run_from(1000.0), "PROPS\n");
    const auto is_named = Contains(AllOf(HasSubstr("rock_compressibility is "), HasSubstr("none is stated")));
    EXPECT_EQ(import_all({stiff, soft}).attribute("rock_compressibility"), "");
    EXPECT_THAT(notes_, is_named);
    EXPECT_EQ(import_all({stiff, silent}).attribute("rock_compressibility"), "");
    EXPECT_THAT(notes_, Contains(HasSubstr("not stated")));
    options_.set["rock_compressibility"] = 6e-5;
    EXPECT_DOUBLE_EQ(rock_fluid_of(import_all({stiff, soft})).rock_compressibility, 6e-5);
    EXPECT_THAT(notes_, Not(is_named));
}

TEST_F(DeckValuesTest, NameTheRecordsThatAreLeftOut) {
    options_.set["temperature"] = 60.0;
    import_files(save("RUN", run_from(1000.0), "PROPS\nROCK\n 100 4e-5 /\n 100 5e-5 /\n"));
    EXPECT_THAT(kept_notes(), Contains(HasSubstr("ROCK of further regions (ROCKNUM)")));
}

TEST_F(DeckValuesTest, AreTheTablesOfTheRegions) {
    options_.set["temperature"] = 60.0;
    WellRun run = run_from(1000.0);
    run.phases = 6;  // water and gas
    std::vector<int> extents(30, 1);
    extents[20] = 21;               // SWFN
    extents[21] = extents[22] = 2;  // rows, tables
    extents[23] = 1;                // SGFN
    extents[24] = extents[25] = 2;
    const std::vector<double> tables = {
        0.0, 0.8, 0.1, 0.6, 0.0, 0.9, 0.0, 0.5, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,  // of gas, columns of both tables; of water
        0.2, 1.0, 0.4, 1.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.5,
        0.2, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    std::vector<int> regions(WellRun::cells / 2, 2);
    regions.insert(regions.end(), WellRun::cells / 2, 1);
    run.of_initial = integers("SATNUM", regions) + integers("TABDIMS", extents) + doubles("TAB", tables);
    const Dataset dataset = import(run);
    EXPECT_EQ(map(dataset, "saturation_region")[0], 2.0F);
    EXPECT_EQ(map(dataset, "saturation_region")[12], 1.0F);
    const SaturationTables found = saturation_tables(dataset, 0);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_DOUBLE_EQ(found[0].back().gas_saturation, 0.8);
    EXPECT_DOUBLE_EQ(found[0].back().gas_permeability, 0.9);
    EXPECT_DOUBLE_EQ(found[0].back().capillary_pressure, 2.0);
    EXPECT_DOUBLE_EQ(found[1].back().gas_permeability, 0.5);
    EXPECT_DOUBLE_EQ(found[1].front().capillary_pressure, 0.1);
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

}  // namespace
}  // namespace plumecast::testing
