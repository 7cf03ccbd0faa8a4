#include "service/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "service/problem.hpp"
#include "support/small_scenario.hpp"

namespace plumecast::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Axes axes = testing::small_axes();

Json one_case() {
    Json one = testing::small_case();
    one["injection_rate"] = 1.0;
    return one;
}

Json without_rate() {
    Json one = one_case();
    std::erase_if(*one.get_if<Json::Object>(), [](const auto& entry) { return entry.first == "injection_rate"; });
    return one;
}

Json body_of(Json::Array cases) { return Json::Object{{"cases", std::move(cases)}}; }

Scenario read(const Json& body, const Limits& limits = {}) { return read_scenario(body, axes, limits); }

std::string message_of(const Json& body) {
    try {
        read(body);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::string message_with(const char* key, Json value) {
    Json one = one_case();
    one[key] = std::move(value);
    return message_of(body_of({one}));
}

TEST(Scenario, MakesADataSetThatKeepsToTheFormat) {
    const Scenario scenario = read(body_of({one_case(), one_case()}));
    const Dataset dataset(views_of(scenario.content));
    EXPECT_EQ(dataset.cases(), 2);
    EXPECT_EQ(dataset.times(), axes.at("times"));
    EXPECT_THAT(scenario.content.arrays.at("active"), ElementsAre(1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0));
    EXPECT_THAT(scenario.notes, ElementsAre(ElementsAre(), ElementsAre()));
}

TEST(Scenario, InjectsAtOneRateAsLongAsTheModelKnows) {
    Axes known = axes;
    known[times_at_one_rate] = {1.0, 40.0};
    const Json rate = body_of({one_case(), one_case()});
    EXPECT_THAT(read_scenario(rate, known, {}).content.times, ElementsAre(1.0, 40.0));
    EXPECT_EQ(size_asked_for(rate, known).values, 2 * 6 * 2);
    EXPECT_EQ(read_scenario(rate, axes, {}).content.times, axes.at("times"));
    Json scheduled = without_rate();
    scheduled["schedule"] = Json::Array{Json::Object{{"until", 50.0}, {"rate", 1.0}}};
    EXPECT_EQ(read_scenario(body_of({one_case(), scheduled}), known, {}).content.times, axes.at("times"));
    Json stated = rate;
    stated["times"] = Json::Array{2.0, 90.0};
    EXPECT_THAT(read_scenario(stated, known, {}).content.times, ElementsAre(2.0, 90.0));
}

TEST(Scenario, SaysOfTrappedGasNothingUnlessACaseDoes) {
    EXPECT_FALSE(read(body_of({one_case()})).content.arrays.contains("residual_gas_saturation"));
    Json trapping = one_case();
    trapping["residual_gas_saturation"] = 0.3;
    const Scenario scenario = read(body_of({one_case(), trapping}));
    EXPECT_THAT(scenario.content.arrays.at("residual_gas_saturation"), ElementsAre(0.0F, 0.3F));
    EXPECT_EQ(Dataset(views_of(scenario.content)).scalar("residual_gas_saturation")[1], 0.3F);
    EXPECT_THAT(message_with("residual_gas_saturation", 0.6), HasSubstr("admissible are 0 to 0.5"));
    trapping["irreducible_water_saturation"] = 0.7;
    EXPECT_THAT(message_of(body_of({trapping})),
                HasSubstr("cases[0].residual_gas_saturation is 0.3 (it leaves no room beside"));
}

TEST(Scenario, LimitsThePressureInWellsWhereACaseDoes) {
    EXPECT_FALSE(read(body_of({one_case()})).content.arrays.contains("bottom_hole_pressure_limit"));
    Json limited = one_case();
    limited["bottom_hole_pressure_limit"] = 180.0;
    const Scenario scenario = read(body_of({limited, one_case()}));
    EXPECT_THAT(scenario.content.arrays.at("bottom_hole_pressure_limit"), ElementsAre(180.0F, 10000.0F));
    EXPECT_THAT(message_with("bottom_hole_pressure_limit", -1.0),
                HasSubstr("cases[0].bottom_hole_pressure_limit is -1"));
}

TEST(Scenario, LimitsTheRateOfDissolutionWhereACaseDoes) {
    EXPECT_FALSE(read(body_of({one_case()})).content.arrays.contains("dissolution_rate_limit"));
    Json limited = one_case();
    limited["dissolution_rate_limit"] = 0.5;
    const Scenario scenario = read(body_of({one_case(), limited}));
    EXPECT_THAT(scenario.content.arrays.at("dissolution_rate_limit"), ElementsAre(1e6F, 0.5F));
    EXPECT_THAT(message_with("dissolution_rate_limit", -1.0), HasSubstr("cases[0].dissolution_rate_limit is -1"));
}

TEST(Scenario, KnowsItsSizeBeforeItsCasesAreRead) {
    Json::Array edges;
    for (int i = 0; i <= 2700; ++i) {
        edges.emplace_back(static_cast<double>(i));
    }
    const Json unread = Json::Object{{"porosity", "a text"}};
    const Json body = Json::Object{{"cases", Json::Array{unread, unread}},
                                   {"times", Json::Array{1.0, 2.0, 3.0}},
                                   {"grid", Json::Object{{"r_edges", edges}, {"z_edges", edges}}}};
    const AskedSize size = size_asked_for(body, axes);
    EXPECT_EQ(size.cases, 2);
    EXPECT_EQ(size.values, std::int64_t{2} * 2700 * 2700 * 3);
    EXPECT_EQ(size_asked_for(body_of({one_case()}), axes).values, 2 * 3 * 2);
}

TEST(Scenario, ReadsNumbersProfilesAndMaps) {
    Json one = one_case();
    one["permeability_r"] = Json::Array{1.0, 2.0};
    one["permeability_z"] = Json::Array{Json::Array{3.0, 4.0}, Json::Array{5.0, 6.0}, 7.0};
    const Scenario scenario = read(body_of({one}));
    EXPECT_THAT(scenario.content.arrays.at("permeability_r"), ElementsAre(1, 1, 2, 2, 0, 0));
    EXPECT_THAT(scenario.content.arrays.at("permeability_z"), ElementsAre(3, 4, 5, 6, 0, 0));
    EXPECT_THAT(scenario.content.arrays.at("porosity"), ElementsAre(0.2F, 0.2F, 0.2F, 0.2F, 0, 0));
}

TEST(Scenario, OpensTheWellBetweenDepths) {
    Json one = one_case();
    one["perforation"] = Json::Object{{"top", 5.0}, {"bottom", 12.0}};
    EXPECT_THAT(read(body_of({one})).content.arrays.at("perforation"),
                ElementsAre(0.5F, 0, ::testing::FloatEq(0.2F), 0, 0, 0));
    EXPECT_THAT(read(body_of({one_case()})).content.arrays.at("perforation"), ElementsAre(1, 0, 1, 0, 0, 0));
    EXPECT_THAT(message_with("perforation", Json::Object{{"top", 25.0}, {"bottom", 30.0}}),
                HasSubstr("request: cases[0].perforation is open from 25 to 30 m (the formation has 20 m"));
}

TEST(Scenario, TakesWholeRowsOfTheThicknessAndSaysSo) {
    Json one = one_case();
    one["thickness"] = 18.0;
    const Scenario scenario = read(body_of({one}));
    EXPECT_THAT(scenario.content.arrays.at("thickness"), ElementsAre(20.0F));
    EXPECT_THAT(scenario.notes[0], ElementsAre(HasSubstr("computed with 20 m")));
    EXPECT_THAT(message_with("thickness", 40.0), HasSubstr("the rows of the grid hold 10 to 30 m"));
}

TEST(Scenario, GivesCasesTheEndsOfAllSchedules) {
    Json stopped = without_rate();
    stopped["schedule"] = Json::Array{Json::Object{{"until", 50.0}, {"rate", 2.0}}};
    const Scenario scenario = read(body_of({stopped, one_case()}));
    EXPECT_THAT(scenario.content.schedule_ends, ElementsAre(50.0, 100.0));
    EXPECT_THAT(scenario.content.arrays.at("schedule_rate"), ElementsAre(2, 0, 1, 1));
    EXPECT_FALSE(scenario.content.arrays.contains("injection_rate"));
    EXPECT_EQ(Dataset(views_of(scenario.content)).schedule_ends().size(), 2U);
}

TEST(Scenario, NamesTheEntryThatIsWrong) {
    EXPECT_THAT(message_with("porosity", 2.0), HasSubstr("request: cases[0].porosity is 2 (admissible"));
    EXPECT_THAT(message_with("porosity", Json::Array{0.1, "x"}),
                HasSubstr("request: cases[0].porosity[1] is a string"));
    EXPECT_THAT(message_with("porosity", Json::Array{0.1}), HasSubstr("the formation has 2 rows"));
    EXPECT_THAT(message_with("porosty", 0.1), HasSubstr("did you mean 'porosity'?"));
    EXPECT_THAT(message_of(Json::Object{{"case", 1}}), HasSubstr("request: cases is missing"));
    EXPECT_THAT(message_of(body_of({})), HasSubstr("request: cases is empty"));
}

TEST(Scenario, RefusesMoreThanTheLimits) {
    Limits limits;
    limits.cases = 1;
    EXPECT_THROW(read(body_of({one_case(), one_case()}), limits), Problem);
    limits = {};
    limits.values = 11;
    EXPECT_THROW(read(body_of({one_case()}), limits), Problem);
    limits.values = 12;
    EXPECT_NO_THROW(read(body_of({one_case()}), limits));
}

TEST(Scenario, TakesAGridOfItsOwn) {
    Json body = body_of({one_case()});
    body["grid"] = Json::Object{{"r_edges", Json::Array{0.1, 50.0}}, {"z_edges", Json::Array{0.0, 20.0}}};
    body["times"] = Json::Array{10.0};
    EXPECT_EQ(read(body).content.arrays.at("porosity").size(), 1U);
    body["times"] = Json::Array{10.0, 10.0};
    EXPECT_THAT(message_of(body), HasSubstr("request: times[1] is 10"));
}

}  // namespace
}  // namespace plumecast::service
