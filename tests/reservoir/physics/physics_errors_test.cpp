
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/physics_errors.hpp"
#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// The grid of the radial cases that `generate` makes: edges of a map that is even in the number of the ring.
std::vector<double> generated_edges() {
    constexpr double well = 0.1, first = 3.5938, growth = 1.035012, rings = 200.0, columns = 64.0;
    std::vector<double> edges;
    for (double i = 0.0; i <= columns; ++i) {
        edges.push_back(well + first * (std::pow(growth, i * rings / columns) - 1.0) / (growth - 1.0));
    }
    return edges;
}

/// A sand like that of the Utsira formation: 1.9 D, porosity 0.36, 37 degC, 108 bar, 193.75 m, 1.03 Mt/year.
RadialCase utsira_like_sand() {
    RadialCase radial;
    radial.r_edges = generated_edges();
    constexpr std::size_t rows = 31;
    for (std::size_t i = 0; i <= rows; ++i) {
        radial.z_edges.push_back(6.25 * static_cast<double>(i));
    }
    double time = 0.0, step = 1.0;
    for (int i = 0; i < 24; ++i, step *= 1.421245) {
        radial.times.push_back(time += step);
    }
    radial.permeability_r.assign(radial.cells(), 1922.969);
    radial.permeability_z.assign(radial.cells(), 633.049);
    radial.porosity.assign(radial.cells(), 0.36);
    radial.perforation.assign(radial.cells(), 0.0);
    radial.active.assign(radial.cells(), 1);
    for (std::size_t row = 0; row <= 22; ++row) {
        radial.perforation[row * radial.columns()] = row == 0 ? 0.12588 : row == 22 ? 0.713 : 1.0;
    }
    radial.injection_rate = 1.0301135;
    radial.initial_pressure = 108.00695;
    radial.temperature = 37.263603;
    radial.irreducible_water_saturation = 0.14946339;
    radial.van_genuchten_lambda = 0.59910274;
    radial.rock_fluid.initial_brine_temperature = 15.56;
    return radial;
}

/// Dissolved CO2 [Mt] at the last time.
double dissolved_mass(const RadialCase& radial, const PhysicsFields& physics) {
    const std::vector<float>& field = physics.fields.at("physics_dissolved_co2");
    const std::size_t begin = field.size() - radial.cells();
    double sum = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
        const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
        sum += std::numbers::pi * (outer * outer - inner * inner) * (radial.z_edges[row + 1] - radial.z_edges[row]) *
               radial.porosity[cell] * static_cast<double>(field[begin + cell]);
    }
    return sum / 1e9;
}

/// Outer edge [m] of the outermost ring with a saturation above 0.01 at the last time.
double plume_edge(const RadialCase& radial, const PhysicsFields& physics) {
    const std::vector<float>& field = physics.fields.at("physics_gas_saturation");
    const std::size_t begin = field.size() - radial.cells();
    double edge = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        edge = field[begin + cell] > 0.01F ? std::max(edge, radial.r_edges[cell % radial.columns() + 1]) : edge;
    }
    return edge;
}

// OPM Flow 2022.10 has 3.390 Mt dissolved after 30 years, of 30.9 injected, and gas as far as 2,482 m.
constexpr double simulated_dissolved = 3.3902, simulated_edge = 2482.49;

TEST(UtsiraLikeSand, IsWhatTheSimulatorMakesOfItWithEnoughSteps) {
    const RadialCase radial = utsira_like_sand();
    const PhysicsFields physics = reduced_physics(radial, {48}, "the case");
    EXPECT_NEAR(dissolved_mass(radial, physics) / simulated_dissolved, 1.0, 0.05);
    EXPECT_NEAR(plume_edge(radial, physics), simulated_edge, 1.0);
}

TEST(UtsiraLikeSand, DissolvesTooMuchWithFewSteps) {
    const RadialCase radial = utsira_like_sand();
    const PhysicsFields physics = reduced_physics(radial, {2}, "the case");
    EXPECT_GT(dissolved_mass(radial, physics) / simulated_dissolved, 1.3);
}

TEST(UtsiraLikeSand, IsExpectedToBeFarOffWithFewStepsAndWithMore) {
    const RadialCase radial = utsira_like_sand();
    for (const int substeps : {2, 6}) {
        const PhysicsSettings settings{substeps};
        const PhysicsFields physics = reduced_physics(radial, settings, "the case");
        const PhysicsErrors errors =
            physics_errors(radial, physics, settings, step_changes(radial, physics, settings, "the case"));
        EXPECT_GT(errors.gas_saturation, 6.0) << substeps;
        EXPECT_NEAR(errors.well_gravity, 20.7, 1.0);
        EXPECT_EQ(steps_needed(errors, 2.0), std::nullopt);
        EXPECT_THAT(reason_of(errors, 2.0),
                    HasSubstr("more of them help little, and in the open interval CO2 is lighter than brine by 2"));
    }
}

