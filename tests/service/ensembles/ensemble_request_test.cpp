#include "service/ensembles/ensemble_request.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "service/problem.hpp"
#include "support/small_scenario.hpp"

namespace plumecast::service {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing::small_axes;
using testing::small_case;

Json range(double from, double to, const char* law = "uniform", const char* as = "value") {
    return Json::Object{{"from", from}, {"to", to}, {"law", law}, {"as", as}};
}

Json body_with(Json ranges, Json one = small_case()) {
    return Json::Object{{"case", std::move(one)}, {"ranges", std::move(ranges)}, {"number", 40}, {"seed", 3}};
}

EnsembleRequest ensemble_of(const Json& body, const Limits& limits = {}) { return {body, small_axes(), limits}; }

std::string refusal_of_ensemble(const Json& body, const Limits& limits = {}) {
    try {
        ensemble_of(body, limits);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(EnsembleRequest, DrawsEachInputWithinItsRange) {
    const EnsembleRequest request = ensemble_of(body_with(
        Json::Object{{"injection_rate", range(0.5, 2.0)}, {"permeability_r", range(1.0, 1000.0, "log_uniform")}}));
    const Scenario scenario = request.all_inputs(nullptr);
    std::set<float> rates, permeabilities;
    std::int64_t below = 0;
    for (std::size_t i = 0; i < 40; ++i) {
        const float rate = scenario.content.arrays.at("injection_rate")[i];
        EXPECT_GE(rate, 0.5F);
        EXPECT_LE(rate, 2.0F);
        rates.insert(rate);
        const float permeability = scenario.content.arrays.at("permeability_r")[i * 6];
        permeabilities.insert(permeability);
        below += permeability < std::sqrt(1000.0F) ? 1 : 0;
    }
    EXPECT_THAT(rates, SizeIs(40));
    EXPECT_THAT(permeabilities, SizeIs(40));
    EXPECT_NEAR(static_cast<double>(below), 20.0, 10.0);  // half of the logarithms; of the values hardly any would be
}

TEST(EnsembleRequest, DrawsTheSameFromTheSameSeedHoweverItIsAsked) {
    const Json body = body_with(Json::Object{{"porosity", range(0.1, 0.3)}, {"temperature", range(40.0, 80.0)}});
    const Scenario all = ensemble_of(body).all_inputs(nullptr);
    const Scenario part = ensemble_of(body).scenario(7, 9, nullptr);
    EXPECT_EQ(part.content.arrays.at("temperature")[1], all.content.arrays.at("temperature")[8]);
    EXPECT_EQ(part.content.arrays.at("porosity")[0], all.content.arrays.at("porosity")[7 * 6]);
    Json other = body;
    other["seed"] = 4;
    EXPECT_NE(ensemble_of(other).drawn({"porosity", 0.1, 0.3}, 7), ensemble_of(body).drawn({"porosity", 0.1, 0.3}, 7));
    // A range more leaves the others as they were.
    Json more = body;
    more["ranges"]["salinity"] = range(0.0, 0.1);
    EXPECT_EQ(ensemble_of(more).all_inputs(nullptr).content.arrays.at("porosity"), all.content.arrays.at("porosity"));
}

TEST(EnsembleRequest, LeavesOutWhatMakesNoCaseAndNamesIt) {
    // Either end alone can be computed, the largest of both together cannot.
    const EnsembleRequest request = ensemble_of(body_with(Json::Object{
        {"permeability_r", range(50.0, 9e6)}, {"permeability", range(0.5, 20.0, "uniform", "multiplier")}}));
    const Scenario all = request.all_inputs(nullptr);
    const std::string& told = all.content.attributes.at("realizations_left_out");
    std::size_t left_out = 0;
    for (std::int64_t which = 0; which < request.number(); ++which) {
        try {
            request.scenario(which, which + 1, nullptr);
        } catch (const InvalidInput& error) {
            EXPECT_THAT(error.what(), HasSubstr(fmt::format("realization {}.permeability_r", which)));
            EXPECT_THAT(told, HasSubstr(error.what()));
            ++left_out;
        }
    }
    EXPECT_GT(left_out, 0U);
    EXPECT_EQ(all.content.arrays.at("thickness").size() + left_out, 40U);
}

TEST(EnsembleRequest, MultipliesMapsAndSchedules) {
    const Json usual = small_case();
    Json one = Json::Object{};
    for (const auto& [key, value] : *usual.get_if<Json::Object>()) {
        if (key != "injection_rate") {
            one[key] = value;
        }
    }
    one["schedule"] =
        Json::Array{Json::Object{{"until", 10.0}, {"rate", 1.0}}, Json::Object{{"until", 50.0}, {"rate", 2.0}}};
    one["permeability_r"] = Json::Array{100.0, Json::Array{200.0, 300.0}};
    const EnsembleRequest request =
        ensemble_of(body_with(Json::Object{{"injection_rate", range(0.5, 2.0, "uniform", "multiplier")},
                                           {"permeability", range(0.1, 10.0, "log_uniform", "multiplier")}},
                              one));
    const Scenario scenario = request.scenario(5, 6, nullptr);
    const auto rate = static_cast<float>(request.drawn(request.ranges()[0], 5));
    const auto factor = request.drawn(request.ranges()[1], 5);
    EXPECT_FLOAT_EQ(scenario.content.arrays.at("schedule_rate")[0], rate);
    EXPECT_FLOAT_EQ(scenario.content.arrays.at("schedule_rate")[1], 2.0F * rate);
    EXPECT_FLOAT_EQ(scenario.content.arrays.at("permeability_r")[3], static_cast<float>(300.0 * factor));
    EXPECT_FLOAT_EQ(scenario.content.arrays.at("permeability_z")[0], static_cast<float>(10.0 * factor));
}

TEST(EnsembleRequest, DrawsAHeterogeneityOfTheDeviationAskedFor) {
    Json body = body_with(Json::Object{});
    body["heterogeneity"] = Json::Object{{"deviation", 0.5}, {"correlation_r", 20.0}, {"correlation_z", 5.0}};
    const Scenario scenario = ensemble_of(body).all_inputs(nullptr);
    const std::vector<float>& r = scenario.content.arrays.at("permeability_r");
    const std::vector<float>& z = scenario.content.arrays.at("permeability_z");
    double sum = 0.0, squares = 0.0;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r[i] > 0.0F) {
            const double log = std::log(static_cast<double>(r[i]) / 100.0);
            EXPECT_NEAR(z[i] / r[i], 0.1F, 1e-6F);
            sum += log;
            squares += log * log;
            ++count;
        }
    }
    const double mean = sum / static_cast<double>(count);
    EXPECT_NEAR(mean, 0.0, 0.25);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count) - mean * mean), 0.5, 0.2);
    EXPECT_NE(r[0], r[6]);
}

