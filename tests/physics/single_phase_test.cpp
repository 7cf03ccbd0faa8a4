#include <plumecast/physics/single_phase.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <plumecast/physics/radial_connections.hpp>

#include "physics/radial_cases.hpp"

namespace plumecast {
namespace {

/// Pressure build-up of one snapshot, [Z, R].
std::vector<double> snapshot(const RadialCase& radial, const SinglePhaseFlow& flow, std::size_t time) {
    const auto first = flow.pressure_buildup.begin() + static_cast<std::ptrdiff_t>(time * radial.cells());
    return {first, first + static_cast<std::ptrdiff_t>(radial.cells())};
}

/// Volume that the pores took up by a snapshot over the injected volume.
double stored_over_injected(const RadialCase& radial, const SinglePhaseFlow& flow, std::size_t time) {
    const RadialConnections connections(radial);
    const std::vector<double> pressure = snapshot(radial, flow, time);
    double stored = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        stored += connections.pore_volume[cell] * flow.compressibility * pressure[cell];
    }
    return stored / (flow.volume_rate * radial.times[time]);
}

/// Permeability between 10^-3 and 10^3 mD drawn for each cell alone, rows of different heights, some inactive cells.
RadialCase rough_case(std::size_t rows, std::size_t columns, unsigned seed) {
    RadialCase radial = uniform_radial_case(rows, columns);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::size_t row = 1; row <= rows; ++row) {
        radial.z_edges[row] = radial.z_edges[row - 1] + 0.5 + 20.0 * uniform(random);
    }
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        radial.permeability_r[cell] = std::pow(10.0, -3.0 + 6.0 * uniform(random));
        radial.permeability_z[cell] = std::pow(10.0, -3.0 + 6.0 * uniform(random));
        radial.porosity[cell] = 0.05 + 0.3 * uniform(random);
        radial.active[cell] = cell % columns == 0 || uniform(random) > 0.1 ? 1 : 0;
    }
    return radial;
}

TEST(SinglePhaseFlow, ConservesTheInjectedVolume) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        const RadialCase radial = rough_case(13, 40, seed);
        const SinglePhaseFlow flow = single_phase_flow(radial, 1);
        for (std::size_t time = 0; time < radial.times.size(); ++time) {
            EXPECT_NEAR(stored_over_injected(radial, flow, time), 1.0, 1e-10) << seed << " " << time;
        }
    }
}

TEST(SinglePhase, GivesAllFieldsOfItsKindAndZeroInInactiveCells) {
    RadialCase radial = uniform_radial_case(4, 10);
    radial.active[13] = 0;
    const PhysicsFields result = single_phase(radial, 1);
    ASSERT_EQ(result.fields.size(), 4u);
    for (const auto& [name, values] : result.fields) {
        ASSERT_EQ(values.size(), 4u * 40u) << name;
        for (std::size_t time = 0; time < 4; ++time) {
            EXPECT_EQ(values[time * 40 + 13], 0.0f) << name;
            EXPECT_TRUE(std::isfinite(values[time * 40 + 12])) << name;
        }
    }
    EXPECT_EQ(result.scalars.size(), 3u);
}

}  // namespace
}  // namespace plumecast
