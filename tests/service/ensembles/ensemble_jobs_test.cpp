#include "service/ensembles/ensemble_jobs.hpp"

#include <atomic>
#include <cmath>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "service/problem.hpp"
#include "support/small_scenario.hpp"

namespace plumecast::service {
namespace {

using ::testing::HasSubstr;
using testing::small_axes;
using testing::small_case;

Json ensemble_body(std::int64_t number, double limit) {
    const Json porosity = Json::Object{{"from", 0.1}, {"to", 0.3}};
    return Json::Object{{"case", small_case()},
                        {"ranges", Json::Object{{"porosity", porosity}}},
                        {"number", number},
                        {"seed", 1},
                        {"measure", Json::Object{{"top_depth", 1500.0}, {"fracture_gradient", 0.16}}},
                        {"limits", Json::Object{{"max_buildup", limit}, {"review_radius", 5.0}}}};
}

EnsembleRequest request_of(std::int64_t number, double limit = 1.0) {
    return {ensemble_body(number, limit), small_axes(), {}};
}

ComputedCases by_physics(const std::string&, bool, Scenario scenario, const StopRequest& stop) {
    return estimated(std::move(scenario), 1, stop);
}

Json ended(EnsembleJobs& jobs, const std::string& id) {
    JobProgress seen = jobs.progress(id);
    while (!has_ended(seen.state)) {
        seen = jobs.changed(id, seen).value_or(seen);
    }
    return Json::parse(jobs.json(id), "answer");
}

const Json& figure_named(const Json& answer, const std::string& name) {
    const auto& figures = *answer.find("figures")->get_if<Json::Array>();
    return *std::ranges::find_if(figures, [&](const Json& each) { return *each.find("name") == Json(name); });
}

int status_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Problem& problem) {
        return problem.status();
    }
    return 0;
}

TEST(EnsembleJobs, FindsFiguresOfAllRealizations) {
    EnsembleJobs jobs({}, by_physics);
    const Json answer = ended(jobs, jobs.begin("model", request_of(10)));
    ASSERT_EQ(*answer.find("state"), Json("done")) << answer.dump();
    EXPECT_EQ(*answer.find("done"), Json(10));
    const Json& buildup = figure_named(answer, "max_buildup");
    std::vector<double> values;
    for (const Json& value : *buildup.find("values")->get_if<Json::Array>()) {
        values.push_back(*value.get_if<double>());
    }
    ASSERT_EQ(values.size(), 10U);
    const Percentiles at = percentiles(values);
    EXPECT_EQ(*buildup.find("p90_low"), Json(at.p90));
    EXPECT_EQ(*buildup.find("p10_high"), Json(at.p10));
    EXPECT_LT(at.p90, at.p10);
    const auto& inputs = *answer.find("inputs")->get_if<Json::Array>();
    EXPECT_EQ(inputs.front().find("values")->get_if<Json::Array>()->size(), 10U);
    EXPECT_EQ(answer.find("cases")->get_if<Json::Array>()->size(), 10U);
    EXPECT_THAT(answer.find("findings")->dump(-1), HasSubstr("area of review: not computed"));
}

TEST(EnsembleJobs, CountsWhatExceedsLimits) {
    EnsembleJobs jobs({}, by_physics);
    const Json first = ended(jobs, jobs.begin("model", request_of(10)));
    const double middle = *figure_named(first, "max_buildup").find("p50_middle")->get_if<double>();
    const Json answer = ended(jobs, jobs.begin("model", request_of(10, middle)));
    const auto& exceedances = *answer.find("exceedances")->get_if<Json::Array>();
    ASSERT_EQ(exceedances.size(), 5U);  // of the fracture pressure three, and those asked for
    EXPECT_EQ(*exceedances[3].find("cases_above"), Json(5));
    const Proportion expected = proportion_of(5, 10);
    EXPECT_EQ(*exceedances[3].find("interval"), Json(Json::Array{expected.low, expected.high}));
    EXPECT_EQ(*exceedances[4].find("cases"), Json(0));
    EXPECT_THAT(*exceedances[4].find("meaning")->get_if<std::string>(), HasSubstr("no such figure"));
}

TEST(EnsembleJobs, FindsTheSameAgain) {
    EnsembleJobs jobs({}, by_physics);
    const Json first = ended(jobs, jobs.begin("model", request_of(6)));
    EnsembleJobs others({}, [](const std::string&, bool, Scenario scenario, const StopRequest& stop) {
        return estimated(std::move(scenario), 3, stop);
    });
    const Json second = ended(others, others.begin("model", request_of(6)));
    EXPECT_EQ(*first.find("figures"), *second.find("figures"));
}

TEST(EnsembleJobs, LosesOneRealizationAloneToAFailure) {
    EnsembleJobs jobs({}, [](const std::string& model, bool is_physics, Scenario scenario, const StopRequest& stop) {
        const EnsembleRequest request = request_of(10);
        const float bad = request.all_inputs(nullptr).content.arrays.at("porosity")[5 * 6];
        for (std::size_t i = 0; i < scenario.notes.size(); ++i) {
            if (scenario.content.arrays.at("porosity")[i * 6] == bad) {
                throw InvalidInput("this one cannot be computed");
            }
        }
        return by_physics(model, is_physics, std::move(scenario), stop);
    });
    const Json answer = ended(jobs, jobs.begin("model", request_of(10)));
    ASSERT_EQ(*answer.find("state"), Json("done"));
    const Json failed = Json::Object{{"case", 5}, {"reason", "this one cannot be computed"}};
    EXPECT_EQ(*answer.find("failures"), Json(Json::Array{failed}));
    const auto& values = *figure_named(answer, "max_buildup").find("values")->get_if<Json::Array>();
    EXPECT_TRUE(values[5].is_null());
    EXPECT_FALSE(values[4].is_null());
    EXPECT_EQ(*answer.find("exceedances")->get_if<Json::Array>()->at(3).find("cases"), Json(9));
}

