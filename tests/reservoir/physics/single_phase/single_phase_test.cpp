
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"

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

/// Injection into a uniform formation of one row over the radii `r_edges`.
RadialCase line_source(std::vector<double> r_edges, std::vector<double> times) {
    RadialCase radial = uniform_radial_case(1, r_edges.size() - 1);
    radial.r_edges = std::move(r_edges);
    radial.times = std::move(times);
    return radial;
}

/// From `first` to `last`, each the same factor above the one before.
std::vector<double> growing(double first, double last, std::size_t intervals) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= intervals; ++i) {
        values.push_back(first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(intervals)));
    }
    return values;
}

/// q mu / (2 pi C k h), the pressure over which a steady radial flow falls by ln(R / r) = 1.
double flow_pressure(const RadialCase& radial, const SinglePhaseFlow& flow) {
    return flow.volume_rate * flow.viscosity /
           (2.0 * std::numbers::pi * cylinder::darcy * radial.permeability_r[0] * radial.z_edges.back());
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

TEST(SinglePhaseFlow, IsTheissSolutionEarlyAndLate) {
    // Theis (1935): p = flow_pressure / 2 E1(r^2 phi mu c / (4 C k t)).
    const RadialCase radial = line_source(growing(0.01, 3e5, 400), growing(0.01, 1000.0, 200));
    const SinglePhaseFlow flow = single_phase_flow(radial, 8);
    const double pressure = flow_pressure(radial, flow);
    const double storage = 0.2 * flow.viscosity * flow.compressibility / (4.0 * cylinder::darcy * 100.0);
    double largest_argument = 0.0;
    double smallest_argument = 1.0;
    for (const std::size_t time : {80ul, 140ul, 200ul}) {  // 1, 32 and 1000 days
        const std::vector<double> found = snapshot(radial, flow, time);
        for (std::size_t column = 150; column < 330; ++column) {
            const double radius = std::sqrt(radial.r_edges[column] * radial.r_edges[column + 1]);
            const double argument = radius * radius * storage / radial.times[time];
            if (argument < 10.0) {
                EXPECT_NEAR(found[column], -0.5 * pressure * std::expint(-argument), 3e-3 * pressure)
                    << "day " << radial.times[time] << ", radius " << radius;
                largest_argument = std::max(largest_argument, argument);
                smallest_argument = std::min(smallest_argument, argument);
            }
        }
    }
    EXPECT_GT(largest_argument, 5.0);
    EXPECT_LT(smallest_argument, 1e-6);
}

TEST(SinglePhaseFlow, RisesEverywhereAlikeOnceTheClosedBoundaryIsFelt) {
    const RadialCase radial = line_source(growing(0.1, 1000.0, 100), {1000.0, 1001.0, 5000.0});
    const SinglePhaseFlow flow = single_phase_flow(radial, 4);
    const double volume = std::numbers::pi * (1e6 - 0.01) * 5.0 * 0.2;
    const double rise = flow.volume_rate / (volume * flow.compressibility);  // [bar/day]
    const double pressure = flow_pressure(radial, flow);
    const std::vector<double> now = snapshot(radial, flow, 0);
    const std::vector<double> later = snapshot(radial, flow, 2);
    for (std::size_t column = 0; column < radial.columns(); ++column) {
        EXPECT_NEAR(later[column] - now[column], 4000.0 * rise, 4000.0 * rise * 1e-5) << column;
        // The steady shape (Dake 1978): r^2 / (2 R^2) - ln(r / R) - 3/4 around the mean.
        const double radius = std::sqrt(radial.r_edges[column] * radial.r_edges[column + 1]);
        const double shape = radius * radius / 2e6 - std::log(radius / 1000.0) - 0.75;
        EXPECT_NEAR(later[column] - 5000.0 * rise, pressure * shape, 3e-3 * pressure) << column;
    }
}

TEST(SinglePhaseFlow, IsOfFirstOrderInTime) {
    const RadialCase radial = line_source(growing(0.1, 1e4, 60), {10.0, 100.0});
    const double exact = single_phase_flow(radial, 4096).well_buildup[1];
    const double coarse = std::abs(single_phase_flow(radial, 8).well_buildup[1] - exact);
    const double fine = std::abs(single_phase_flow(radial, 16).well_buildup[1] - exact);
    EXPECT_NEAR(coarse / fine, 2.0, 0.15);
}

TEST(SinglePhaseFlow, IsOfSecondOrderInTheGrid) {
    // The pressure over the volume of the cells within 10 m.
    const auto mean = [](std::size_t columns) {
        const RadialCase radial = line_source(growing(0.1, 1e5, columns), {1.0, 100.0});
        const std::vector<double> found = snapshot(radial, single_phase_flow(radial, 2), 1);
        double sum = 0.0;
        for (std::size_t column = 0; column < columns / 3; ++column) {
            sum += found[column] * cylinder::Ring{radial.r_edges[column], radial.r_edges[column + 1]}.area();
        }
        return sum / cylinder::Ring{0.1, 10.0}.area();
    };
    const double exact = mean(1536);
    const double coarse = std::abs(mean(24) - exact);
    const double fine = std::abs(mean(48) - exact);
    EXPECT_GT(coarse / fine, 3.0);
    EXPECT_LT(coarse / fine, 6.0);
}

TEST(SinglePhaseFlow, FillsASingleCell) {
    const RadialCase radial = uniform_radial_case(1, 1);
    const SinglePhaseFlow flow = single_phase_flow(radial, 1);
    const double capacity = flow.connections.pore_volume[0] * flow.compressibility;
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        const double rise = flow.volume_rate * radial.times[time] / capacity;
        EXPECT_NEAR(flow.pressure_buildup[time], rise, rise * 1e-9);
        EXPECT_NEAR(flow.well_buildup[time] - rise, flow.volume_rate * flow.viscosity / flow.connections.well[0],
                    flow.well_buildup[time] * 1e-9);
    }
}

