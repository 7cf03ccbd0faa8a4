#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {
namespace {

using Kind = ScheduleOptions::Kind;

TEST(Schedule, StepMultipliesEveryFewEpochs) {
    const Schedule schedule({.kind = Kind::step, .learning_rate = 1e-3, .factor = 0.5, .every = 2}, 10, 5);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 1e-3);
    EXPECT_DOUBLE_EQ(schedule.rate(9), 1e-3);
    EXPECT_DOUBLE_EQ(schedule.rate(10), 5e-4);
    EXPECT_DOUBLE_EQ(schedule.rate(49), 1e-3 / 16);
}

TEST(Schedule, NeverFallsBelowTheMinimum) {
    const Schedule schedule({.kind = Kind::step, .learning_rate = 1e-3, .minimum = 1e-4, .factor = 0.1, .every = 1}, 9,
                            1);
    EXPECT_DOUBLE_EQ(schedule.rate(8), 1e-4);
}

TEST(Schedule, CosineFallsPerStepFromRateToMinimum) {
    const Schedule schedule({.kind = Kind::cosine, .learning_rate = 1.0, .minimum = 0.2}, 4, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 1.0);
    EXPECT_DOUBLE_EQ(schedule.rate(20), 0.6);
    EXPECT_LT(schedule.rate(21), schedule.rate(20));
    EXPECT_DOUBLE_EQ(schedule.rate(40), 0.2);
    EXPECT_DOUBLE_EQ(schedule.rate(99), 0.2);
}

TEST(Schedule, WarmUpRisesLinearlyToTheRate) {
    const Schedule schedule({.kind = Kind::constant, .learning_rate = 1.0, .warmup_steps = 4}, 1, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.25);
    EXPECT_DOUBLE_EQ(schedule.rate(3), 1.0);
    EXPECT_DOUBLE_EQ(schedule.rate(9), 1.0);
}

ScheduleOptions plateau() { return {.kind = Kind::plateau, .learning_rate = 1.0, .factor = 0.5, .patience = 2}; }

TEST(Schedule, PlateauChangesAfterEpochsWithoutImprovement) {
    Schedule schedule(plateau(), 10, 1);
    for (const double loss : {1.0, 1.1}) {
        schedule.epoch_ended(loss);
        EXPECT_DOUBLE_EQ(schedule.rate(0), 1.0);
    }
    schedule.epoch_ended(1.0);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.5);
    schedule.epoch_ended(0.9);
    schedule.epoch_ended(0.95);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.5);
}

TEST(Schedule, PlateauTakesALossThatIsNoNumberForNoImprovement) {
    Schedule schedule(plateau(), 10, 1);
    schedule.epoch_ended(std::nan(""));
    schedule.epoch_ended(std::nan(""));
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.5);
    EXPECT_EQ(schedule.state().find("best"), nullptr);
}

TEST(Schedule, RestoredStateContinuesExactly) {
    Schedule straight(plateau(), 10, 1), resumed(plateau(), 10, 1);
    const std::vector<double> losses{0.1 + 0.2, 0.31, 0.3, 0.29, 0.4, 0.5, 0.6};
    for (std::size_t i = 0; i < losses.size(); ++i) {
        straight.epoch_ended(losses[i]);
        resumed.epoch_ended(losses[i]);
        Schedule fresh(plateau(), 10, 1);
        fresh.restore(Json::parse(resumed.state().dump(), "state"), "state");
        resumed = fresh;
        EXPECT_EQ(straight.rate(3), resumed.rate(3));
        EXPECT_EQ(straight.state(), resumed.state());
    }
}

TEST(Schedule, RefusesAStateOfSomethingElse) {
    Schedule schedule(plateau(), 10, 1);
    EXPECT_THROW(schedule.restore(Json(3), "state.json: schedule"), InvalidInput);
    EXPECT_THROW(schedule.restore(Json::Object{{"waited", 1}}, "state.json: schedule"), InvalidInput);
    EXPECT_THROW(schedule.restore(Json::Object{{"plateau_factor", 2.0}, {"waited", 1}}, "state.json: schedule"),
                 InvalidInput);
}

}  // namespace
}  // namespace plumecast