TEST(EnsembleRequest, SaysWhereAHeterogeneityLeadsBeyondWhatIsAdmissible) {
    Json one = small_case();
    one["permeability_r"] = 0.9 * find_array("permeability_r", Geometry::radial)->high;
    Json body = body_with(Json::Object{}, one);
    body["heterogeneity"] = Json::Object{{"deviation", 2.0}, {"correlation_r", 20.0}, {"correlation_z", 5.0}};
    const EnsembleRequest request = ensemble_of(body);
    std::int64_t bounded = 0, said = 0;
    for (std::int64_t which = 0; which < 10; ++which) {
        const Scenario scenario = request.scenario(which, which + 1, nullptr);
        const auto most = static_cast<float>(find_array("permeability_r", Geometry::radial)->high);
        const auto count = std::ranges::count(scenario.content.arrays.at("permeability_r"), most);
        bounded += count;
        if (count > 0) {
            ASSERT_THAT(scenario.notes[0], SizeIs(1));
            EXPECT_THAT(scenario.notes[0][0], HasSubstr(fmt::format("in {} cells of permeability_r", count)));
            ++said;
        }
    }
    EXPECT_GT(bounded, 0);
    EXPECT_GT(said, 0);
}

TEST(EnsembleRequest, StopsWhereItIsToldTo) {
    Json body = body_with(Json::Object{});
    body["heterogeneity"] = Json::Object{{"deviation", 0.5}, {"correlation_r", 20.0}, {"correlation_z", 5.0}};
    const EnsembleRequest request = ensemble_of(body);
    int questions = 0;
    const StopRequest stop = [&] { return ++questions > 20; };
    EXPECT_THROW(request.all_inputs(stop), Interrupted);
    EXPECT_THROW(request.body(0, 1, stop), Interrupted);
    EXPECT_THROW(request.scenario(0, 1, stop), Interrupted);
    EXPECT_EQ(questions, 23);
}

TEST(EnsembleRequest, IsComputedByAModelOrByPhysics) {
    Json body = body_with(Json::Object{{"porosity", range(0.1, 0.3)}});
    EXPECT_FALSE(ensemble_of(body).is_physics());
    body["method"] = "estimate";
    EXPECT_TRUE(ensemble_of(body).is_physics());
    body["method"] = "physics";
    EXPECT_THAT(refusal_of_ensemble(body), HasSubstr("request: method is 'physics'"));
}