TEST(SinglePhaseFlow, DoesNotDependOnHowAUniformFormationIsCutIntoRows) {
    RadialCase thick = uniform_radial_case(1, 30);
    thick.z_edges = {0.0, 20.0};
    RadialCase cut = uniform_radial_case(4, 30);
    cut.z_edges = {0.0, 0.5, 4.0, 13.0, 20.0};
    const SinglePhaseFlow expected = single_phase_flow(thick, 1);
    SinglePhaseFlow found = single_phase_flow(cut, 1);
    for (std::size_t time = 0; time < thick.times.size(); ++time) {
        const std::vector<double> one = snapshot(thick, expected, time);
        const std::vector<double> four = snapshot(cut, found, time);
        for (std::size_t cell = 0; cell < four.size(); ++cell) {
            // The densities at the depth of the perforation are equal too.
            EXPECT_NEAR(four[cell], one[cell % 30], 1e-5 * expected.well_buildup[time]) << time << " " << cell;
        }
    }
}

TEST(SinglePhaseFlow, ConvergesForContrastsOfPermeabilityOfAMillion) {
    int most = 0;
    for (unsigned seed = 10; seed < 40; ++seed) {
        const RadialCase radial = rough_case(1 + seed % 32, 2 * seed, seed);
        const SinglePhaseFlow flow = single_phase_flow(radial, 1);
        most = std::max(most, flow.iterations);
        for (const double pressure : flow.pressure_buildup) {
            ASSERT_TRUE(std::isfinite(pressure) && pressure >= 0.0) << seed;
        }
        EXPECT_NEAR(stored_over_injected(radial, flow, 3), 1.0, 1e-10) << seed;
    }
    EXPECT_LE(most, 400);  // of four time steps
}

TEST(SinglePhaseFlow, IsZeroWithoutInjection) {
    RadialCase radial = uniform_radial_case(3, 5);
    radial.injection_rate = 0.0;
    for (const double pressure : single_phase_flow(radial, 2).pressure_buildup) {
        EXPECT_EQ(pressure, 0.0);
    }
    for (const auto& [name, values] : single_phase(radial, 2).fields) {
        for (const float value : values) {
            EXPECT_TRUE(std::isfinite(value)) << name;
        }
    }
}

TEST(SinglePhaseFlow, StaysOutOfCellsThatNothingConnects) {
    RadialCase radial = uniform_radial_case(2, 6);
    // The last two cells of the upper row are cut off.
    radial.active[3] = 0;
    radial.active[6 + 4] = radial.active[6 + 5] = 0;
    const SinglePhaseFlow flow = single_phase_flow(radial, 1);
    EXPECT_EQ(flow.pressure_buildup[4], 0.0);
    EXPECT_EQ(flow.pressure_buildup[3], 0.0);
    EXPECT_GT(flow.pressure_buildup[6 + 3], 0.0);
    EXPECT_NEAR(stored_over_injected(radial, flow, 3), 1.0, 1e-10);
    EXPECT_EQ(arrival_times(radial, flow)[4], 1e9);
}

TEST(SinglePhaseFlow, IsNotMisledByStepsOfVeryDifferentLengths) {
    RadialCase even = uniform_radial_case(3, 30);
    even.times = {1.0, 1e4};
    RadialCase uneven = even;
    uneven.times = {1.0, 1.00001, 1.00002, 1e4};
    const double expected = single_phase_flow(even, 1).well_buildup.back();
    EXPECT_NEAR(single_phase_flow(uneven, 1).well_buildup.back(), expected, 1e-4 * expected);
}

