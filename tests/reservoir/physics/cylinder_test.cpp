#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "reservoir/physics/cylinder.hpp"

namespace plumecast::cylinder {
namespace {

TEST(Ring, HasTheAreaOfTheAnnulus) { EXPECT_DOUBLE_EQ((Ring{3.0, 5.0}.area()), 16.0 * std::numbers::pi); }

TEST(Ring, PutsThePressurePointAtTheMeanOverTheVolume) {
    const Ring ring{2.0, 7.0};
    // Mean of ln(r / inner) by the midpoint rule in r^2.
    double mean = 0.0;
    constexpr int steps = 200000;
    for (int i = 0; i < steps; ++i) {
        const double square = 4.0 + (49.0 - 4.0) * (i + 0.5) / steps;
        mean += 0.5 * std::log(square / 4.0) / steps;
    }
    EXPECT_NEAR(ring.inner_distance(), mean, 1e-9);
    EXPECT_NEAR(ring.inner_distance() + ring.outer_distance(), std::log(3.5), 1e-14);
}

TEST(Ring, HasEqualHalvesWhenItIsThin) {
    const Ring ring{1000.0, 1000.5};
    EXPECT_NEAR(ring.inner_distance() / ring.outer_distance(), 1.0, 1e-3);
}

TEST(RadialTransmissibility, AddsUpToThiemsFormula) {
    // Rings of one permeability in series let through 2 pi C k dz / ln(R / r) between their pressure points.
    const Ring first{0.1, 10.0};
    const Ring second{10.0, 90.0};
    const Ring third{90.0, 500.0};
    const double resistance = 1.0 / well_connection_factor(first, 80.0, 5.0) +
                              1.0 / radial_transmissibility(first, 80.0, second, 80.0, 5.0) +
                              1.0 / radial_transmissibility(second, 80.0, third, 80.0, 5.0) +
                              third.outer_distance() / (2.0 * std::numbers::pi * darcy * 5.0 * 80.0);
    EXPECT_NEAR(resistance, std::log(5000.0) / (2.0 * std::numbers::pi * darcy * 5.0 * 80.0), 1e-12);
}

TEST(VerticalTransmissibility, IsDarcysLawBetweenCentres) {
    const Ring ring{3.0, 5.0};
    EXPECT_NEAR(vertical_transmissibility(ring, 2.0, 10.0, 2.0, 10.0), darcy * ring.area() * 10.0 / 2.0, 1e-12);
    EXPECT_NEAR(vertical_transmissibility(ring, 2.0, 10.0, 4.0, 5.0), darcy * ring.area() / 0.5, 1e-12);
}

}  // namespace
}  // namespace plumecast::cylinder
