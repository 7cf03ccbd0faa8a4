#include "service/joined_predictions.hpp"

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>

#include "support/repository.hpp"
#include "support/small_scenario.hpp"

namespace plumecast::service {
namespace {

const ServedModel& model() {
    static const std::unique_ptr<Backend> backend = make_cpu_backend();
    static const ServedModel one(testing::repository_folder() + "/models/radial-co2-fast", *backend);
    return one;
}

Scenario scenario_with(double rate, std::vector<double> times = {100.0, 3000.0}, std::int64_t cases = 1) {
    Json one = testing::small_case();
    one["injection_rate"] = rate;
    one["thickness"] = 100.0;
    Axes axes = model().axes;
    axes[times_at_one_rate] = std::move(times);
    return read_scenario(Json::Object{{"cases", Json::Array(static_cast<std::size_t>(cases), one)}}, axes, {});
}

/// What threads get that ask while somebody else has the only turn.
std::vector<ComputedCases> asked_together(JoinedPredictions& joined, Turns& turns,
                                          const std::vector<Scenario>& scenarios) {
    std::vector<ComputedCases> computed(scenarios.size());
    std::vector<std::thread> threads;
    {
        const Turns::Turn busy = turns.take([] { return false; });
        for (std::size_t i = 0; i < scenarios.size(); ++i) {
            threads.emplace_back(
                [&, i] { computed[i] = *joined.predicted(model(), scenarios[i], [] { return false; }); });
        }
        while (turns.waiting() < static_cast<std::int64_t>(scenarios.size())) {
            std::this_thread::yield();
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return computed;
}

void expect_same_bits(const ComputedCases& a, const ComputedCases& b) {
    ASSERT_EQ(a.fields, b.fields);
    for (const auto& [name, values] : a.content.arrays) {
        const std::vector<float>& others = b.content.arrays.at(name);
        ASSERT_EQ(values.size(), others.size()) << name;
        EXPECT_EQ(std::memcmp(values.data(), others.data(), values.size() * sizeof(float)), 0) << name;
    }
    ASSERT_EQ(a.verdicts.cases.size(), b.verdicts.cases.size());
    for (std::size_t i = 0; i < a.verdicts.cases.size(); ++i) {
        EXPECT_EQ(a.verdicts.cases[i].trust, b.verdicts.cases[i].trust);
        EXPECT_EQ(a.verdicts.cases[i].reasons, b.verdicts.cases[i].reasons);
    }
}

TEST(JoinedPredictions, HaveTheBitsThatEachHasAlone) {
    Turns turns(1, 10);
    JoinedPredictions joined(turns);
    const std::vector<Scenario> scenarios = {scenario_with(0.5), scenario_with(1.0, {100.0, 3000.0}, 3),
                                             scenario_with(25.0), scenario_with(1.5)};
    const std::vector<ComputedCases> together = asked_together(joined, turns, scenarios);
    EXPECT_EQ(joined.joined(), 3);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        expect_same_bits(together[i], predicted(model(), scenarios[i], nullptr));
    }
    EXPECT_NE(together[0].content.arrays.at("gas_saturation"), together[3].content.arrays.at("gas_saturation"));
}

TEST(JoinedPredictions, AreOfOneGridAndTheSameTimes) {
    Turns turns(1, 10);
    JoinedPredictions joined(turns);
    const std::vector<Scenario> scenarios = {scenario_with(0.5), scenario_with(1.0, {100.0})};
    const std::vector<ComputedCases> computed = asked_together(joined, turns, scenarios);
    EXPECT_EQ(joined.joined(), 0);
    EXPECT_EQ(computed[1].content.times.size(), 1U);
    expect_same_bits(computed[1], predicted(model(), scenarios[1], nullptr));
}

TEST(JoinedPredictions, LeaveThoseAloneInWhichBrineTraps) {
    Turns turns(1, 10);
    JoinedPredictions joined(turns);
    std::vector<Scenario> scenarios = {scenario_with(0.5), scenario_with(1.0)};
    scenarios[1].content.arrays["residual_gas_saturation"] = {0.3F};
    const std::vector<ComputedCases> computed = asked_together(joined, turns, scenarios);
    EXPECT_EQ(joined.joined(), 0);
    expect_same_bits(computed[1], predicted(model(), scenarios[1], nullptr));
}

TEST(JoinedPredictions, FailAlone) {
    Turns turns(1, 10);
    JoinedPredictions joined(turns);
    Scenario bad = scenario_with(1.0);
    bad.content.arrays.at("porosity")[0] = -1.0F;  // a reader would not let it pass
    std::vector<std::thread> threads;
    std::optional<ComputedCases> good;
    bool has_failed = false;
    {
        const Turns::Turn busy = turns.take([] { return false; });
        threads.emplace_back([&] { good = joined.predicted(model(), scenario_with(0.5), [] { return false; }); });
        threads.emplace_back([&] {
            try {
                joined.predicted(model(), bad, [] { return false; });
            } catch (const InvalidData&) {
                has_failed = true;
            }
        });
        while (turns.waiting() < 2) {
            std::this_thread::yield();
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_TRUE(has_failed);
    ASSERT_TRUE(good.has_value());
    expect_same_bits(*good, predicted(model(), scenario_with(0.5), nullptr));
}

TEST(JoinedPredictions, GiveUpWhereThereIsNoPlaceOrNobodyWaits) {
    Turns turns(1, 0);
    JoinedPredictions joined(turns);
    const Turns::Turn busy = turns.take([] { return false; });
    EXPECT_FALSE(joined.predicted(model(), scenario_with(0.5), [] { return false; }).has_value());
    Turns others(1, 1);
    JoinedPredictions waiting(others);
    const Turns::Turn other = others.take([] { return false; });
    EXPECT_FALSE(waiting.predicted(model(), scenario_with(0.5), [] { return true; }).has_value());
}

TEST(IsJoinable, IsWhatIsSmall) {
    EXPECT_TRUE(is_joinable({16, 400000}));
    EXPECT_FALSE(is_joinable({17, 17}));
    EXPECT_FALSE(is_joinable({1, 400001}));
}

}  // namespace
}  // namespace plumecast::service
