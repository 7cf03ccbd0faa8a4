#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "passes/narrow_fields.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

/// What a network in bfloat16 may be off from one in float32, relative L2 (docs/numerics.md). At kinks of ReLU rounding
/// decides on which side a value falls, and the gradients of a random direction show it.
constexpr double value_tolerance = 0.02, smooth_gradient_tolerance = 0.015, gradient_tolerance = 0.2;

/// Blocks on five grids, one after the other, round more often than the one or two of the others.
double smooth_gradient_tolerance_of(const NetworkConfig& config) {
    return config.architecture == "uno" ? 0.025 : smooth_gradient_tolerance;
}

bool is_smooth(const NetworkConfig& config) {
    return config.activation.kind == Activation::Kind::gelu && config.architecture != "ufno" &&
           config.architecture != "cnn";
}

NetworkPass pass(Backend& backend, const NetworkConfig& config, const Shape& extents, ExecutionMode mode) {
    const auto network = small_network(backend, config);
    for (const Parameter& parameter : network->parameters().all()) {
        EXPECT_EQ(parameter.weight.type(), backend.compute_type()) << parameter.name;
    }
    return network_pass(*network, small_input(backend, extents, 2), mode);
}

class Bfloat16Network : public ::testing::TestWithParam<std::string> {};

void expect_near_float32(const NetworkConfig& config, const Shape& extents) {
    const auto exact = make_cpu_backend({.threads = 1});
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        const NetworkPass right = pass(*exact, config, extents, mode);
        for (const BackendChoice& choice : bfloat16_backends()) {
            const auto backend = choice.make();
            if (backend == nullptr) {
                continue;
            }
            const NetworkPass tried = pass(*backend, config, extents, mode);
            EXPECT_GT(relative_l2(tried.prediction, right.prediction), 1e-5) << choice.name << " did not use bfloat16";
            expect_close(tried.prediction, right.prediction, value_tolerance, choice.name + ", value");
            if (mode ==
                ExecutionMode::evaluation) {  // a batch norm over few values divides by what rounding left of them
                EXPECT_LE(relative_l2_of_all(tried.gradients, right.gradients),
                          is_smooth(config) ? smooth_gradient_tolerance_of(config) : gradient_tolerance)
                    << choice.name << ", gradients";
            }
        }
    }
}

TEST_P(Bfloat16Network, IsNearFloat32InValueAndGradients) {
    NetworkConfig config = small_config(GetParam());
    config.width = 8;
    config.hidden = 16;
    expect_near_float32(config, {6, 10, 5});
}

TEST_P(Bfloat16Network, IsNearFloat32OnThreeAxesOfSpace) {
    NetworkConfig config = small_config_3d(GetParam());
    config.width = 6;
    config.hidden = 12;
    expect_near_float32(config, {4, 5, 6, 2});
}

TEST_P(Bfloat16Network, IsNearFloat32UnderGelu) {
    NetworkConfig config = small_config(GetParam());
    config.width = 8;
    config.hidden = 16;
    config.activation = {Activation::Kind::gelu};
    expect_near_float32(config, {6, 10, 5});
}

INSTANTIATE_TEST_SUITE_P(Architectures, Bfloat16Network, ::testing::ValuesIn(architecture_names()),
                         [](const auto& name) { return name.param; });

TEST(Bfloat16Memory, OfAForwardPassIsNearlyHalfThatOfFloat32) {
    NetworkConfig config = small_config("ufno");
    config.width = 16;
    std::vector<double> bytes;
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        const auto backend = make_planning_backend(precision);
        const Network network(*backend, config, 1);
        const NetworkInput input = small_input(*backend, {40, 40, 24}, 1);
        Graph graph = describe(config, shapes_of(input), ExecutionMode::evaluation);
        graph = precision == Precision::bf16 ? narrow_fields(graph) : graph;
        const Feed feed = feed_of(network, input);
        const Plan plan(*backend, for_prediction(*backend, graph, feed), feed);
        bytes.push_back(static_cast<double>(plan.workspace_bytes()));
    }
    EXPECT_LT(bytes[1], 0.6 * bytes[0]);
}

}  // namespace
}  // namespace plumecast::testing
