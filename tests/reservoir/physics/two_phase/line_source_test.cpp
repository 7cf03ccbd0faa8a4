#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/units.hpp"
#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

/// From `first` to `last`, each the same factor above the one before.
std::vector<double> growing(double first, double last, std::size_t intervals) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= intervals; ++i) {
        values.push_back(first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(intervals)));
    }
    return values;
}

/// So little CO2 that it dissolves in the innermost ring, to 200 m: brine alone flows in those around it.
RadialCase dissolving_around_a_well(std::vector<double> outer_edges, std::vector<double> times) {
    RadialCase radial = uniform_radial_case(1, outer_edges.size());
    radial.r_edges = std::move(outer_edges);
    radial.r_edges.insert(radial.r_edges.begin(), 0.1);
    radial.z_edges = {0.0, 50.0};
    radial.times = std::move(times);
    radial.injection_rate = 0.01;
    return radial;
}

/// What the flow of brine around the well follows from.
struct BrineFlow {
    explicit BrineFlow(const RadialCase& radial) {
        const two_phase::Simulation simulation(radial);
        const two_phase::FluidTable& fluids = simulation.fluids()[0];
        rate = radial.injection_rate * kilograms_per_megatonne / days_per_year / fluids.dissolved_density;
        compressibility = fluids.brine_compressibility + simulation.reservoir().rock_compressibility;
        const double mobility = cylinder::darcy * radial.permeability_r[0] / fluids.brine_viscosity;
        pressure = rate / (2.0 * std::numbers::pi * mobility * radial.z_edges.back());
        storage = radial.porosity[0] * compressibility / (4.0 * mobility);
    }
    double rate;             ///< by which the dissolving CO2 makes brine swell [m3/day]
    double compressibility;  ///< of brine and rock [1/bar]
    double pressure;         ///< q mu / (2 pi C k h), by which it falls while ln(r) grows by 1 [bar]
    double storage;          ///< phi mu c / (4 C k) [day/m2]
};

TEST(LineSource, IsTheissSolutionAroundCo2ThatDissolves) {
    // Theis (1935): p = q mu / (4 pi C k h) E1(r^2 phi mu c / (4 C k t)).
    const RadialCase radial = dissolving_around_a_well(growing(200.0, 3e5, 120), {30.0, 300.0, 1000.0});
    const BrineFlow flow(radial);
    const TwoPhaseFields fields = two_phase_fields(radial, 32, "the case");
    ASSERT_EQ(*std::ranges::max_element(fields.gas_saturation), 0.0F);
    double largest_argument = 0.0, smallest_argument = 1.0;
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        for (std::size_t column = 20; column < 100; ++column) {
            const double radius = std::sqrt(radial.r_edges[column] * radial.r_edges[column + 1]);
            const double argument = radius * radius * flow.storage / radial.times[time];
            if (argument < 10.0) {
                const auto found = static_cast<double>(fields.pressure_buildup[time * radial.cells() + column]);
                EXPECT_NEAR(found, -0.5 * flow.pressure * std::expint(-argument), 0.01 * flow.pressure)
                    << "day " << radial.times[time] << ", radius " << radius;
                largest_argument = std::max(largest_argument, argument);
                smallest_argument = std::min(smallest_argument, argument);
            }
        }
    }
    EXPECT_GT(largest_argument, 5.0);
    EXPECT_LT(smallest_argument, 2e-3);
}

TEST(LineSource, RisesEverywhereAlikeOnceTheClosedBoundaryIsFelt) {
    const RadialCase radial = dissolving_around_a_well(growing(200.0, 2000.0, 60), {500.0, 1500.0});
    const BrineFlow flow(radial);
    const double pores = std::numbers::pi * 2000.0 * 2000.0 * 50.0 * 0.2;
    const double rise = flow.rate / (pores * flow.compressibility);  // [bar/day]
    const TwoPhaseFields fields = two_phase_fields(radial, 32, "the case");
    for (std::size_t column = 20; column < radial.columns(); ++column) {
        const auto now = static_cast<double>(fields.pressure_buildup[column]);
        const auto later = static_cast<double>(fields.pressure_buildup[radial.cells() + column]);
        EXPECT_NEAR(later - now, 1000.0 * rise, 10.0 * rise) << column;
        // The steady shape (Dake 1978): r^2 / (2 R^2) - ln(r / R) - 3/4 around the mean.
        const double radius = std::sqrt(radial.r_edges[column] * radial.r_edges[column + 1]);
        const double shape = radius * radius / 8e6 - std::log(radius / 2000.0) - 0.75;
        EXPECT_NEAR(later - 1500.0 * rise, flow.pressure * shape, 0.01 * flow.pressure + 15.0 * rise) << column;
    }
}

}  // namespace
}  // namespace plumecast
