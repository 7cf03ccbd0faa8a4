#include "reservoir/case_physics/shared_times.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using Values = std::vector<double>;

TEST(SharedTimes, KeepsTheSnapshotsOnly) {
    PhysicsFields physics;
    physics.fields["a"] = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(at_snapshots(physics, {1, 2, 3}, {1, 3}).fields.at("a"), (std::vector<float>{1, 2, 5, 6}));
    EXPECT_EQ(at_snapshots(physics, {1, 2, 3}, {1, 2, 3}).fields.at("a"), physics.fields.at("a"));
}

/// As steps are the same at any snapshots.
TEST(SharedTimes, MakePhysicsOfFewSnapshotsThatOfMany) {
    const ScratchFolder folder;
    const std::string path = write_guided_sample(folder);
    const auto fields = [&] {
        const Dataset data(path);
        return CasePhysics(data, {2}).load(std::vector<std::int64_t>{1})[0]->fields;
    };
    const auto many = fields();
    DatasetContent few = guided_content();
    few.times = {1000.0};
    few.arrays.erase("gas_saturation");
    few.arrays.erase("pressure_buildup");
    write_dataset(path, few);
    for (const auto& [name, values] : fields()) {
        const std::vector<float>& known = many.at(name);
        EXPECT_EQ(values, std::vector<float>(known.end() - 20, known.end())) << name;
    }
}

TEST(SharedTimes, JoinsTheTimesOfTwo) {
    EXPECT_EQ(joined_times({10, 100}, {1, 10, 200}), (Values{1, 10, 100, 200}));
    EXPECT_EQ(joined_times({10, 100}, {}), (Values{10, 100}));
}

TEST(SharedTimes, GivesThePartsOfARunTheScalarsOfTheirTimes) {
    PhysicsFields physics;
    physics.fields["physics_pressure_buildup"] = {0, 0, 3, 4, 6, 8};  // of two cells
    physics.scalars["physics_buildup_rms"] = std::sqrt((25.0 + 100.0) / 4.0);
    physics.scalars["physics_co2_density"] = 700.0;
    const PhysicsFields last = with_scalars_at(physics, {0, 1, 2}, {2}, Start::left_out);
    EXPECT_EQ(last.fields.at("physics_pressure_buildup"), (std::vector<float>{6, 8}));
    EXPECT_NEAR(last.scalars.at("physics_buildup_rms"), std::sqrt(50.0), 1e-12);
    EXPECT_EQ(last.scalars.at("physics_co2_density"), 700.0);
    EXPECT_EQ(with_scalars_at(physics, {0, 1, 2}, {0}, Start::left_out).scalars.at("physics_buildup_rms"), 0.0);
    physics.scalars["physics_buildup_rms"] = std::sqrt((25.0 + 100.0) / 6.0);
    EXPECT_NEAR(with_scalars_at(physics, {0, 1, 2}, {0, 2}, Start::counted).scalars.at("physics_buildup_rms"),
                std::sqrt(100.0 / 4.0), 1e-12);
}

}  // namespace
}  // namespace plumecast::testing