TEST(SinglePhaseFlow, GivesTheSameBitsTwice) {
    const RadialCase radial = rough_case(9, 31, 5);
    EXPECT_EQ(single_phase_flow(radial, 2).pressure_buildup, single_phase_flow(radial, 2).pressure_buildup);
}

TEST(ArrivalTimes, AreTheTimeToFillThePoresWithinTheRadius) {
    const RadialCase radial = uniform_radial_case(3, 60);
    const SinglePhaseFlow flow = single_phase_flow(radial, 1);
    const std::vector<double> arrival = arrival_times(radial, flow);
    for (std::size_t column = 0; column < 30; ++column) {  // within 100 m, where the flow is steady
        const double volume = cylinder::Ring{0.1, radial.r_edges[column + 1]}.area() * 15.0 * 0.2;
        EXPECT_NEAR(arrival[60 + column] * flow.volume_rate / volume, 1.0, 1e-3) << column;
    }
}

TEST(InjectionFluids, AreThoseAtTheDepthOfThePerforation) {
    RadialCase radial = uniform_radial_case(4, 3);
    radial.perforation.assign(12, 0.0);
    radial.perforation[6] = 1.0;  // 10 to 15 m
    const InjectionFluids fluids = injection_fluids(radial);
    EXPECT_DOUBLE_EQ(fluids.pressure, hydrostatic_pressure(200.0, 60.0, 0.0, 12.5));
    EXPECT_DOUBLE_EQ(fluids.co2_density, co2_density(fluids.pressure, 60.0));
    EXPECT_DOUBLE_EQ(fluids.co2_viscosity, co2_viscosity(fluids.co2_density, 60.0));
    EXPECT_DOUBLE_EQ(fluids.viscosity_ratio(), brine_viscosity(60.0, 0.0) / fluids.co2_viscosity);
    EXPECT_NEAR(fluids.volume_rate * fluids.co2_density * 365.25, 0.5e9, 1.0);
}

TEST(SinglePhase, GivesAllFieldsOfItsKindAndZeroInInactiveCells) {
    RadialCase radial = uniform_radial_case(4, 10);
    radial.active[13] = 0;
    const PhysicsFields result = single_phase(radial, 1);
    ASSERT_EQ(result.fields.size(), 4u);
    for (const char* name : {"physics_pressure_buildup", "physics_time_over_arrival",
                             "physics_injected_over_pore_volume", "physics_front_height"}) {
        const std::vector<float>& values = result.fields.at(name);
        ASSERT_EQ(values.size(), 4u * 40u) << name;
        for (std::size_t time = 0; time < 4; ++time) {
            EXPECT_EQ(values[time * 40 + 13], 0.0f) << name;
            EXPECT_GT(values[time * 40], 0.0f) << name;
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

TEST(SinglePhase, ComparesInjectedWithPoreVolumeWithinTheRadius) {
    const RadialCase radial = uniform_radial_case(2, 20);
    const PhysicsFields result = single_phase(radial, 1);
    const double volume = cylinder::Ring{0.1, radial.r_edges[8]}.area() * 10.0 * 0.2;
    const double injected = injection_fluids(radial).volume_rate * 365.25;
    const float found = result.fields.at("physics_injected_over_pore_volume")[2 * 40 + 20 + 7];
    EXPECT_NEAR(static_cast<double>(found) / (injected / volume), 1.0, 1e-6);
}

TEST(SinglePhase, PutsTheFrontWhereNordbottenAndCeliaDo) {
    const RadialCase radial = uniform_radial_case(2, 200);
    const PhysicsFields result = single_phase(radial, 1);
    const double ratio = result.scalars.at("physics_viscosity_ratio");
    const double injected = injection_fluids(radial).volume_rate * 365.25;
    std::size_t between = 0;
    for (std::size_t column = 0; column < 200; ++column) {
        const double radius = 0.5 * (radial.r_edges[column] + radial.r_edges[column + 1]);
        const double filled = std::numbers::pi * (radius * radius - 0.01) * 10.0 * 0.2 * 0.8 / injected;
        const auto found = static_cast<double>(result.fields.at("physics_front_height")[2 * 400 + 200 + column]);
        if (filled < 1.0 / ratio) {
            EXPECT_EQ(found, 1.0) << column;
        } else if (filled > ratio) {
            EXPECT_EQ(found, 0.0) << column;
        } else {
            // The interface moves so that sqrt(M / x) = 1 + (M - 1) b.
            EXPECT_NEAR((1.0 + (ratio - 1.0) * found) * std::sqrt(filled / ratio), 1.0, 1e-5) << column;
            ++between;
        }
    }
    EXPECT_GT(between, 5u);
}

}  // namespace
}  // namespace plumecast
