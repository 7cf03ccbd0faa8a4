#include <plumecast/layers/epilogue.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include <plumecast/layers/linear.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

std::vector<Activation> activations() {
    return {Activation::identity(),
            Activation::relu(),
            Activation::leaky_relu(0.1),
            {Activation::Kind::tanh},
            {Activation::Kind::gelu}};
}

TEST(Activate, HasGradientsOfEveryKind) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients([&](const Inputs& in) { return activate(in[0], f); }, {{3, 4, 5}});
    }
}

TEST(Activate, KeepsWhatOthersRead) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients(
            [&](const Inputs& in) {
                const Variable sum = add(in[0], in[1]);
                const Variable y = activate(sum, f);
                return add(activate(sum, {Activation::Kind::tanh}), y);
            },
            {{3, 4}, {3, 4}});
    }
}

TEST(Activate, WorksInPlaceWithoutTape) {
    const auto oracle = make_oracle_backend();
    const Variable a = random_leaf(*oracle, {4}, "a", false);
    Variable sum = add(a, a);
    const void* memory = sum.value().data;
    EXPECT_EQ(activate(std::move(sum), Activation::relu()).value().data, memory);
}

TEST(Activate, SparesAValueSomebodyHoldsWithoutTape) {
    const auto oracle = make_oracle_backend();
    const Variable a = random_leaf(*oracle, {40}, "a", false);
    const Variable sum = add(a, a);
    const std::vector<double> before = as_double(sum.value());
    const Variable y = activate(sum, Activation::relu());
    EXPECT_EQ(as_double(sum.value()), before);
    EXPECT_NE(as_double(y.value()), before);
}

TEST(Add, HasGradientsOfBothTermsUnderEveryActivation) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients([&](const Inputs& in) { return add(in[0], in[1], f); }, {{2, 3, 4}, {2, 3, 4}});
    }
}

TEST(Add, OfAVariableToItselfDoublesTheGradient) {
    expect_gradients([](const Inputs& in) { return add(in[0], in[0], {Activation::Kind::tanh}); }, {{5}});
}

TEST(Add, PassesNoGradientToAConstant) {
    expect_gradients([](const Inputs& in) { return add(in[0], in[1]); }, {{5}, {5}}, {0});
    expect_gradients([](const Inputs& in) { return add(in[0], in[1]); }, {{5}, {5}}, {1});
}

TEST(Add, RefusesDifferentShapes) {
    const auto oracle = make_oracle_backend();
    EXPECT_THROW(add(random_leaf(*oracle, {4}, "a"), random_leaf(*oracle, {2, 2}, "b")), Error);
}

/// linear(x, W, b) with an epilogue, the addend being the result of an operation on the fourth input.
Variable fused(const Inputs& in, Activation f) { return linear(in[0], in[1], in[2], {add(in[3], in[3]), f}); }

TEST(Corrected, HasGradientsOfBaseAndCorrection) {
    const auto operation = [](const Inputs& in) { return corrected(in[0], in[1], in[2]); };
    const std::vector<Shape> shapes{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}};
    expect_gradients(operation, shapes, {1});
    expect_gradients(operation, shapes, {0, 1});
    expect_gradients(operation, shapes, {1, 2});
}

TEST(Corrected, IsTheBaseWhereTheWeightIsZero) {
    const auto oracle = make_oracle_backend();
    const Variable base = random_leaf(*oracle, {6}, "base"), x = random_leaf(*oracle, {6}, "x");
    const Variable zero(*oracle, Tensor(oracle->memory(), {6}, DType::float64));
    oracle->fill(zero.mutable_value(), 0.0);
    EXPECT_EQ(as_double(corrected(base, zero, x).value()), as_double(base.value()));
}

TEST(Corrected, RefusesDifferentShapes) {
    const auto oracle = make_oracle_backend();
    const Variable four = random_leaf(*oracle, {4}, "a"), five = random_leaf(*oracle, {5}, "b");
    EXPECT_THROW(corrected(four, five, four), Error);
    EXPECT_THROW(corrected(five, four, four), Error);
}

const std::vector<Shape> fused_inputs{{2, 3, 4}, {5, 4}, {5}, {2, 3, 5}};

TEST(Epilogue, HasGradientsThroughAddendUnderEveryActivation) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients([&](const Inputs& in) { return fused(in, f); }, fused_inputs);
    }
}

TEST(Epilogue, PassesNoGradientToAConstantAddend) {
    expect_gradients([](const Inputs& in) { return fused(in, Activation::relu()); }, fused_inputs, {3});
    expect_gradients([](const Inputs& in) { return fused(in, Activation::relu()); }, fused_inputs, {0, 1, 2});
}

TEST(Epilogue, ChainsAccumulateInOneBuffer) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients(
            [&](const Inputs& in) {
                Variable sum = linear(in[0], in[1], in[2]);
                sum = linear(in[0], in[3], in[4], {std::move(sum)});
                return linear(in[0], in[1], {}, {std::move(sum), f});
            },
            {{6, 4}, {5, 4}, {5}, {5, 4}, {5}});
    }
}

TEST(Epilogue, AddendThatIsTheInputIsNotDestroyed) {
    expect_gradients(
        [](const Inputs& in) {
            const Variable x = activate(in[0], {Activation::Kind::tanh});
            return linear(x, in[1], in[2], {x, Activation::relu()});
        },
        {{6, 4}, {4, 4}, {4}});
}

TEST(Epilogue, AddendReadLaterIsNotDestroyed) {
    expect_gradients(
        [](const Inputs& in) {
            const Variable x = linear(in[0], in[1], in[2]);
            const Variable y = linear(in[0], in[1], in[2], {x});
            return linear(x, in[1], {}, {y, {Activation::Kind::gelu}});
        },
        {{6, 4}, {4, 4}, {4}});
}

TEST(Epilogue, AddendWhoseOutputItsGradientReadsIsNotDestroyed) {
    for (const Activation& f : activations()) {
        SCOPED_TRACE(static_cast<int>(f.kind));
        expect_gradients(
            [&](const Inputs& in) {
                return linear(in[0], in[1], in[2], {linear(in[0], in[1], in[2], {{}, f}), f});
            },
            {{6, 4}, {4, 4}, {4}});
    }
}

TEST(Epilogue, TakesTheMemoryOfAnAddendNobodyElseHolds) {
    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, {6, 4}, "x", false), weight = random_leaf(*oracle, {5, 4}, "weight");
    for (const bool taped : {false, true}) {
        weight.set_requires_grad(taped);
        Variable sum = linear(x, weight, {});
        const void* memory = sum.value().data;
        const Variable y = linear(x, weight, {}, {std::move(sum), Activation::relu()});
        EXPECT_EQ(y.value().data, memory) << "taped: " << taped;
    }
}

TEST(Epilogue, CopiesAnAddendSomebodyElseHolds) {
    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, {6, 4}, "x", false), weight = random_leaf(*oracle, {5, 4}, "weight", false);
    const Variable sum = linear(x, weight, {});
    const std::vector<double> before = as_double(sum.value());
    linear(x, weight, {}, {sum});
    EXPECT_EQ(as_double(sum.value()), before);
}

TEST(Epilogue, RefusesAnAddendOfAnotherShape) {
    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, {6, 4}, "x"), weight = random_leaf(*oracle, {5, 4}, "weight");
    EXPECT_THROW(linear(x, weight, {}, {x}), Error);
}

}  // namespace
}  // namespace plumecast::testing
