#include <gmock/gmock.h>

#include <algorithm>

#include <plumecast/architectures/describe.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class DescribeTest : public ::testing::TestWithParam<std::string> {};

TEST_P(DescribeTest, NamesTheWeightsOfTheNetworkWithShapesAndInitialValues) {
    for (const NetworkConfig& config : {small_config(GetParam()), small_config_3d(GetParam())}) {
        const auto oracle = make_oracle_backend();
        const auto network = std::make_unique<Network>(*oracle, config, 3);
        const Shape extents = config.space_axes() == 2 ? Shape{5, 7, 3} : Shape{3, 4, 5, 2};
        const std::vector<WeightOp> weights =
            describe(config, whole_input(config, 1, extents), ExecutionMode::evaluation).weights();
        ASSERT_EQ(weights.size(), network->parameters().all().size());
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const Parameter& parameter = network->parameters().all()[k];
            EXPECT_EQ(weights[k].of, parameter.name);
            EXPECT_EQ(weights[k].shape, parameter.whole) << parameter.name;
            EXPECT_EQ(weights[k].trainable, parameter.trainable) << parameter.name;
            EXPECT_EQ(weights[k].complex_valued, parameter.complex_valued) << parameter.name;
            const Tensor values = network->parameters().download(parameter);
            const auto [least, most] = std::ranges::minmax_element(values.values<double>());
            EXPECT_GE(*least, weights[k].low) << parameter.name;
            EXPECT_LE(*most, weights[k].high) << parameter.name;
            if (values.shape().count() > 50) {
                EXPECT_GT(*most - *least, 0.8 * (weights[k].high - weights[k].low)) << parameter.name;
            }
        }
    }
}