TEST(EnsembleJobs, SaysThatBadRealizationsCount) {
    EnsembleJobs jobs({}, [](const std::string& model, bool is_physics, Scenario scenario, const StopRequest& stop) {
        ComputedCases computed = by_physics(model, is_physics, std::move(scenario), stop);
        for (Verdict& verdict : computed.verdicts.cases) {
            verdict.trust = Trust::good;
        }
        computed.verdicts.cases[0] = {Trust::bad, {"it loses mass"}};
        return computed;
    });
    const Json answer = ended(jobs, jobs.begin("model", request_of(8)));  // four at a time
    EXPECT_EQ(*answer.find("verdicts")->find("bad"), Json(2));
    const Json& first = answer.find("findings")->get_if<Json::Array>()->front();
    EXPECT_THAT(*first.get_if<std::string>(), HasSubstr("2 of 8 realizations are bad"));
}

TEST(EnsembleJobs, TellsWhatWasComputedOtherwiseThanDrawn) {
    Json body = ensemble_body(8, 1.0);
    body["ranges"] = Json::Object{{"thickness", Json::Object{{"from", 11.0}, {"to", 19.0}}}};
    EnsembleJobs jobs({}, by_physics);
    const Json answer = ended(jobs, jobs.begin("model", EnsembleRequest(body, small_axes(), {})));
    ASSERT_EQ(*answer.find("state"), Json("done")) << answer.dump();
    for (const Json& one : *answer.find("cases")->get_if<Json::Array>()) {
        EXPECT_THAT(one.find("notes")->dump(-1), HasSubstr("ends within a row of cells"));
    }
}

TEST(EnsembleJobs, FailsWhereNoRealizationCanBeComputed) {
    EnsembleJobs jobs({}, [](const std::string&, bool, Scenario, const StopRequest&) -> ComputedCases {
        throw InvalidInput("no case can");
    });
    const Json answer = ended(jobs, jobs.begin("model", request_of(5)));
    EXPECT_EQ(*answer.find("state"), Json("failed"));
    EXPECT_THAT(*answer.find("problem")->get_if<std::string>(), HasSubstr("no case can"));
    EXPECT_EQ(answer.find("figures"), nullptr);
}

TEST(EnsembleJobs, CancelsWhatRunsAndForgetsWhatEnded) {
    std::atomic<bool> has_begun = false;
    EnsembleJobs jobs({}, [&](const std::string&, bool, Scenario, const StopRequest& stop) -> ComputedCases {
        has_begun = true;
        while (!stop()) {
            std::this_thread::yield();
        }
        throw Interrupted();
    });
    const std::string first = jobs.begin("model", request_of(5)), second = jobs.begin("model", request_of(5));
    while (!has_begun) {
        std::this_thread::yield();
    }
    EXPECT_EQ(jobs.progress(first).state, JobState::running);
    EXPECT_EQ(jobs.progress(second).state, JobState::waiting);
    EXPECT_THAT(jobs.cancel(first).value_or(""), HasSubstr("cancelled"));
    const JobProgress seen = jobs.progress(first);
    EXPECT_EQ(seen.state, JobState::cancelled);
    EXPECT_EQ(jobs.changed(first, seen), std::optional(seen));
    EXPECT_TRUE(jobs.cancel(second).has_value());
    EXPECT_FALSE(jobs.cancel(first).has_value());
    EXPECT_EQ(jobs.changed(first, seen), std::nullopt);
    EXPECT_EQ(status_of([&] { jobs.progress(first); }), 404);
    jobs.close();
    EXPECT_EQ(status_of([&] { jobs.begin("model", request_of(5)); }), 503);
}

TEST(EnsembleJobs, KeepsNoMoreThanItMay) {
    Limits limits;
    limits.ensembles = 2;
    std::atomic<bool> may_end = false;
    EnsembleJobs jobs(limits,
                      [&](const std::string& model, bool is_physics, Scenario scenario, const StopRequest& stop) {
                          while (!may_end && !stop()) {
                              std::this_thread::yield();
                          }
                          return by_physics(model, is_physics, std::move(scenario), stop);
                      });
    const std::string first = jobs.begin("model", request_of(2)), second = jobs.begin("model", request_of(2));
    EXPECT_EQ(status_of([&] { jobs.begin("model", request_of(2)); }), 429);
    may_end = true;
    ended(jobs, first);
    const std::string third = jobs.begin("model", request_of(2));
    EXPECT_EQ(status_of([&] { jobs.progress(first); }), 404);
    EXPECT_EQ(*ended(jobs, third).find("state"), Json("done"));
    EXPECT_EQ(*ended(jobs, second).find("state"), Json("done"));
}

TEST(EnsembleJobs, ForgetsAfterAWhile) {
    Limits limits;
    limits.ensemble_seconds = 0.2;
    EnsembleJobs jobs(limits, by_physics);
    const std::string id = jobs.begin("model", request_of(2));
    while (status_of([&] { jobs.progress(id); }) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(status_of([&] { jobs.json(id); }), 404);
    EXPECT_EQ(status_of([&] { jobs.cancel(id); }), 404);
}

}  // namespace
}  // namespace plumecast::service
