#include <plumecast/layers/projection.hpp>

#include <gtest/gtest.h>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/gradient_check.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

std::vector<Activation> hidden_activations() { return {Activation::relu(), {Activation::Kind::gelu}}; }

Variable project(const Inputs& in, Activation f) {
    Parameters parameters(in[0].backend(), 1);
    Projection projection(Scope(parameters), in[0].shape()[-1], in[1].shape()[0], in[3].shape()[0]);
    projection.first.weight = in[1];
    projection.first.bias = in[2];
    projection.second.weight = in[3];
    projection.second.bias = in[4];
    projection.activation = f;
    return projection(in[0]);
}

TEST(Projection, HasGradients) {
    for (const Activation& f : hidden_activations()) {
        const auto operation = [&](const Inputs& in) { return project(in, f); };
        const std::vector<Shape> shapes{{2, 3, 2, 4}, {6, 4}, {6}, {2, 6}, {2}};
        expect_gradients(operation, shapes);
        expect_gradients(operation, shapes, {0});
        expect_gradients(operation, shapes, {1, 2, 3, 4});
        expect_gradients(operation, shapes, {2, 3});
    }
}

class ProjectionOfManyRows : public BackendTest {
   protected:
    Inputs leaves() {
        return {random_leaf(backend(), {1, 25, 40, 3}, "x"), random_leaf(backend(), {hidden, 3}, "weight 1"),
                random_leaf(backend(), {hidden}, "bias 1"), random_leaf(backend(), {2, hidden}, "weight 2"),
                random_leaf(backend(), {2}, "bias 2")};
    }
    static constexpr std::int64_t hidden = 300;
};

// 1000 rows are some whole blocks and a part.
TEST_P(ProjectionOfManyRows, EqualsTwoLinearMaps) {
    for (const Activation& f : hidden_activations()) {
        const Inputs blocked = leaves(), whole = leaves();
        const Variable y = project(blocked, f);
        const Variable layer = linear(whole[0], whole[1], whole[2], {{}, f});
        const Variable z = linear(layer, whole[3], whole[4]);
        expect_close(on_host(y, y.value()), on_host(z, z.value()), 1e-6);
        backward(y, cotangent(backend(), y.shape()));
        backward(z, cotangent(backend(), z.shape()));
        for (std::size_t k = 0; k < whole.size(); ++k) {
            expect_close(on_host(blocked[k], blocked[k].gradient()), on_host(whole[k], whole[k].gradient()), 1e-5,
                         "gradient " + std::to_string(k));
        }
    }
}

TEST_P(ProjectionOfManyRows, NeverHoldsTheWholeHiddenLayer) {
    Inputs in = leaves();
    backend().reset_peak_bytes();
    const std::size_t before = backend().peak_bytes();
    {
        const Variable y = project(in, Activation::relu());
        backward(y, cotangent(backend(), y.shape()));
    }
    const std::size_t element = size_of(backend().compute_type());
    const auto rows = static_cast<std::size_t>(backend().rows_at_once(element * hidden));
    EXPECT_LT(rows, 1000u);
    // Result, its gradient, that of x, one block of the hidden layer and of its gradient, and the scratch of matrix
    // products.
    EXPECT_LE(backend().peak_bytes() - before, element * (1000 * (2 + 2 + 3) + 2 * rows * hidden) + 262144);
}

INSTANTIATE_TEST_SUITE_P(Backends, ProjectionOfManyRows, ::testing::ValuesIn(backends_and_oracle()), choice_name);

}  // namespace
}  // namespace plumecast::testing
