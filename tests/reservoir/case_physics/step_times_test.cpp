#include "reservoir/case_physics/step_times.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using Values = std::vector<double>;

TEST(StepTimesTest, JoinsTimesUpToTheLastSnapshot) {
    EXPECT_EQ(with_step_times({10, 100}, {1, 9.95, 50, 100.5, 300}), (Values{1, 10, 50, 100}));
    EXPECT_EQ(with_step_times({10, 100}, {}), (Values{10, 100}));
}

TEST(StepTimesTest, KeepsTheSnapshotsOnly) {
    PhysicsFields physics;
    physics.fields["a"] = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(at_snapshots(physics, {1, 2, 3}, {1, 3}).fields.at("a"), (std::vector<float>{1, 2, 5, 6}));
    EXPECT_EQ(at_snapshots(physics, {1, 2, 3}, {1, 2, 3}).fields.at("a"), physics.fields.at("a"));
}

TEST(StepTimesTest, LeavesOtherTimesWithoutWeight) {
    EXPECT_EQ(from_snapshots({1, 2, 5, 6}, {1, 3}, {1, 2, 3}), (Values{1, 2, 0, 0, 5, 6}));
}

/// Fields of one case, stepped through further times, of a version of the physics.
auto stepped_fields(const std::string& path, const Values& steps, int version) {
    const Dataset data(path);
    PhysicsOptions options;
    options.step_times = steps;
    const PhysicsSettings settings{PhysicsKind::two_phase, 2, version};
    return CasePhysics(data, settings, options).load(std::vector<std::int64_t>{1})[0]->fields;
}

void keep_last_snapshot_only(const std::string& path) {
    DatasetContent few = guided_content();
    few.times = {1000.0};
    few.arrays.erase("gas_saturation");
    few.arrays.erase("pressure_buildup");
    write_dataset(path, few);
}

TEST(StepTimesTest, MakePhysicsOfFewSnapshotsThatOfMany) {
    const ScratchFolder folder;
    const std::string path = write_guided_sample(folder);
    const auto many = stepped_fields(path, {}, 4);
    keep_last_snapshot_only(path);
    for (const auto& [name, values] : stepped_fields(path, {10.0, 100.0, 1000.0}, 4)) {
        const std::vector<float>& known = many.at(name);
        EXPECT_EQ(values, std::vector<float>(known.end() - 20, known.end())) << name;
    }
    EXPECT_NE(stepped_fields(path, {}, 4), stepped_fields(path, {10.0, 100.0}, 4));
}

TEST(StepTimesTest, AreNotNeededWhereStepsFollowTheGrowthOfTime) {
    const ScratchFolder folder;
    const std::string path = write_guided_sample(folder);
    const auto many = stepped_fields(path, {}, 5);
    keep_last_snapshot_only(path);
    const auto few = stepped_fields(path, {}, 5);
    for (const auto& [name, values] : few) {
        const std::vector<float>& known = many.at(name);
        const float largest = *std::max_element(known.end() - 20, known.end());
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            EXPECT_NEAR(values[cell], known[known.size() - 20 + cell], 2e-3F * largest) << name << ' ' << cell;
        }
    }
    EXPECT_EQ(few, stepped_fields(path, {10.0, 100.0}, 5));
}

}  // namespace
}  // namespace plumecast::testing
