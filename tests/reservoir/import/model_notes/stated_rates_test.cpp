#include "reservoir/import/model_notes/stated_rates.hpp"

#include <gmock/gmock.h>

#include "reservoir/import/run_import_test.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StatedRatesTest : public RunImportTest {};

CaseValues values_of(std::optional<double> rate, const std::vector<double>& rates_of_wells) {
    CaseValues values;
    values.injection_rate = rate;
    for (const double one : rates_of_wells) {
        values.wells.emplace_back().rate = one;
    }
    return values;
}

TEST(StatedRates, NameARateThatItsWellsDoNotAddUpTo) {
    const auto notes_of = [](const CaseValues& values) {
        std::vector<std::string> notes;
        note_wells_departure(values, notes);
        return notes;
    };
    EXPECT_THAT(notes_of(values_of(0.3, {0.06, 0.04})),
                ElementsAre(AllOf(HasSubstr("injection_rate states 0.3 Mt/year"), HasSubstr("add up to 0.1 Mt/year"))));
    EXPECT_THAT(notes_of(values_of(0.0, {0.1})), ElementsAre(HasSubstr("injection_rate states 0 Mt/year")));
    EXPECT_THAT(notes_of(values_of(0.3, {0.1, 0.201})), IsEmpty()) << "within 1 %";
    EXPECT_THAT(notes_of(values_of(0.3, {0.0})), IsEmpty()) << "a well without a rate tells its place alone";
    EXPECT_THAT(notes_of(values_of(0.3, {})), IsEmpty());
    EXPECT_THAT(notes_of(values_of({}, {0.1})), IsEmpty());
}

/// 1e6 sm3/day of 1.87 kg/sm3 are 0.683 Mt/year.
TEST_F(StatedRatesTest, NameARateThatTheRunAndSurfaceDensityDoNotGive) {
    WellRun run;
    run.wells = {{"INJ", 1, 1, 4, {0.0, 1e6, 1e6}}};
    run.step_at_states();
    run.add("FGIT", "", run.field_total());
    const auto is_named = [](const char* stated) {
        return AllOf(HasSubstr(stated), HasSubstr("but what the run injects is 0.683 Mt/year by surface_density"));
    };
    options_.set["injection_rate"] = 0.5;
    EXPECT_FLOAT_EQ(import(run).scalar("injection_rate")[0], 0.5F);
    EXPECT_THAT(notes_, ElementsAre(is_named("the values state 0.5 Mt/year")));
    options_.set["injection_rate"] = 0.684;
    import(run);
    EXPECT_THAT(notes_, IsEmpty());
    options_.set = Json::Object{{"surface_density", co2_density}, {"temperature", 60.0}};
    options_.set["wells"] = Json::Array{Json::Object{{"i", 1}, {"j", 1}, {"rate", 0.3}}};
    import(run);
    EXPECT_THAT(kept_notes(), Contains(is_named("the values state 0.3 Mt/year")));
    options_.set = Json::Object{{"injection_rate", 0.3}, {"temperature", 60.0}};  // tells what the gas weighs
    import(run);
    EXPECT_THAT(notes_, IsEmpty());
}

}  // namespace
}  // namespace plumecast::testing
