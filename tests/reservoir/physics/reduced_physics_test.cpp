#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

class ReducedPhysicsTest : public ::testing::TestWithParam<PhysicsKind> {};

TEST_P(ReducedPhysicsTest, IsZeroAtTheStartOfInjectionAndTheSameLater) {
    RadialCase radial = uniform_radial_case(3, 12);
    const PhysicsSettings settings{GetParam(), 1};
    const PhysicsFields later = reduced_physics(radial, settings, "case");
    radial.times.insert(radial.times.begin(), 0.0);
    const PhysicsFields all = reduced_physics(radial, settings, "case");
    ASSERT_EQ(all.fields.size(), later.fields.size());
    for (const auto& [name, values] : all.fields) {
        const std::vector<float>& others = later.fields.find(name)->second;
        const std::size_t cells = values.size() - others.size();
        EXPECT_EQ(cells, 36u) << name;
        EXPECT_TRUE(std::all_of(values.begin(), values.begin() + 36, [](float value) { return value == 0.0F; }))
            << name;
        EXPECT_TRUE(std::equal(others.begin(), others.end(), values.begin() + 36)) << name;
    }
    EXPECT_EQ(all.scalars, later.scalars);
    radial.times = {0.0};
    EXPECT_THROW(reduced_physics(radial, settings, "case"), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReducedPhysicsTest,
                         ::testing::Values(PhysicsKind::single_phase, PhysicsKind::two_phase));

}  // namespace
}  // namespace plumecast