TEST(PhysicsErrors, FallWithMoreStepsWhereGravityAtTheWellIsWeak) {
    const RadialCase radial = uniform_radial_case(4, 24);
    const auto expected = [&](int substeps) {
        const PhysicsSettings settings{substeps};
        const PhysicsFields physics = reduced_physics(radial, settings, "the case");
        return physics_errors(radial, physics, settings, step_changes(radial, physics, settings, "the case"));
    };
    const PhysicsErrors two = expected(2), eight = expected(8);
    EXPECT_LT(two.well_gravity, 5.0);
    EXPECT_LT(eight.gas_saturation, 0.65 * two.gas_saturation);
    EXPECT_LT(eight.pressure_buildup, two.pressure_buildup);
}

TEST(PhysicsErrors, NameTheStepsThatALimitTakesAtLeast) {
    const RadialCase radial = uniform_radial_case(4, 24);
    const auto expected = [&](int substeps) {
        const PhysicsSettings settings{substeps};
        const PhysicsFields physics = reduced_physics(radial, settings, "the case");
        return physics_errors(radial, physics, settings, step_changes(radial, physics, settings, "the case"));
    };
    const auto worst = [](const PhysicsErrors& errors) {
        return std::max(errors.gas_saturation, errors.pressure_buildup);
    };
    const PhysicsErrors two = expected(2);
    const double limit = 0.5 * worst(two);
    const std::optional<int> needed = steps_needed(two, limit);
    EXPECT_EQ(needed, 5);
    EXPECT_GT(two.pressure_buildup, two.gas_saturation);
    EXPECT_EQ(reason_of(two, limit),
              fmt::format("other time steps change the build-up by {:.2g}; at least 5 substeps are needed",
                          two.buildup_change));
    EXPECT_GT(worst(expected(4)), limit);
    const PhysicsErrors enough = expected(16);
    EXPECT_LT(worst(enough), limit);
    EXPECT_EQ(steps_needed(enough, limit), 16);
}

TEST(PhysicsErrors, GoByTheRateThatALimitLetsIn) {
    RadialCase radial = uniform_radial_case(4, 24);
    radial.bottom_hole_pressure_limit = 203.0;
    const PhysicsSettings settings{2};
    const PhysicsFields limited = reduced_physics(radial, settings, "the case");
    PhysicsFields as_asked = limited;
    as_asked.injected_mass.clear();
    const double share = static_cast<double>(limited.injected_mass.back()) / (0.5 * radial.times.back() / 365.25);
    ASSERT_LT(share, 0.8);
    EXPECT_NEAR(physics_errors(radial, limited, settings, {}).well_gravity,
                physics_errors(radial, as_asked, settings, {}).well_gravity / share, 1e-9);
}

TEST(PhysicsErrors, ExpectAsMuchFromOddNumbersOfSteps) {
    const RadialCase radial = uniform_radial_case(2, 16);
    const PhysicsFields physics = reduced_physics(radial, {2}, "the case");
    FieldChanges changes;  // of errors 0.12 / n
    changes.gas_saturation = 0.03;
    const double four = physics_errors(radial, physics, {4}, changes).gas_saturation;
    changes.gas_saturation = 0.12 - 0.12 / 3.0;
    const double three = physics_errors(radial, physics, {3}, changes).gas_saturation;
    EXPECT_NEAR(three / four, std::pow(4.0 / 3.0, 0.855), 1e-9);
}

/// Errors above 2 of a case with moderate gravity at the well.
PhysicsErrors large_errors() {
    PhysicsErrors errors;
    errors.well_gravity = errors.largest_buildup = 1.0;
    errors.gas_saturation = errors.pressure_buildup = 10.0;
    errors.step_change = 0.06;
    errors.buildup_change = 0.001;
    errors.substeps = 2;
    return errors;
}

TEST(PhysicsErrors, CountTheStepsFromOneAsFromTwo) {
    PhysicsErrors errors = large_errors();
    EXPECT_EQ(steps_needed(errors, 2.0), 7);  // 2 * 0.06 over (2 / 58.82)^(1 / 0.855)
    errors.substeps = 1;                      // whose change to two is half that of the errors
    EXPECT_EQ(steps_needed(errors, 2.0), 7);
    errors.buildup_change = 0.08;
    EXPECT_EQ(steps_needed(errors, 2.0), 10);  // 2 * 0.08 over (2 / 56.9)^(1 / 0.825)
}