TEST(EnsembleRequest, RefusesAHeterogeneityThatNoRockHas) {
    for (const auto& [key, value] :
         {std::pair("deviation", 6.0), {"correlation_r", 1e-300}, {"correlation_z", 1e300}}) {
        Json body = body_with(Json::Object{});
        body["heterogeneity"] = Json::Object{{"deviation", 0.5}, {"correlation_r", 20.0}, {"correlation_z", 5.0}};
        body["heterogeneity"][key] = value;
        EXPECT_THAT(refusal_of_ensemble(body), HasSubstr(std::string("heterogeneity.") + key + " is "));
    }
}

TEST(EnsembleRequest, GivesTheScenarioOfARealization) {
    const EnsembleRequest request = ensemble_of(body_with(Json::Object{{"porosity", range(0.1, 0.3)}}));
    const Scenario alone = read_scenario(request.body(11, 12, nullptr), small_axes(), {});
    EXPECT_EQ(alone.content.arrays.at("porosity")[0],
              request.all_inputs(nullptr).content.arrays.at("porosity")[11 * 6]);
    EXPECT_THAT(alone.notes, SizeIs(1));
}

TEST(EnsembleRequest, RefusesRangesOfWhichNoCaseCanBeMade) {
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"porosity", range(0.1, 1.3)}})),
                HasSubstr("request: ranges.porosity.to makes a case that cannot be computed"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"porosty", range(0.1, 0.3)}})),
                HasSubstr("did you mean 'porosity'?"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"porosity", range(0.3, 0.1)}})),
                HasSubstr("ranges.porosity.to is 0.1"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"salinity", range(0.0, 0.1, "log_uniform")}})),
                HasSubstr("ranges.salinity.from is 0"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"salinity", range(0.5, 2.0, "uniform", "multiplier")}})),
                HasSubstr("no salinity to be multiplied"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"permeability", range(0.5, 2.0)}})),
                HasSubstr("\"as\": \"multiplier\""));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"porosity", range(0.1, 0.3, "normal")}})),
                HasSubstr("choose one of them"));
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{})), HasSubstr("ranges is missing"));
    Json one = small_case();
    one["porosity"] = 2.0;
    EXPECT_THAT(refusal_of_ensemble(body_with(Json::Object{{"temperature", range(50.0, 60.0)}}, one)),
                HasSubstr("case.porosity is 2"));
}

TEST(EnsembleRequest, TakesWhatRowsBelowTheFormationSayAsNobodyReadsIt) {
    Json one = small_case();
    one["permeability_r"] = Json::Array{100.0, 200.0, "nothing"};
    Json body = body_with(Json::Object{{"permeability", range(0.5, 2.0, "uniform", "multiplier")}}, one);
    body["heterogeneity"] = Json::Object{{"deviation", 0.5}, {"correlation_r", 20.0}, {"correlation_z", 5.0}};
    EXPECT_GT(ensemble_of(body).scenario(0, 1, nullptr).content.arrays.at("permeability_r")[2], 0.0F);
    one["permeability_r"] = Json::Array{100.0, 200.0, Json::Array{}};
    body["case"] = one;
    EXPECT_EQ(ensemble_of(body).scenario(0, 1, nullptr).content.arrays.at("permeability_r")[4], 0.0F);
}

TEST(EnsembleRequest, KeepsToItsLimits) {
    const Json ranges = Json::Object{{"porosity", range(0.1, 0.3)}};
    Limits limits;
    limits.realizations = 39;
    EXPECT_THAT(refusal_of_ensemble(body_with(ranges), limits), HasSubstr("at most 39"));
    Json body = body_with(ranges);
    body["number"] = 1;
    EXPECT_THAT(refusal_of_ensemble(body), HasSubstr("number is 1"));
    body["number"] = 2;
    body["seed"] = -1;
    EXPECT_THAT(refusal_of_ensemble(body), HasSubstr("seed is -1"));
    limits = {};
    limits.values = 100;
    EXPECT_THROW(ensemble_of(body_with(ranges), limits).all_inputs(nullptr), Problem);
    body = body_with(ranges);
    body["limits"] = Json::Object{{"max_bildup", 50.0}};
    EXPECT_THAT(refusal_of_ensemble(body), HasSubstr("did you mean 'max_buildup'?"));
}

}  // namespace
}  // namespace plumecast::service
