#include "reservoir/import/model_notes/value_ranges.hpp"

#include <limits>

#include <plumecast/core/shape.hpp>

#include "reservoir/import/deck_import_test.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ValueRangesTest : public DeckImportTest {
   protected:
    static std::string rock(const std::string& porosity, const std::string& more = "") {
        return box_grid_text() + "PORO\n " + porosity + " /\nPERMX\n 24*100 /\nPERMZ\n 24*10 /\n" + more;
    }
};

TEST(ValueRanges, KnowsTheNumbersThatStandForNoValue) {
    for (const double value : {-99.0, -999.0, -999.25, -9999.0, 1e20, 1e30, -1e30, 9.96921e36,
                               static_cast<double>(-999.99F), std::numeric_limits<double>::infinity()}) {
        EXPECT_TRUE(is_undefined(value)) << value;
    }
    for (const double value : {0.0, 0.2, 20.0, -0.2, -1.0, 100.0, 1e7, 999.0}) {
        EXPECT_FALSE(is_undefined(value)) << value;
    }
}

TEST(ValueRanges, NamesCaseCellAndRangeOfInputs) {
    const Shape space{2, 3};
    const auto error_of = [&](const std::map<std::string, std::vector<float>>& arrays) -> std::string {
        try {
            require_input_ranges("A.h5", 4, arrays, Geometry::radial, space);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    };
    std::vector<float> porosity(6, 0.2F);
    const std::vector<float> active = {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 0.0F};
    porosity[5] = 20.0F;
    EXPECT_EQ(error_of({{"porosity", porosity}, {"active", active}, {"injection_rate", {1.0F}}}), "");
    porosity[4] = 20.0F;
    EXPECT_EQ(error_of({{"porosity", porosity}, {"active", active}}),
              "A.h5: porosity of case 4, cell [1, 1] is 20 (porosity, from 1e-06 to 1); divide by 100 where the "
              "values are per cent, or correct it");
    EXPECT_THAT(error_of({{"injection_rate", {-0.5F}}}),
                HasSubstr("injection_rate of case 4 is -0.5 Mt/year (CO2 mass injected per year, from 0 to 1000)"));
    EXPECT_THAT(error_of({{"initial_pressure", {-10.0F}}}), HasSubstr("initial_pressure of case 4 is -10 bar"));
    EXPECT_EQ(error_of({{"gas_saturation", {7.0F}}, {"injected_mass", {-1.0F}}}), "") << "no inputs";
}

TEST_F(ValueRangesTest, RefusesFractionsOutOfTheirRange) {
    EXPECT_THAT(error_of_text(rock("23*0.2 20")),
                AllOf(HasSubstr("MODEL.GRDECL: PORO of cell (4, 3, 2) is 20 (the pore volume as a fraction of the "
                                "volume, from 0 to 1)"),
                      HasSubstr("divide by 100 where the values are per cent")));
    EXPECT_THAT(error_of_text(rock("-0.2 23*0.2")), HasSubstr("PORO of cell (1, 1, 1) is -0.2"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "NTG\n 5*1 1.2 18*1 /\n")), HasSubstr("NTG of cell (2, 2, 1) is 1.2"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "NTG\n 24*80 /\n")), HasSubstr("per cent"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "PERMY\n 24*-5 /\n")), HasSubstr("PERMY of cell (1, 1, 1) is -5"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "PERMY\n 24*1e8 /\n")), HasSubstr("a permeability in mD, from 0 to"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "PORV\n 20000 -1 22* /\n")), HasSubstr("PORV with -1 at place 2"));
    EXPECT_THAT(error_of_text(rock("24*0.2", "MULTPV\n 24*-1 /\n")), HasSubstr("MULTPV with -1 at place 1"));
    EXPECT_EQ(count_active(text(rock("23*0.2 20", "ACTNUM\n 23*1 0 /\n"))), 23) << "an inactive cell may hold anything";
}

TEST_F(ValueRangesTest, CellsWithoutAValueAreInactiveAndCounted) {
    const Dataset dataset = text(rock("21*0.2 -999 -999.25 1e20"));
    EXPECT_EQ(count_active(dataset), 21);
    EXPECT_EQ(map(dataset, "porosity")[23], 0.0F);
    EXPECT_THAT(notes(), ElementsAre("PORO of 3 cells is -999, which stands for no value: they are made inactive"));
    ASSERT_EQ(report_.notes.size(), 1u);
    EXPECT_THAT(report_.notes[0].line(), StartsWith("PORO of 3 cells is -999"));
    EXPECT_EQ(count_active(text(rock("23*0.2 -999", "PERMY\n 2*-9999 21*100 -9999 /\n"))), 21);
    EXPECT_THAT(notes(), ElementsAre("PERMY of 2 cells is -9999, which stands for no value: they are made inactive",
                                     "PORO of 1 cell is -999, which stands for no value: it is made inactive"));
    EXPECT_EQ(count_active(text(rock("23*0.2 -999", "ACTNUM\n 23*1 0 /\n"))), 23);
    EXPECT_THAT(notes(), IsEmpty()) << "ACTNUM excludes it";
}

TEST_F(ValueRangesTest, RunsAreHeldToTheSame) {
    BoxRun run;
    run.of_initial = run.cell_array("NTG", 1.5);
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("RUN: NTG of cell (1, 1, 1) is 1.5"));
    std::vector<double> net(box_cells, 1.0);
    net[0] = -999.0;
    net[7] = 1e20;
    run.of_initial = doubles("NTG", net);
    run.pore_volumes.clear();
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_EQ(count_active(dataset), 22);
    EXPECT_THAT(notes(), Contains("NTG of 2 cells is -999, which stands for no value: they are made inactive"));
}

TEST_F(ValueRangesTest, RefusesPressuresBelowZero) {
    BoxRun run;
    run.save(folder_ / "RUN");
    std::string bytes = run.restart();
    const std::string first = run.cell_array("PRESSURE", 100.0 + 365.0 / 100.0);
    ASSERT_NE(bytes.find(first), std::string::npos);
    std::vector<double> pressures(box_cells, 103.0);
    pressures[9] = -5.0;
    bytes.replace(bytes.find(first), first.size(), doubles("PRESSURE", pressures));
    RadialRun::write(folder_ / "RUN.UNRST", bytes);
    EXPECT_THAT(error_of((folder_ / "RUN").string()),
                HasSubstr("RUN: PRESSURE of cell (2, 3, 1) is -5 bar on day 365 (absolute pressures lie above 0)"));
}

TEST_F(ValueRangesTest, RefusesStatedValuesOutOfTheirRange) {
    for (const auto& [key, value, says] :
         {std::tuple("injection_rate", -0.5, "injection_rate: -0.5 Mt/year is outside of 0 to 1000 Mt/year"),
          std::tuple("initial_pressure", -10.0, "initial_pressure: -10 bar is outside of 1 to 2000 bar"),
          std::tuple("temperature", 1000.0, "temperature: 1000 degC is outside of 0 to 400 degC"),
          std::tuple("van_genuchten_lambda", 40.0, "van_genuchten_lambda: 40 is outside of 1e-06 to 1 (")}) {
        const Json before = options_.set;
        options_.set[key] = value;
        EXPECT_THAT(error_of_text(rock("24*0.2")), HasSubstr(says));
        options_.set = before;
    }
}

}  // namespace
}  // namespace plumecast::testing