TEST(PhysicsErrors, NameTheFieldThatIsFartherOff) {
    PhysicsErrors errors = large_errors();
    errors.gas_saturation = 1.0;
    errors.pressure_buildup = 3.0;
    errors.buildup_change = 0.0625;
    EXPECT_THAT(reason_of(errors, 2.0), HasSubstr("other time steps change the build-up by 0.062"));
    errors.gas_saturation = 4.0;
    EXPECT_THAT(reason_of(errors, 2.0), HasSubstr("other time steps change the gas saturation by"));
}

TEST(PhysicsErrors, SayWhereNoNumberOfStepsWouldDo) {
    PhysicsErrors errors = large_errors();
    EXPECT_EQ(steps_needed(errors, 0.1), std::nullopt);
    EXPECT_THAT(reason_of(errors, 0.1), HasSubstr("more of them would not be enough"));
    errors.step_change = std::numeric_limits<double>::infinity();
    EXPECT_EQ(steps_needed(errors, 2.0), std::nullopt);
    EXPECT_EQ(reason_of(errors, 2.0), "the physics does not converge with other time steps");
    errors = large_errors();
    errors.well_gravity = 6.0;
    EXPECT_EQ(steps_needed(errors, 2.0), std::nullopt);
    EXPECT_THAT(reason_of(errors, 2.0), HasSubstr("more of them help little"));
}

TEST(ChangesBetween, AreMeasuredInThePlumeAndPerLargestBuildUp) {
    RadialCase radial = uniform_radial_case(1, 2);
    radial.times = {1.0};
    PhysicsFields from, to;
    from.fields = {{"physics_gas_saturation", {0.5F, 0.0F}},
                   {"physics_pressure_buildup", {10.0F, 5.0F}},
                   {"physics_dissolved_co2", {40.0F, 0.0F}}};
    to.fields = {{"physics_gas_saturation", {0.4F, 0.0F}},
                 {"physics_pressure_buildup", {11.0F, 5.0F}},
                 {"physics_dissolved_co2", {50.0F, 0.0F}}};
    const FieldChanges changes = changes_between(radial, from, to);
    EXPECT_NEAR(changes.gas_saturation, 0.1, 1e-6);
    EXPECT_NEAR(changes.pressure_buildup, 0.05, 1e-6);
    EXPECT_NEAR(changes.dissolved_co2, 0.25, 1e-6);
}

TEST(ChangesBetween, AreNotRelativeToAVanishingBuildUp) {
    RadialCase radial = uniform_radial_case(1, 2);
    radial.times = {1.0};
    PhysicsFields from;
    from.fields = {{"physics_gas_saturation", {0.0F, 0.0F}},
                   {"physics_pressure_buildup", {1e-9F, 0.0F}},
                   {"physics_dissolved_co2", {0.0F, 0.0F}}};
    PhysicsFields to = from;
    to.fields["physics_pressure_buildup"] = {1e-5F, 0.0F};
    EXPECT_NEAR(changes_between(radial, from, to).pressure_buildup, 0.005, 1e-5);  // of 0.001 bar, in one of two cells
}

TEST(PhysicsErrors, AreNoneWhereNextToNothingHappens) {
    RadialCase radial = uniform_radial_case(2, 16);
    radial.injection_rate = 1e-12;  // a gramme a year, which dissolves
    const PhysicsSettings settings;
    const PhysicsFields physics = reduced_physics(radial, settings, "the case");
    const PhysicsErrors errors =
        physics_errors(radial, physics, settings, step_changes(radial, physics, settings, "the case"));
    EXPECT_EQ(errors.gas_saturation, 0.0);
    EXPECT_EQ(errors.pressure_buildup, 0.0);
}

