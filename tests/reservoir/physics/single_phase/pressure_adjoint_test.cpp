#include "reservoir/physics/single_phase/pressure_adjoint.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "reservoir/physics/single_phase/pressure_steps.hpp"

namespace plumecast {
namespace {

/// Four columns of three rows in a square with a well in each of two opposite ones.
ColumnNetwork square_network() {
    ColumnNetwork network;
    network.rows = 3;
    network.columns = 4;
    network.order = {1, 2, 0, 3};
    network.links = {{1, 0}, {2, 0}, {1, 3}, {2, 3}};
    network.vertical = {0.0, 1.5, 0.2, 0.0, 3.0, 0.7, 0.0, 0.01, 2.0, 0.0, 1.0, 1.0};
    for (std::size_t i = 0; i < 12; ++i) {
        network.lateral.push_back(0.3 * std::pow(1.7, static_cast<double>(i % 5)));
    }
    network.well_columns = {0, 3};
    network.wells = {2.0, 0.0, 1.0, 0.5, 0.5, 4.0};
    return network;
}

// Pressures depend linearly on what is injected in each step: <w, P q> = <P' w, q>.
TEST(PressureAdjoint, IsTheAdjointOfTheSteps) {
    const ColumnNetwork network = square_network();
    const std::vector<double> capacity{1.0, 3.0, 2.0, 5.0, 4.0, 6.0, 1.0, 1.0, 7.0, 2.0, 0.5, 0.1};
    const std::vector<double> times{1.0, 3.0, 10.0, 11.0};
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    PressureSteps steps(network, 0.6, capacity, 1e-13);
    PressureAdjoint adjoint(network, 0.6, capacity, 1e-13);
    std::vector<ColumnVector> weights;
    std::vector<std::vector<double>> rates;
    double weighted = 0.0;
    for (const double time : times) {
        rates.push_back({normal(random), normal(random)});
        steps.advance(time, rates.back());
        weights.emplace_back(network);
        for (std::size_t i = 0; i < weights.back().count(); ++i) {
            weights.back().cells()[i] = normal(random);
            weighted += weights.back().cells()[i] * steps.pressure().cells()[i];
        }
        for (std::size_t well = 0; well < 2; ++well) {
            weights.back().wells[well] = normal(random);
            weighted += weights.back().wells[well] * steps.pressure().wells[well];
        }
    }
    double answered = 0.0;
    for (std::size_t step = times.size(); step-- > 0;) {
        const double length = times[step] - (step > 0 ? times[step - 1] : 0.0);
        const ColumnVector& answer = adjoint.back(length, weights[step]);
        answered += answer.wells[0] * rates[step][0] + answer.wells[1] * rates[step][1];
    }
    EXPECT_GT(std::abs(weighted), 1e-3);
    EXPECT_NEAR(answered, weighted, 1e-10 * std::abs(weighted));
}

}  // namespace
}  // namespace plumecast
