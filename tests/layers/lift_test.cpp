#include <plumecast/layers/lift.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <plumecast/layers/epilogue.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;
using Edge = Padding::Edge;

/// A lift of groups that hold the channels in the order given: inputs are weight, bias, then the groups.
struct Setting {
    std::int64_t batch;
    Padding padding;
    Shape padded;
    std::vector<Shape> groups;

    std::int64_t channels() const {
        std::int64_t count = 0;
        for (const Shape& group : groups) {
            count += group[-1];
        }
        return count;
    }
    std::vector<Shape> inputs(std::int64_t width) const {
        std::vector<Shape> shapes{{channels(), width}, {width}};
        shapes.insert(shapes.end(), groups.begin(), groups.end());
        return shapes;
    }
    /// Rows of the weight for a group: backwards, so that order matters.
    std::vector<std::int64_t> rows(std::size_t group) const {
        std::int64_t next = channels();
        for (std::size_t g = 0; g < group; ++g) {
            next -= groups[g][-1];
        }
        std::vector<std::int64_t> result;
        for (std::int64_t c = 0; c < groups[group][-1]; ++c) {
            result.push_back(--next);
        }
        return result;
    }
    Variable operator()(const Inputs& in) const {
        Parameters parameters(in[0].backend(), 1);
        Lift lift(Scope(parameters), channels(), in[0].shape()[1]);
        lift.weight = in[0];
        lift.bias = in[1];
        std::vector<LiftInput> inputs;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            inputs.push_back({rows(g), in[g + 2]});
        }
        return lift(inputs, batch, padding, padded);
    }
};

/// Maps, columns, scalars, times and full fields on [2, 3, 4, 3] padded to [2, 4, 6, 4].
Setting every_pattern() {
    return {2,
            {{{3, Edge::zero}, {4, Edge::replicate}, {3, Edge::replicate}}},
            {4, 6, 4},
            {{2, 3, 4, 1, 2}, {1, 1, 4, 1, 1}, {2, 3, 1, 1, 1}, {2, 1, 1, 1, 2}, {1, 1, 1, 3, 1}, {2, 3, 4, 3, 1}}};
}

/// The lift written from its definition: continue all channels, silence zero edges, multiply.
double expected_at(const Setting& setting, const Inputs& in, const std::vector<std::int64_t>& index,
                   std::int64_t output) {
    const std::int64_t width = in[0].shape()[1];
    double sum = in[1].value().as<double>()[output];
    for (std::size_t axis = 0; axis < setting.padding.axes.size(); ++axis) {
        const Padding::Axis& edge = setting.padding.axes[axis];
        if (index[axis + 1] >= edge.inside && edge.edge == Edge::zero) {
            return sum;
        }
    }
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
        const Shape& shape = setting.groups[g];
        std::int64_t cell = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            const std::int64_t extent = shape[static_cast<int>(axis)];
            cell = cell * extent + std::min(index[axis], extent - 1);
        }
        const std::vector<std::int64_t> rows = setting.rows(g);
        for (std::int64_t c = 0; c < shape[-1]; ++c) {
            sum += in[g + 2].value().as<double>()[cell * shape[-1] + c] *
                   in[0].value().as<double>()[rows[static_cast<std::size_t>(c)] * width + output];
        }
    }
    return sum;
}

TEST(Lift, ContinuesAndMapsGroupsOfEveryPattern) {
    const Setting setting = every_pattern();
    const auto oracle = make_oracle_backend();
    Inputs in;
    for (const Shape& shape : setting.inputs(2)) {
        in.push_back(random_leaf(*oracle, shape, shape.text()));
    }
    const Variable y = setting(in);
    ASSERT_EQ(y.shape().text(), "[2, 4, 6, 4, 2]");
    for (std::int64_t at = 0; at < y.shape().count(); ++at) {
        const std::int64_t cell = at / 2;
        const std::vector<std::int64_t> index{cell / 96, cell / 24 % 4, cell / 4 % 6, cell % 4};
        ASSERT_NEAR(y.value().as<double>()[at], expected_at(setting, in, index, at % 2), 1e-13) << at;
    }
}

TEST(Lift, HasGradientsForEveryPattern) {
    const Setting setting = every_pattern();
    expect_gradients(setting, setting.inputs(2));
}

TEST(Lift, HasGradientsWithoutPadding) {
    const Setting setting{1, {{{2, Edge::zero}, {3, Edge::zero}, {2, Edge::replicate}}}, {2, 3, 2}, {{1, 2, 3, 1, 2}}};
    expect_gradients(setting, setting.inputs(3));
}

TEST(Lift, HasGradientsOnThreeSpaceAxes) {
    const Setting setting{1,
                          {{{2, Edge::zero}, {2, Edge::replicate}, {1, Edge::replicate}, {2, Edge::replicate}}},
                          {3, 3, 2, 3},
                          {{1, 2, 2, 1, 1, 1}, {1, 1, 1, 1, 2, 1}}};
    expect_gradients(setting, setting.inputs(2));
}

TEST(Lift, PassesGradientsOnlyWhereWanted) {
    const Setting setting{1,
                          {{{2, Edge::zero}, {3, Edge::replicate}, {2, Edge::replicate}}},
                          {3, 4, 3},
                          {{1, 2, 3, 1, 2}, {1, 1, 1, 2, 1}}};
    for (const std::vector<std::size_t>& constant : {std::vector<std::size_t>{2, 3}, {0, 1}, {2}, {0, 2, 3}}) {
        expect_gradients(setting, setting.inputs(2), constant);
    }
}

TEST(Lift, AddsUpGradientsOverSeveralUses) {
    const Setting setting{1, {{{2, Edge::zero}, {2, Edge::replicate}}}, {3, 3}, {{1, 2, 1, 1}, {1, 1, 2, 1}}};
    expect_gradients([&](const Inputs& in) { return add(setting(in), setting(in)); }, setting.inputs(2));
}

TEST(Crop, KeepsTheLowCorner) {
    const auto oracle = make_oracle_backend();
    std::vector<double> values(24);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i);
    }
    const Variable x(*oracle, host_tensor<double>({1, 3, 4, 2}, values));
    EXPECT_EQ(as_double(crop(x, {2, 1}).value()), (std::vector<double>{0, 1, 8, 9}));
}

TEST(Crop, HasGradients) {
    expect_gradients([](const Inputs& in) { return crop(in[0], {2, 1, 3}); }, {{2, 3, 2, 4, 2}});
    expect_gradients([](const Inputs& in) { return crop(in[0], {2, 1, 3, 1}); }, {{1, 3, 2, 4, 2, 1}});
}

TEST(Crop, HasGradientsOfAValueReadTwice) {
    expect_gradients([](const Inputs& in) { return add(crop(in[0], {2, 1}), crop(in[0], {2, 1})); }, {{1, 3, 2, 2}});
}

TEST(Crop, OfNothingCopiesNothing) {
    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, {1, 3, 4, 2}, "x");
    EXPECT_EQ(crop(x, {3, 4}).value().data, x.value().data);
}

}  // namespace
}  // namespace plumecast::testing