/// A box of 9 x 9 cells over 80 m of rock, with a well open in its lower half that injects 0.5 Mt/year from day 1000
/// on.
BoxCase box_of(double permeability, double pressure) {
    BoxCase box;
    box.z_edges = {0.0, 20.0, 40.0, 60.0, 80.0};
    for (int i = 0; i < 10; ++i) {
        box.x_edges.push_back(300.0 * i);
    }
    box.y_edges = box.x_edges;
    box.times = {100.0, 400.0, 1200.0, 3650.0};
    box.permeability_x.assign(box.cells(), permeability);
    box.permeability_y.assign(box.cells(), permeability);
    box.permeability_z.assign(box.cells(), 0.1 * permeability);
    box.porosity.assign(box.cells(), 0.2);
    box.active.assign(box.cells(), 1);
    box.perforation.assign(box.cells(), 0.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    for (const std::size_t row : {2U, 3U}) {
        box.perforation[row * box.plane() + 40] = 1.0;
    }
    box.schedule_ends = {1000.0, 4000.0};
    box.schedule_rates = {{0.2, 0.5}};
    box.initial_pressure = pressure;
    box.temperature = 60.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.aquifer = 1000.0;
    return box;
}

PhysicsErrors errors_of(const BoxCase& box, int substeps) {
    const PhysicsSettings settings{substeps};
    return physics_errors(box, box_physics(box, settings, "the box"), settings, "the box");
}

TEST(PhysicsErrors, OfABoxFallWithMoreSteps) {
    const BoxCase box = box_of(100.0, 150.0);
    const PhysicsErrors two = errors_of(box, 2), eight = errors_of(box, 8);
    EXPECT_TRUE(two.is_box);
    EXPECT_GT(two.gas_saturation, 1.5 * eight.gas_saturation);
    EXPECT_GT(eight.gas_saturation, 0.1);
    EXPECT_GT(two.pressure_buildup, eight.pressure_buildup);
    const double limit = 0.5 * two.gas_saturation;
    const std::optional<int> needed = steps_needed(two, limit);
    ASSERT_TRUE(needed.has_value());
    EXPECT_GT(*needed, 3);
    EXPECT_LT(*needed, 12);
    EXPECT_THAT(reason_of(two, limit), HasSubstr(fmt::format("at least {} substeps", *needed)));
}

TEST(PhysicsErrors, OfABoxDoNotFallWhereGravityAtAWellIsStrong) {
    const BoxCase weak = box_of(100.0, 150.0), strong = box_of(3000.0, 80.0);
    // (rho_w - rho_g) g h over q mu / (2 pi k h), of 40 m and the largest rate.
    const auto gravity = [](const BoxCase& box) {
        const double pressure = hydrostatic_pressure(box.initial_pressure, box.temperature, 0.0, 60.0);
        const InjectionFluids fluids = injection_fluids(pressure, box.temperature, 0.0, 0.5);
        const double weight =
            (brine_density(box.initial_pressure, box.temperature, 0.0) - fluids.co2_density) * 9.80665e-5 * 40.0;
        const double darcy = 9.869233e-16 / 1e-3 * 86400.0 * 1e5;  // [m2 per (mD) in m3/(day bar) of a cP]
        return weight / (fluids.volume_rate * fluids.brine_viscosity /
                         (2.0 * std::numbers::pi * darcy * box.permeability_x[0] * 40.0));
    };
    const PhysicsErrors at_weak = errors_of(weak, 4), at_strong = errors_of(strong, 4);
    EXPECT_NEAR(at_weak.well_gravity / gravity(weak), 1.0, 1e-3);
    EXPECT_NEAR(at_strong.well_gravity / gravity(strong), 1.0, 1e-3);
    EXPECT_LT(at_weak.well_gravity, 5.0);
    EXPECT_GT(at_strong.well_gravity, 5.0);
    // Changes count in proportion to the steps, as of two, where gravity is strong.
    const auto law = [](double change) { return 66.7 * std::pow(change, 0.93); };
    EXPECT_NEAR(at_weak.gas_saturation / law(at_weak.step_change), 1.0, 1e-6);
    EXPECT_NEAR(at_strong.gas_saturation / law(2.0 * at_strong.step_change), 1.0, 1e-6);
    EXPECT_EQ(steps_needed(at_strong, 0.1 * at_strong.gas_saturation), std::nullopt);
    EXPECT_THAT(reason_of(at_strong, 0.1), HasSubstr("more of them help little"));
    BoxCase section = strong;  // one line of cells, where no flow is radial
    section.y_edges = {0.0, 300.0};
    for (auto* values : {&section.permeability_x, &section.permeability_y, &section.permeability_z, &section.porosity,
                         &section.perforation, &section.cell_injection_rate}) {
        values->resize(section.cells());
    }
    section.active.resize(section.cells());
    std::ranges::fill(section.perforation, 0.0);
    section.perforation[2 * section.plane() + 4] = 1.0;
    EXPECT_EQ(errors_of(section, 4).well_gravity, 0.0);
}

TEST(PhysicsErrors, OfABoxAreNoneWhereNothingIsInjected) {
    BoxCase box = box_of(100.0, 150.0);
    box.schedule_rates = {{0.0, 0.0}};
    const PhysicsErrors errors = errors_of(box, 2);
    EXPECT_EQ(errors.gas_saturation, 0.0);
    EXPECT_EQ(errors.pressure_buildup, 0.0);
}

TEST(OtherSteps, AreHalfAsManyOrTwiceOne) {
    EXPECT_EQ(other_steps({6}).substeps, 3);
    EXPECT_EQ(other_steps({1}).substeps, 2);
    EXPECT_EQ(other_steps({3, 1}).version, 1);
}

TEST(ReducedPhysics, RefusesAVersionThatIsNotKnown) {
    EXPECT_THROW(reduced_physics(uniform_radial_case(2, 16), {1, physics_version + 1}, "the case"), InvalidInput);
}

}  // namespace
}  // namespace plumecast
