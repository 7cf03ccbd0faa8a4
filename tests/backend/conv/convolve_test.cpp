
#include <gtest/gtest.h>

#include <string>

#include "backend/convolve.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_arrays.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class Convolve : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Convolve, ::testing::ValuesIn(op_backends()), choice_name);
class ConvolveAdjoint : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ConvolveAdjoint, ::testing::ValuesIn(backends_and_oracle()), choice_name);

/// A convolution over four axes: cells [B, s0, s1, s2, s3], channels of each input and of the output.
struct Case {
    std::string name;
    ConvGeometry geometry;
    Shape cells;
    std::vector<std::int64_t> inputs;
    std::int64_t outputs;

    Shape part(std::size_t i) const { return cells.append(inputs[i]); }
    Shape output() const { return geometry.output_shape(part(0), outputs); }
    Shape weight() const {
        std::int64_t sum = 0;
        for (const std::int64_t channels : inputs) {
            sum += channels;
        }
        return geometry.weight_shape(sum, outputs);
    }
    std::vector<ConstView> random_inputs(Arrays& a) const {
        std::vector<ConstView> views;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            views.emplace_back(a.field("x" + std::to_string(i), part(i)));
        }
        return views;
    }
};

std::vector<Case> cases() {
    const ConvGeometry k3{.outer = {3, 1, 1, 1}};
    const ConvGeometry k3_each_step{
        .kernel = {3, 3, 1}, .padding_low = {1, 1, 0}, .padding_high = {1, 1, 0}, .outer = {3, 1, 1, 1}};
    const ConvGeometry k3_s2{.stride = {2, 2, 2}, .outer = {3, 2, 1, 1}};
    const ConvGeometry mixed{.kernel = {1, 2, 3},
                             .stride = {1, 2, 1},
                             .padding_low = {0, 1, 0},
                             .padding_high = {0, 0, 2},
                             .outer = {4, 3, 0, 2}};
    const ConvGeometry k4_s2_up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true, .outer = {4, 2, 1, 1}};
    const ConvGeometry k3_s2_up{
        .stride = {2, 2, 2}, .padding_high = {0, 0, 0}, .transposed = true, .outer = {3, 2, 1, 0}};
    const ConvGeometry gaps{.kernel = {1, 1, 1},
                            .padding_low = {0, 0, 0},
                            .padding_high = {0, 0, 0},
                            .transposed = true,
                            .outer = {1, 3, 0, 0}};
    return {{"k3", k3, {2, 3, 2, 4, 3}, {3}, 2},
            {"k3, one plane", k3, {1, 1, 3, 2, 2}, {2}, 3},
            {"k3, two inputs", k3, {1, 4, 2, 3, 2}, {2, 16}, 17},
            {"each step on its own", k3_each_step, {2, 4, 3, 2, 5}, {3, 2}, 4},
            {"k3, empty batch", k3, {0, 3, 3, 3, 2}, {4}, 4},
            {"k3 s2, even", k3_s2, {2, 4, 2, 4, 2}, {3}, 4},
            {"k3 s2, odd", k3_s2, {1, 5, 3, 2, 3}, {2, 1}, 3},
            {"mixed", mixed, {2, 5, 2, 4, 3}, {3}, 2},
            {"up k4 s2", k4_s2_up, {2, 2, 1, 2, 1}, {3, 2}, 4},
            {"up k3 s2", k3_s2_up, {1, 3, 2, 1, 2}, {2}, 5},
            {"up with planes that no tap reaches", gaps, {1, 3, 2, 2, 2}, {2}, 3}};
}

/// Cell of the output that a cell of the input adds to through a tap of the kernel; -1 for none.
std::int64_t output_of(std::int64_t cell, std::int64_t tap, std::int64_t stride, std::int64_t padding,
                       bool transposed) {
    const std::int64_t distance = cell + padding - tap;
    if (transposed) {
        return cell * stride + tap - padding;
    }
    return distance >= 0 && distance % stride == 0 ? distance / stride : -1;
}

/// y += conv(x) by the definition, for an input whose channels start at `channel` of the weight's.
void add_by_definition(const ConvGeometry& g, ConstView x, ConstView weight, std::int64_t channel, View y) {
    const Array<const double> from = array(x), w = array(weight);
    const Array<double> to = array(y);
    const Shape taps{g.outer.kernel, g.kernel[0], g.kernel[1], g.kernel[2], y.shape[-1]};
    const std::int64_t stride[] = {g.outer.stride, g.stride[0], g.stride[1], g.stride[2]};
    const std::int64_t padding[] = {g.outer.padding_low, g.padding_low[0], g.padding_low[1], g.padding_low[2]};
    each_index(x.shape, [&](const Index& at) {
        each_index(taps, [&](const Index& tap) {
            Index out{at[0]};
            for (std::size_t axis = 0; axis < 4; ++axis) {
                out[axis + 1] = output_of(at[axis + 1], tap[axis], stride[axis], padding[axis], g.transposed);
                if (out[axis + 1] < 0 || out[axis + 1] >= y.shape[static_cast<int>(axis) + 1]) {
                    return;
                }
            }
            out[5] = tap[4];
            const std::int64_t in = channel + at[5];
            const Index pick{g.transposed ? in : tap[4], tap[0], tap[1], tap[2], tap[3], g.transposed ? tap[4] : in};
            to(out) += from(at) * w(pick);
        });
    });
}