TEST_P(DescribeTest, RunsOnEveryBackendNearTheOracle) {
    const NetworkConfig config = small_config(GetParam());
    const auto predicted = [&](Backend& backend) {
        const auto network = small_network(backend, config);
        return described_prediction(*network, small_input(backend, {5, 7, 3}, 2));
    };
    const auto oracle = make_oracle_backend(), cpu = make_cpu_backend({.threads = 2});
    expect_close(predicted(*cpu), predicted(*oracle), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Architectures, DescribeTest, ::testing::ValuesIn(architecture_names()),
                         [](const auto& name) { return name.param; });

TEST(Describe, ReadsLikeThePaperInItsTextForm) {
    NetworkConfig config = small_config("conv_fno");
    config.fourier_blocks = 0;
    const Graph graph = describe(config, whole_input(config, 1, {6, 6, 6}), ExecutionMode::evaluation);
    EXPECT_THAT(text_of(graph),
                HasSubstr("%4 = spectral_conv(%3, blocks.0.spectral.weight) modes 2 2 3 : float32 [1, 8, 8, 8, 3]\n"
                          "%5 = matmul(%3, blocks.0.linear.weight"));
    EXPECT_EQ(text_of(lowered(graph)),
              "%1 = rows(lift.weight) 0 1 2 : float32 [3, 3]\n"
              "%2 = matmul(channels, %1) : float32 [1, 6, 6, 6, 3]\n"
              "%3 = padded_sum(%2, lift.bias) padding 6 zero 6 replicate 6 replicate : float32 [1, 8, 8, 8, 3]\n"
              "%4 = axis_transform(fourier.8_cells.2_modes, %3) axis 2 : float32 [1, 8, 6, 8, 3]\n"
              "%5 = axis_transform(time_fourier.8_cells.3_modes, %4) axis 3 : float32 [1, 8, 6, 6, 3]\n"
              "%6 = axis_transform(fourier.8_cells.2_modes, %5) axis 1 : float32 [1, 6, 6, 6, 3]\n"
              "%7 = combine_signs(%6) axis 2 dropped_from 6 : float32 [1, 6, 4, 6, 3]\n"
              "%8 = combine_signs(%7) axis 1 dropped_from 6 : float32 [1, 4, 4, 6, 3]\n"
              "%9 = spectral_multiply(%8, blocks.0.spectral.weight) : float32 [1, 4, 4, 6, 3]\n"
              "%10 = combine_signs(%9) axis 1 dropped_from 6 adjoint : float32 [1, 6, 4, 6, 3]\n"
              "%11 = combine_signs(%10) axis 2 dropped_from 6 adjoint : float32 [1, 6, 6, 6, 3]\n"
              "%12 = axis_transform(fourier.8_cells.2_modes^T, %11) axis 1 : float32 [1, 8, 6, 6, 3]\n"
              "%13 = axis_transform(time_fourier_inverse.8_cells.3_modes, %12) axis 3 : float32 [1, 8, 6, 8, 3]\n"
              "%14 = axis_transform(fourier.8_cells.2_modes^T, %13) axis 2 : float32 [1, 8, 8, 8, 3]\n"
              "%15 = matmul(%3, blocks.0.linear.weight, blocks.0.linear.bias) transpose_b : float32 [1, 8, 8, "
              "8, 3]\n"
              "%16 = add(%14, %15) : float32 [1, 8, 8, 8, 3]\n"
              "%17 = conv(%3, blocks.0.conv.weight, blocks.0.conv.bias) kernel [3, 3, 3] stride [1, 1, 1] "
              "padding [1, 1, 1] [1, 1, 1] : float32 [1, 8, 8, 8, 3]\n"
              "%18 = add(%16, %17) : float32 [1, 8, 8, 8, 3]\n"
              "%19 = activate(%18) relu : float32 [1, 8, 8, 8, 3]\n"
              "%20 = crop(%19) from [0, 0, 0, 0, 0] : float32 [1, 6, 6, 6, 3]\n"
              "%21 = matmul(%20, projection.first.weight, projection.first.bias) transpose_b : float32 [1, 6, "
              "6, 6, 5]\n"
              "%22 = activate(%21) relu : float32 [1, 6, 6, 6, 5]\n"
              "%23 = matmul(%22, projection.second.weight, projection.second.bias) transpose_b : float32 [1, "
              "6, 6, 6, 2]\n"
              "prediction = %23\n");
}

/// An input of one case on a grid: the same numbers on all grids of as many points.
NetworkInput input_on(Backend& backend, const Shape& extents) {
    NetworkInput input{{}, 1, extents};
    Shape shape{1};
    for (const std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    const Tensor values = random_tensor(shape.append(3), backend.compute_type(), "values");
    Tensor own(backend.memory(), values.shape(), backend.compute_type());
    backend.upload(values, own);
    input.groups.push_back({{0, 1, 2}, std::move(own)});
    return input;
}

TEST(Describe, AxesOfOnePointWithoutModesAreAsIfTheyWereNotThere) {
    const auto oracle = make_oracle_backend();
    for (const std::string architecture : {"fno", "f_fno"}) {
        NetworkConfig plane = small_config(architecture);
        plane.modes = {2, 3};
        plane.padding = {1, 2};
        plane.edges = {Padding::Edge::zero, Padding::Edge::replicate};
        const auto expected = described_prediction(*small_network(*oracle, plane), input_on(*oracle, {5, 6}));
        for (std::size_t place = 0; place < 3; ++place) {
            NetworkConfig config = plane;
            const auto at = static_cast<std::ptrdiff_t>(place);
            config.modes.insert(config.modes.begin() + at, 0);
            config.padding.insert(config.padding.begin() + at, 0);
            config.edges.insert(config.edges.begin() + at, Padding::Edge::zero);
            std::vector<std::int64_t> extents{5, 6};
            extents.insert(extents.begin() + at, 1);
            const auto network = std::make_unique<Network>(*oracle, config, 0);
            const auto same = small_network(*oracle, plane);
            for (std::size_t k = 0; k < same->parameters().all().size(); ++k) {  // by their order: f_fno counts axes
                const Parameter& from = same->parameters().all()[k];
                network->parameters().assign(network->parameters().all()[k].name, same->parameters().download(from));
            }
            const Tensor found = described_prediction(*network, input_on(*oracle, Shape(extents)));
            expect_close(found, expected.view().reshaped(found.shape()), 1e-13, architecture);
        }
    }
}

TEST(Describe, KeepsThePlanOfNetworksThatTransformAxesOfOnePoint) {
    NetworkConfig config = small_config("fno");
    config.modes = {2, 2, 1};
    config.padding = {0, 0, 0};
    config.padded_multiple = 1;
    config.fourier_blocks = 1;
    const std::string text =
        text_of(lowered(describe(config, whole_input(config, 1, {6, 6, 1}), ExecutionMode::evaluation)));
    EXPECT_THAT(text, HasSubstr("axis_transform(time_fourier.1_cells.1_modes"));
    EXPECT_THAT(text, HasSubstr("spectral_multiply(%8, blocks.0.spectral.weight) : float32 [1, 4, 4, 2, 3]"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("reshape")));
}

TEST(Describe, RefusesPointsAlongAnAxisWithoutModes) {
    NetworkConfig config = small_config("fno");
    config.modes.back() = config.padding.back() = 0;
    EXPECT_THAT(
        [&] {
            describe(config, whole_input(config, 1, {4, 4, 2}), ExecutionMode::evaluation);
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("no modes along axis 2, which is one point")));
}

TEST(Describe, RefusesAGridOfOtherAxes) {
    const NetworkConfig config = small_config("fno");
    EXPECT_THAT(
        [&] {
            describe(config, {{}, 1, {4, 4, 4, 4}}, ExecutionMode::evaluation);
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("the network has 3 axes, time included")));
}

}  // namespace
}  // namespace plumecast::testing
