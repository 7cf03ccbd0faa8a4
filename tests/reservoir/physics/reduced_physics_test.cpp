#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

TEST(ReducedPhysics, IsZeroAtTheStartOfInjectionAndTheSameLater) {
    RadialCase radial = uniform_radial_case(3, 12);
    const PhysicsSettings settings{1};
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

TEST(ReducedPhysics, GivesAllItsFieldsAndZeroInInactiveCells) {
    RadialCase radial = uniform_radial_case(4, 10);
    radial.active[13] = 0;
    const PhysicsFields result = reduced_physics(radial, {1}, "case");
    ASSERT_EQ(result.fields.size(), physics_field_names().size());
    for (const std::string& name : physics_field_names()) {
        const std::vector<float>& values = result.fields.at(name);
        ASSERT_EQ(values.size(), 4u * 40u) << name;
        for (std::size_t time = 0; time < 4; ++time) {
            EXPECT_EQ(values[time * 40 + 13], 0.0F) << name;
            EXPECT_GT(values[time * 40], 0.0F) << name;
        }
    }
    EXPECT_EQ(result.scalars.size(), 3u);
    EXPECT_DOUBLE_EQ(result.scalars.at("physics_co2_density"), injection_fluids(radial).co2_density);
    EXPECT_DOUBLE_EQ(result.scalars.at("physics_viscosity_ratio"), injection_fluids(radial).viscosity_ratio());
    double squares = 0.0;
    for (const float value : result.fields.at("physics_pressure_buildup")) {
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    EXPECT_DOUBLE_EQ(result.scalars.at("physics_buildup_rms"), std::sqrt(squares / (4.0 * 39.0)));
}

}  // namespace
}  // namespace plumecast