TEST(ConvolveDefinition, IsWhatTheSumOverPlanesGives) {
    const auto oracle = make_oracle_backend();
    for (const Case& c : cases()) {
        Arrays a(*oracle);
        const std::vector<ConstView> inputs = c.random_inputs(a);
        const View weight = a.random("w", c.weight()), bias = a.random("bias", {c.outputs});
        const OutputRef y = a.target("y", c.output(), 1.0);
        Tensor expected = a.download("y");
        for (std::int64_t i = 0; i < expected.shape().count(); ++i) {
            expected.values<double>()[static_cast<std::size_t>(i)] += bias.as<double>()[i % c.outputs];
        }
        std::int64_t channel = 0;
        for (const ConstView& input : inputs) {
            add_by_definition(c.geometry, input, weight, channel, expected);
            channel += input.shape[-1];
        }
        for (double& value : expected.values<double>()) {
            value = value >= 0.0 ? value : 0.25 * value;
        }
        convolve(*oracle, c.geometry, inputs, weight, bias, y, Activation::leaky_relu(0.25));
        expect_close(a.download("y"), expected, 1e-13, c.name);
    }
}

TEST_P(Convolve, MatchesTheOracle) {
    for (const Case& c : cases()) {
        for (const double beta : {0.0, 1.0}) {
            const auto ops = [&](Arrays& a) {
                convolve(a.backend(), c.geometry, c.random_inputs(a), a.random("w", c.weight()),
                         a.random("bias", {c.outputs}), a.field_target("y", c.output(), beta), Activation::relu());
                const View g = a.field("g", c.output());
                std::vector<OutputRef> gradients;
                for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                    gradients.push_back(a.field_target("gx" + std::to_string(i), c.part(i), beta));
                }
                convolve_data_gradient(a.backend(), c.geometry, g, a.random("w", c.weight()), gradients);
                convolve_weight_gradient(a.backend(), c.geometry, c.random_inputs(a), g,
                                         a.target("gw", c.weight(), beta));
            };
            expect_like_oracle(backend(), {"y", "gx0", "gx" + std::to_string(c.inputs.size() - 1), "gw"}, ops,
                               product_tolerance(2e-6), c.name + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(Convolve, GivesTheSameBitsFromTapsKeptOfAWeightAndReadsNoOther) {
    for (const Case& c : cases()) {
        Arrays a(backend());
        const std::vector<ConstView> inputs = c.random_inputs(a);
        const ConstView g = a.field("g", c.output());
        const View w = a.random("w", c.weight());
        const auto compute = [&](const std::string& name, const PackedForms* forward, const PackedForms* backward) {
            ConstView of_conv = w, of_gradient = w;
            of_conv.packed = forward;
            of_gradient.packed = backward;
            convolve(a.backend(), c.geometry, inputs, of_conv, {}, a.field_target(name + " y", c.output(), 0.0), {});
            std::vector<OutputRef> targets;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                targets.push_back(a.field_target(name + " gx" + std::to_string(i), c.part(i), 0.0));
            }
            convolve_data_gradient(a.backend(), c.geometry, g, of_gradient, targets);
        };
        compute("copied", nullptr, nullptr);
        const View y{c.output(), g.type, nullptr};
        const PackedForms forward = pack_weight(a.backend(), c.geometry, inputs, w, y, WeightReader::conv);
        const PackedForms backward = pack_weight(a.backend(), c.geometry, inputs, w, y, WeightReader::data_gradient);
        ASSERT_EQ(forward.empty(), c.output().count() == 0) << c.name;
        ASSERT_EQ(backward.empty(), c.output().count() == 0) << c.name;
        a.backend().fill(w, 0.0);
        compute("kept", &forward, &backward);
        for (const std::string& one : {std::string(" y"), std::string(" gx0")}) {
            EXPECT_EQ(as_double(a.download("kept" + one)), as_double(a.download("copied" + one))) << c.name << one;
        }
    }
}

TEST_P(ConvolveAdjoint, IsTheDataGradientAndInTheWeightTheWeightGradient) {
    for (const Case& c : cases()) {
        Arrays a(backend());
        const auto inputs = c.random_inputs(a);
        expect_adjoint(
            backend(), c.weight(), c.output(),
            [&](View w, View y) { convolve(backend(), c.geometry, inputs, w, {}, {y}, Activation::identity()); },
            [&](View y, View w) { convolve_weight_gradient(backend(), c.geometry, inputs, y, {w}); },
            adjoint_tolerance(), c.name + ", weight");
        if (c.inputs.size() > 1) {
            continue;
        }
        const View w = a.random("w", c.weight());
        expect_adjoint(
            backend(), c.part(0), c.output(),
            [&](View x, View y) {
                convolve(backend(), c.geometry, std::vector<ConstView>{x}, w, {}, {y}, Activation::identity());
            },
            [&](View y, View x) { convolve_data_gradient(backend(), c.geometry, y, w, std::vector<OutputRef>{{x}}); },
            adjoint_tolerance(), c.name);
    }
}

TEST(ConvGeometryOfFourAxes, ThrowsWhenTheOuterKernelExceedsThePaddedField) {
    const ConvGeometry bare{.outer = {3, 1, 0, 0}};
    EXPECT_EQ(bare.output_shape({1, 3, 4, 4, 4, 2}, 5), (Shape{1, 1, 4, 4, 4, 5}));
    EXPECT_THROW(bare.output_shape({1, 2, 4, 4, 4, 2}, 5), InvalidInput);
    EXPECT_THROW(bare.output_shape({1, 4, 4, 4, 2}, 5), Error);
}

}  // namespace
}  // namespace plumecast::testing
