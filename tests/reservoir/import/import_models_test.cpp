#include <plumecast/reservoir/import/import.hpp>

#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/model_files.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ImportModelsTest : public TemporaryFolder {
   protected:
    ImportModelsTest() {
        options_.output = (folder_ / "data.h5").string();
        options_.set = Json::Object{{"injection_rate", 0.5},
                                    {"temperature", 60.0},
                                    {"irreducible_water_saturation", 0.2},
                                    {"van_genuchten_lambda", 0.5}};
    }
    Dataset import(const std::vector<std::string>& sources) {
        options_.sources = sources;
        import_models(options_);
        return Dataset(options_.output);
    }
    std::string error_of(const std::vector<std::string>& sources) {
        options_.sources = sources;
        try {
            import_models(options_);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    std::string save(const RadialRun& run, const std::string& name = "CASE") { return run.save(folder_ / name); }
    static std::vector<float> map(const Dataset& dataset, const char* name, std::int64_t which = 0) {
        std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
        dataset.read_map(name, {&which, 1}, values);
        return values;
    }
    static std::vector<float> output(const Dataset& dataset, const char* name, std::int64_t which = 0) {
        std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
        dataset.read_output(name, {&which, 1}, values);
        return values;
    }

    ImportOptions options_;
};

TEST_F(ImportModelsTest, BringsARadialRunOntoItsRings) {
    const Dataset dataset = import({save({})});
    EXPECT_THAT(dataset.r_edges(), ElementsAre(0.5, 10.0, 40.0, 100.0));
    EXPECT_THAT(dataset.z_edges(), ElementsAre(0.0, 5.0, 10.0));
    EXPECT_THAT(dataset.times(), ElementsAre(1.0, 10.0));
    EXPECT_THAT(map(dataset, "porosity"), ElementsAre(FloatEq(0.05F), FloatEq(0.055F), FloatEq(0.06F), FloatEq(0.065F),
                                                      FloatEq(0.07F), FloatEq(0.075F)));
    EXPECT_THAT(map(dataset, "permeability_r"), ElementsAre(50.0, 50.5, 51.0, 51.5, 52.0, 52.5));
    EXPECT_THAT(map(dataset, "permeability_z"), ElementsAre(10.0, 11.0, 12.0, 13.0, 14.0, 15.0));
    EXPECT_THAT(map(dataset, "perforation"), ElementsAre(1, 0, 0, 0, 0, 0));
    EXPECT_THAT(output(dataset, "pressure_buildup"), ElementsAre(1, 1, 1, 1, 1, 1, 10, 10, 10, 10, 10, 10));
    EXPECT_FLOAT_EQ(output(dataset, "gas_saturation")[0], 0.1F);
    EXPECT_FLOAT_EQ(output(dataset, "gas_saturation")[6], 0.2F);
    EXPECT_FLOAT_EQ(dataset.scalar("initial_pressure")[0], 99.5F);  // 100 at 2.5 m, 101 at 7.5 m
    EXPECT_FLOAT_EQ(dataset.scalar("thickness")[0], 10.0F);
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, ConvertsUnitsByTheFilesSystem) {
    RadialRun field;
    field.unit_system = 2;
    field.length = 0.3048;
    field.pressure = 0.0689475729317831;
    const Dataset metric = import({save({}, "METRIC")});
    const std::vector<float> buildup = output(metric, "pressure_buildup");
    const Dataset same = import({save(field, "FIELD")});
    EXPECT_NEAR(same.r_edges()[3], 100.0, 1e-4);
    EXPECT_NEAR(same.z_edges()[2], 10.0, 1e-3);
    for (std::size_t i = 0; i < buildup.size(); ++i) {
        EXPECT_NEAR(output(same, "pressure_buildup")[i], buildup[i], 1e-4F);
    }
    EXPECT_NEAR(same.scalar("initial_pressure")[0], metric.scalar("initial_pressure")[0], 1e-2);
}

TEST_F(ImportModelsTest, SpreadsActiveCellsOverTheGrid) {
    RadialRun run;
    run.rows = 3;
    run.active = {1, 1, 1, 1, 0, 1, 0, 0, 0};
    const Dataset dataset = import({save(run)});
    EXPECT_THAT(map(dataset, "active"), ElementsAre(1, 1, 1, 1, 0, 1, 0, 0, 0));
    EXPECT_THAT(map(dataset, "permeability_z"), ElementsAre(10, 11, 12, 13, 0, 14, 0, 0, 0));
    EXPECT_FLOAT_EQ(dataset.scalar("thickness")[0], 10.0F);
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, LeavesOutRowsAboveTheFormation) {
    RadialRun run;
    run.rows = 3;
    run.active = {0, 0, 0, 1, 1, 1, 1, 1, 1};
    options_.set["perforation"] = Json::Array{2.5, 10.0};
    const Dataset dataset = import({save(run)});
    EXPECT_THAT(dataset.z_edges(), ElementsAre(0.0, 5.0, 10.0));
    EXPECT_THAT(map(dataset, "perforation"), ElementsAre(0.5, 0, 0, 1, 0, 0));
    EXPECT_THAT(map(dataset, "active"), Each(1.0F));
}

TEST_F(ImportModelsTest, StandsThinnerFormationsInTheUpperRows) {
    RadialRun thick;
    thick.rows = 3;
    const Dataset dataset = import({save({}, "THIN"), save(thick, "THICK")});
    EXPECT_EQ(dataset.rows(), 3);
    EXPECT_THAT(map(dataset, "active", 0), ElementsAre(1, 1, 1, 1, 1, 1, 0, 0, 0));
    EXPECT_THAT(map(dataset, "active", 1), Each(1.0F));
    EXPECT_EQ(output(dataset, "pressure_buildup", 0)[8], 0.0F);
    EXPECT_EQ(output(dataset, "pressure_buildup", 0)[9], 10.0F);
}

TEST_F(ImportModelsTest, ReadsNumberedFilesAsItReadsUnifiedOnes) {
    const RadialRun run;
    const std::string root = save(run);
    const std::vector<float> unified = output(import({root}), "gas_saturation");
    std::filesystem::remove(root + ".UNRST");
    for (std::size_t step = 0; step < 3; ++step) {
        RadialRun::write(root + ".X000" + std::to_string(step),
                         integers("INTEHEAD", run.integer_head()) + run.state(step));
    }
    EXPECT_EQ(output(import({root + ".EGRID"}), "gas_saturation"), unified);
}

TEST_F(ImportModelsTest, WorksOutTheRateFromTheSummary) {
    options_.set = Json::Object{{"surface_density", 1.8684},
                                {"temperature", 60.0},
                                {"irreducible_water_saturation", 0.2},
                                {"van_genuchten_lambda", 0.5}};
    const Dataset dataset = import({save({})});
    EXPECT_NEAR(dataset.scalar("injection_rate")[0], 1e7 * 1.8684 / 1e9 / (10.0 / 365.25), 1e-6);
}

TEST_F(ImportModelsTest, InjectsIntoTheWholeRingWhatARunInjectsIntoAWedge) {
    options_.set = Json::Object{{"surface_density", 1.8684},
                                {"temperature", 60.0},
                                {"irreducible_water_saturation", 0.2},
                                {"van_genuchten_lambda", 0.5}};
    RadialRun run;
    const Dataset ring = import({save(run, "RING")});
    const std::vector<float> rate = ring.scalar("injection_rate"), mass = injected_mass(ring);
    run.wedge = 10.0;
    options_.sources = {save(run, "WEDGE")};
    const ImportReport report = import_models(options_);
    const Dataset wedge(options_.output);
    EXPECT_NEAR(wedge.scalar("injection_rate")[0], 36.0F * rate[0], 1e-3F * rate[0]);
    EXPECT_NEAR(injected_mass(wedge)[1], 36.0F * mass[1], 1e-3F * mass[1]);
    EXPECT_THAT(report.assumptions, ElementsAre(HasSubstr("the cells are a wedge of 10 degrees")));
    // A rate that the values state is that of the ring.
    options_.set["injection_rate"] = 0.5;
    EXPECT_FLOAT_EQ(import({save(run, "WEDGE")}).scalar("injection_rate")[0], 0.5F);
}

TEST_F(ImportModelsTest, PoreVolumesOfCylindricalCoordinatesBecomePorosityOrANote) {
    std::string grid = "SPECGRID\n 2 1 1 1 T /\nCOORD\n";
    for (const double angle : {0.0, 90.0}) {
        for (const double r : {0.5, 10.0, 40.0}) {
            grid += fmt::format(" {0} {1} 1000 {0} {1} 1010\n", r, angle);
        }
    }
    grid += "/\nZCORN\n 8*1000 8*1010 /\nPORO\n 2*0.2 /\nPERMX\n 2*100 /\nPERMZ\n 2*10 /\n";
    options_.set["initial_pressure"] = 100.0;
    options_.set["times"] = Json::Array{10.0};
    options_.set["perforation"] = Json::Array{0.0, 10.0};
    const auto import_text = [&](const std::string& more) {
        RadialRun::write(folder_ / "RINGS.GRDECL", grid + more);
        options_.sources = {(folder_ / "RINGS.GRDECL").string()};
        const ImportReport report = import_models(options_);
        return std::pair(map(Dataset(options_.output), "porosity"), report.notes);
    };
    // A quarter of the ring from 10 to 40 m, 10 m high, with a porosity of 0.3.
    const double volume = 0.3 * 0.25 * std::numbers::pi * (1600.0 - 100.0) * 10.0;
    const auto [porosity, notes] = import_text(fmt::format("PORV\n 1* {} /\n", volume));
    EXPECT_THAT(porosity, ElementsAre(FloatEq(0.2F), FloatNear(0.3F, 1e-5F)));
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_THAT(notes[0].line(), HasSubstr("pore volumes of 1 cell are 1.5 times PORO x NTG x cell volume"));
    const auto [kept, of_aquifer] = import_text("MULTPV\n 1 1000 /\n");
    EXPECT_FLOAT_EQ(kept[1], 0.2F);
    ASSERT_EQ(of_aquifer.size(), 1u);
    EXPECT_THAT(of_aquifer[0].line(), HasSubstr("which is left out: a data set holds porosities up to 1"));
}

TEST_F(ImportModelsTest, AsksForAMapOfFilesThatHoldArrays) {
    for (const char* name : {"a.npy", "a.npz", "A.MAT", "a.nc"}) {
        RadialRun::write(folder_ / name, "arrays");
        EXPECT_THAT(error_of({(folder_ / name).string()}), HasSubstr("write a map and give it in ImportOptions::map"));
    }
    RadialRun::write(folder_ / "a.pt", "tensors");
    EXPECT_THAT(error_of({(folder_ / "a.pt").string()}), HasSubstr("scripts/convert/convert_tensors.py"));
    EXPECT_THAT(error_of({(folder_ / "missing.npy").string()}), HasSubstr("cannot read"));
    const std::string run = save({});
    RadialRun::write(run + ".mat", "what another program made of the run");
    EXPECT_EQ(import({run + ".EGRID", run + ".mat"}).cases(), 1);
}

TEST_F(ImportModelsTest, TakesTheRateFromTheInjectingPeriod) {
    options_.set = Json::Object{{"surface_density", 1.8684},
                                {"temperature", 60.0},
                                {"irreducible_water_saturation", 0.2},
                                {"van_genuchten_lambda", 0.5}};
    RadialRun run;
    run.days = {0.0, 1.0, 5.0, 10.0};
    run.injected = {{1.0F, 1e6F}, {2.0F, 2e6F}, {4.0F, 2e6F}, {10.0F, 2e6F}};
    const double density = 1.8684 / 1e9;
    options_.constant_rates = true;
    options_.sources = {save(run)};
    const ImportReport report = import_models(options_);
    ASSERT_EQ(report.assumptions.size(), 1u);
    EXPECT_THAT(report.assumptions[0], HasSubstr("CASE: injection ends on day 2 of 10"));
    const Dataset stopped(options_.output);
    EXPECT_NEAR(stopped.scalar("injection_rate")[0], 1e6 * density * 365.25, 1e-6);
    const std::vector<float> mass = injected_mass(stopped);
    EXPECT_THAT(mass,
                ElementsAre(FloatEq(static_cast<float>(1e6 * density)), FloatEq(static_cast<float>(2e6 * density)),
                            FloatEq(static_cast<float>(2e6 * density))));
    // A rate that is stated holds for the injecting period too.
    options_.set["injection_rate"] = 3.6525;
    options_.set["surface_density"] = 1.0;
    EXPECT_FLOAT_EQ(injected_mass(import({save(run)}))[2], 0.02F);
    EXPECT_FLOAT_EQ(Dataset(options_.output).scalar("injection_rate")[0], 3.6525F);
}

TEST_F(ImportModelsTest, MakesAScheduleOfARateThatChanges) {
    RadialRun run;
    run.days = {0.0, 2.0, 5.0, 8.0, 10.0};
    run.injected = {{1.0F, 1e6F}, {2.0F, 2e6F}, {4.0F, 2e6F}, {6.0F, 8e6F}, {8.0F, 1.4e7F}, {10.0F, 1.4e7F}};
    options_.set["injection_rate"] = 1.0;
    const std::string changing = save(run);
    const Dataset dataset = import({changing});
    const double density = 6.0 / 365.25 / 1.4e7;  // [Mt/sm3], by the rate while something is injected
    EXPECT_THAT(dataset.schedule_ends(), ElementsAre(2.0, 4.0, 8.0, 10.0));
    const auto rate = [density](double volume) { return FloatEq(static_cast<float>(volume * density * 365.25)); };
    EXPECT_THAT(dataset.schedule_rates(), ElementsAre(rate(1e6), 0.0F, rate(3e6), 0.0F));
    EXPECT_THAT(dataset.scalar("injection_rate"), ElementsAre(rate(1.4e7 / 8.0)));
    const InjectionSchedule schedule = schedule_of(dataset, 0);
    const std::vector<float> mass = injected_mass(dataset);
    for (std::size_t t = 0; t < mass.size(); ++t) {
        EXPECT_NEAR(schedule.injected(dataset.times()[t]), static_cast<double>(mass[t]), 1e-5 * mass[t]);
    }
    EXPECT_THAT(validate(options_.output), IsEmpty());
    options_.sources = {changing};
    EXPECT_THAT(import_models(options_).assumptions, IsEmpty());
}

TEST_F(ImportModelsTest, KeepsOneScheduleOfRunsThatChangeOnOtherDays) {
    RadialRun first, second;
    first.injected = {{5.0F, 5e6F}, {10.0F, 5e6F}};
    second.injected = {{4.0F, 0.0F}, {10.0F, 6e6F}};
    const std::vector<std::string> sources = {save(first, "FIRST"), save(second, "SECOND"), save({}, "STEADY")};
    const Dataset dataset = import(sources);
    EXPECT_THAT(dataset.schedule_ends(), ElementsAre(4.0, 5.0, 10.0));
    const std::vector<float>& rates = dataset.schedule_rates();
    ASSERT_EQ(rates.size(), 9u);
    EXPECT_GT(rates[0], 0.0F);
    EXPECT_EQ(rates[0], rates[1]);
    EXPECT_EQ(rates[2], 0.0F);
    EXPECT_EQ(rates[3], 0.0F);
    EXPECT_GT(rates[4], 0.0F);
    EXPECT_EQ(rates[4], rates[5]);
    EXPECT_THAT(schedule_of(dataset, 2).ends, IsEmpty());
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, SaysThatInjectionBeginsLateOrVariesWhereOneRateIsAskedFor) {
    options_.constant_rates = true;
    RadialRun late;
    late.injected = {{4.0F, 0.0F}, {7.0F, 3e6F}, {10.0F, 6e6F}};
    options_.sources = {save(late)};
    EXPECT_THAT(import_models(options_).assumptions, ElementsAre(HasSubstr("injection begins on day 4")));
    EXPECT_THAT(injected_mass(Dataset(options_.output)), ElementsAre(0.0F, FloatEq(0.5F * 6.0F / 365.25F)));
    RadialRun varied;
    varied.injected = {{5.0F, 1e6F}, {10.0F, 6e6F}};
    options_.sources = {save(varied)};
    EXPECT_THAT(import_models(options_).assumptions, ElementsAre(HasSubstr("the rate varies")));
    options_.sources = {save({})};
    EXPECT_THAT(import_models(options_).assumptions, IsEmpty());
}

TEST_F(ImportModelsTest, KeepsGridAndTimesOfTheDataSetNamedByLike) {
    RadialRun thick;
    thick.rows = 4;
    import({save(thick, "THICK")});
    const std::string like = (folder_ / "like.h5").string();
    std::filesystem::rename(options_.output, like);
    options_.like = like;
    RadialRun thin;
    thin.days = {0.0, 1.0, 3.0, 10.0};
    const Dataset dataset = import({save(thin, "THIN")});
    EXPECT_THAT(dataset.z_edges(), ElementsAre(0.0, 5.0, 10.0, 15.0, 20.0));
    EXPECT_THAT(dataset.times(), ElementsAre(1.0, 10.0));
    EXPECT_THAT(map(dataset, "active"), ElementsAre(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(validate(options_.output), IsEmpty());
    RadialRun thicker;
    thicker.rows = 5;
    EXPECT_THAT(error_of({save(thicker, "THICKER")}), HasSubstr("another grid than " + like));
    RadialRun other_days;
    other_days.days = {0.0, 1.0, 11.0};
    other_days.injected.back().first = 11.0F;
    EXPECT_THAT(error_of({save(other_days, "LATE")}), HasSubstr("no state 10 days after the start"));
}

TEST_F(ImportModelsTest, CountsFromTheStartOfInjectionAndKeepsTheDaysAskedFor) {
    RadialRun run;
    run.days = {0.0, 1.0, 3.0, 11.0};
    run.injected = {{1.0F, 0.0F}, {11.0F, 1e7F}};
    options_.set["injection_start"] = 1.0;
    options_.set["times"] = Json::Array{10.0};
    const Dataset dataset = import({save(run)});
    EXPECT_THAT(dataset.times(), ElementsAre(10.0));
    EXPECT_THAT(output(dataset, "pressure_buildup"), Each(FloatEq(10.0F)));
}

TEST_F(ImportModelsTest, TakesValuesBesideARunBeforeThoseForAll) {
    const std::string root = save({});
    write(root + ".plumecast.json", R"({"temperature": 80})");
    write(folder_ / "values.json", R"({"temperature": 70, "injection_rate": 0.5, "irreducible_water_saturation": 0.2,
                                       "van_genuchten_lambda": 0.5})");
    options_.set = Json::Object{};
    options_.values = (folder_ / "values.json").string();
    EXPECT_EQ(import({root}).scalar("temperature")[0], 80.0F);
    options_.set["temperature"] = 90.0;
    EXPECT_EQ(import({root}).scalar("temperature")[0], 90.0F);
}

TEST_F(ImportModelsTest, TakesTheTemperatureInTheMiddleOfTheActiveRowsOfACylinderThatGrowsWarmer) {
    RadialRun run;
    run.rows = 3;
    run.active = {1, 1, 1, 1, 0, 1, 0, 0, 0};  // to 1010 m
    const std::string root = save(run);
    write(root + ".DATA", "SOLUTION\nRTEMPVD\n 0 15 2000 95 /\n");
    options_.set =
        Json::Object{{"injection_rate", 0.5}, {"irreducible_water_saturation", 0.2}, {"van_genuchten_lambda", 0.5}};
    const Dataset dataset = import({root});
    EXPECT_DOUBLE_EQ(dataset.stated("temperature_gradient").value_or(0.0), 0.04);
    EXPECT_NEAR(dataset.scalar("temperature")[0], 15.0 + 0.04 * 1005.0, 1e-4);
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, BringsAModelOntoABoxOfItsCells) {
    options_.grid = ImportGrid::box;
    const Dataset dataset = import({save({})});
    EXPECT_EQ(dataset.geometry(), Geometry::cartesian);
    EXPECT_EQ(dataset.space(), (Shape{2, 1, 3}));
    const auto& volumes = dataset.cell_values("cell_volume");
    ASSERT_EQ(volumes.size(), 6u);
    EXPECT_NEAR(volumes[1], std::numbers::pi * (1600.0 - 100.0) * 5.0, 0.05);
    EXPECT_NEAR(dataset.cell_values("cell_centre_z")[4], 7.5, 1e-4);
    EXPECT_THAT(map(dataset, "permeability_y"), ElementsAre(45.0, 45.5, 46.0, 46.5, 47.0, 47.5));
    EXPECT_THAT(map(dataset, "cell_injection_rate"), ElementsAre(0.5, 0, 0, 0, 0, 0));
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, MakesInputsOfPropertiesOnTheGridOfAnotherDataSet) {
    const std::string like = write_sample(ScratchFolder());
    import({save({})});
    const std::string first = (folder_ / "like.h5").string();
    std::filesystem::rename(options_.output, first);
    write(folder_ / "model.grdecl", "PORO\n 6*0.2 /\nPERMX\n 3*100 3*50 /\nPERMZ\n 6*10 /\nACTNUM\n 5*1 0 /\n");
    options_.like = first;
    options_.set["initial_pressure"] = 150.0;
    options_.set["perforation"] = Json::Array{0.0, 5.0};
    const Dataset dataset = import({(folder_ / "model.grdecl").string()});
    EXPECT_FALSE(dataset.has_outputs());
    EXPECT_THAT(dataset.times(), ElementsAre(1.0, 10.0));
    EXPECT_THAT(map(dataset, "permeability_r"), ElementsAre(100, 100, 100, 50, 50, 0));
    EXPECT_THAT(map(dataset, "perforation"), ElementsAre(1, 0, 0, 0, 0, 0));
    EXPECT_THAT(validate(options_.output), IsEmpty());
}

TEST_F(ImportModelsTest, ReadsTheGridOfAGrdeclFile) {
    write(folder_ / "model.grdecl",
          "SPECGRID\n 2 2 1 1 F /\nCOORD\n"
          "0 0 0 0 0 1  10 0 0 10 0 1  20 0 0 20 0 1\n0 10 0 0 10 1  10 10 0 10 10 1  20 10 0 20 10 1\n"
          "0 20 0 0 20 1  10 20 0 10 20 1  20 20 0 20 20 1 /\nZCORN\n 16*1000 16*1004 /\n"
          "PORO\n 4*0.2 /\nPERMX\n 4*100 /\nPERMZ\n 4*10 /\n");
    options_.set["initial_pressure"] = 150.0;
    options_.set["times"] = Json::Array{1.0, 10.0};
    EXPECT_THAT(error_of({(folder_ / "model.grdecl").string()}), HasSubstr("no perforated cell"));
    options_.set["wells"] = Json::Array{Json::Object{{"i", 2}, {"j", 1}, {"rate", 0.5}}};
    const Dataset dataset = import({(folder_ / "model.grdecl").string()});
    EXPECT_THAT(dataset.cell_values("cell_volume"), Each(FloatNear(400.0F, 1e-3F)));
    EXPECT_THAT(map(dataset, "cell_injection_rate"), ElementsAre(0, 0.5, 0, 0));
    EXPECT_THAT(map(dataset, "permeability_y"), Each(100.0F));
}

TEST_F(ImportModelsTest, NamesWhatIsMissingAndHowToSupplyIt) {
    const std::string root = save({});
    for (const char* key : {"injection_rate", "temperature", "irreducible_water_saturation", "van_genuchten_lambda"}) {
        const Json all = options_.set;
        std::erase_if(*options_.set.get_if<Json::Object>(), [&](const auto& entry) { return entry.first == key; });
        EXPECT_THAT(error_of({root}), HasSubstr(std::string("CASE: no ") + key)) << key;
        options_.set = all;
    }
    options_.set["temprature"] = 60.0;
    EXPECT_THAT(error_of({root}), HasSubstr("temperature"));
    EXPECT_FALSE(std::filesystem::exists(options_.output));
}

TEST_F(ImportModelsTest, RefusesRunsThatDoNotFitTogether) {
    RadialRun other_days;
    other_days.days = {0.0, 1.0, 11.0};
    other_days.injected.back().first = 11.0F;
    EXPECT_THAT(error_of({save({}, "A"), save(other_days, "B")}), HasSubstr("B: 2 snapshots, "));
    RadialRun other_lengths;
    other_lengths.length = 2.0;
    EXPECT_THAT(error_of({save({}, "A"), save(other_lengths, "B")}), HasSubstr("the rings have other radii"));
    EXPECT_EQ(entries(), 10u);
}

TEST_F(ImportModelsTest, RefusesDamagedOrIncompleteRuns) {
    RadialRun late;
    late.days = {0.5, 1.0};
    EXPECT_THAT(error_of({save(late)}), HasSubstr("no state on day 0"));
    const std::string root = save({});
    RadialRun::write(root + ".UNRST", RadialRun().restart().substr(0, 3000));
    EXPECT_THAT(error_of({root}), HasSubstr("CASE.UNRST: byte "));
    save({});
    std::filesystem::remove(root + ".INIT");
    EXPECT_THAT(error_of({root}), HasSubstr("CASE: no INIT file"));
    RadialRun laboratory;
    laboratory.unit_system = 3;
    EXPECT_THAT(error_of({save(laboratory)}), HasSubstr("LAB units"));
    RadialRun smaller;
    smaller.rows = 1;
    save({});
    RadialRun::write(root + ".INIT", smaller.initial());
    EXPECT_THAT(error_of({root}), HasSubstr("PORO with 3 values for a grid of 6 cells"));
    EXPECT_THAT(error_of({(folder_ / "nothing").string()}), HasSubstr("nothing"));
}

TEST_F(ImportModelsTest, LeavesNothingWhenItIsStopped) {
    options_.sources = {save({})};
    options_.progress = [](std::string_view phase, std::int64_t, std::int64_t) { return phase == "importing"; };
    EXPECT_FALSE(import_models(options_).is_complete);
    EXPECT_EQ(entries(), 5u);
}

TEST_F(ImportModelsTest, NotesWhereEachCaseCameFrom) {
    std::filesystem::create_directory(folder_ / "one");
    std::filesystem::create_directory(folder_ / "two");
    import({save({}, "one/CASE"), save({}, "two/CASE")});
    const std::string bytes = read(options_.output);
    EXPECT_THAT(bytes, HasSubstr("one/CASE"));
    EXPECT_THAT(bytes, HasSubstr("two/CASE"));
    EXPECT_THAT(bytes, Not(HasSubstr(folder_.filename().string())));
}

}  // namespace
}  // namespace plumecast::testing
