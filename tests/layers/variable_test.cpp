#include <plumecast/layers/variable.hpp>

#include <gtest/gtest.h>

#include <utility>

#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/linear.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class VariableTest : public ::testing::Test {
   protected:
    Variable leaf(std::vector<double> values, bool requires_grad = true) {
        const Shape shape{static_cast<std::int64_t>(values.size())};
        return {*oracle_, tensor(values, shape), requires_grad};
    }
    Tensor tensor(const std::vector<double>& values, const Shape& shape) {
        Tensor result(oracle_->memory(), shape, DType::float64);
        oracle_->upload(host_tensor<double>(shape, values), result);
        return result;
    }
    Tensor ones(const Shape& shape) {
        Tensor result(oracle_->memory(), shape, DType::float64);
        oracle_->fill(result, 1.0);
        return result;
    }
    /// An operation's result, to which no tape refers unless x requires a gradient.
    Variable doubled(const Variable& x) { return add(x, x); }

    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
};

using Values = std::vector<double>;

TEST_F(VariableTest, CopiesShareOneValue) {
    const Variable a = leaf({1.0, 2.0});
    const Variable b = a;
    oracle_->fill(a.mutable_value(), 5.0);
    EXPECT_EQ(as_double(b.value()), (Values{5.0, 5.0}));
}

TEST_F(VariableTest, UndefinedHasNothing) {
    const Variable none;
    EXPECT_FALSE(none.defined());
    EXPECT_FALSE(none.requires_grad());
    EXPECT_FALSE(none.has_gradient());
    EXPECT_THROW(none.shape(), Error);
    EXPECT_THROW(none.backend(), Error);
}

TEST_F(VariableTest, GradientBeforeBackwardIsAnError) { EXPECT_THROW(leaf({1.0}).gradient(), Error); }

TEST_F(VariableTest, BackwardSumsOverAllUses) {
    const Variable x = leaf({1.0, -2.0}), y = leaf({3.0, 1.0});
    const Variable shared = add(x, y);
    const Variable result = add(add(shared, x), shared);  // 3 x + 2 y
    EXPECT_EQ(as_double(result.value()), (Values{9.0, -4.0}));
    backward(result, tensor({1.0, 10.0}, {2}));
    EXPECT_EQ(as_double(x.gradient()), (Values{3.0, 30.0}));
    EXPECT_EQ(as_double(y.gradient()), (Values{2.0, 20.0}));
}

TEST_F(VariableTest, BackwardAddsToTheGradientsOfLeaves) {
    const Variable x = leaf({1.0});
    backward(doubled(x), ones({1}));
    backward(doubled(x), ones({1}));
    EXPECT_EQ(as_double(x.gradient()), (Values{4.0}));
    x.clear_gradient();
    EXPECT_FALSE(x.has_gradient());
    backward(doubled(x), ones({1}));
    EXPECT_EQ(as_double(x.gradient()), (Values{2.0}));
}

TEST_F(VariableTest, BackwardLeavesConstantsAlone) {
    const Variable x = leaf({1.0}), constant = leaf({2.0}, false);
    backward(add(x, constant), ones({1}));
    EXPECT_TRUE(x.has_gradient());
    EXPECT_FALSE(constant.has_gradient());
}

TEST_F(VariableTest, BackwardOfALeafIsItsGradient) {
    const Variable x = leaf({1.0, 2.0});
    backward(x, tensor({3.0, 4.0}, {2}));
    EXPECT_EQ(as_double(x.gradient()), (Values{3.0, 4.0}));
}

TEST_F(VariableTest, BackwardRefusesWhatHasNoTapeOrAnotherShape) {
    EXPECT_THROW(backward(leaf({1.0}, false), ones({1})), Error);
    EXPECT_THROW(backward(leaf({1.0}), ones({2})), Error);
}

TEST_F(VariableTest, BackwardKeepsTheResultReadable) {
    const Variable x = leaf({-1.0, 2.0});
    const Variable y = activate(doubled(x), Activation::relu());
    backward(y, ones({2}));
    EXPECT_EQ(as_double(y.value()), (Values{0.0, 4.0}));
    EXPECT_FALSE(y.has_gradient());
}

TEST_F(VariableTest, BackwardFreesValuesOnTheWay) {
    constexpr std::int64_t n = 16, layers = 10;
    constexpr std::size_t matrix = n * n * sizeof(double);
    std::vector<Variable> weights;
    for (std::int64_t k = 0; k < layers; ++k) {
        weights.push_back(random_leaf(*oracle_, {n, n}, "weight " + std::to_string(k)));
    }
    Variable x = random_leaf(*oracle_, {n, n}, "x", false);
    for (const Variable& weight : weights) {
        x = linear(x, weight, {});
    }
    oracle_->reset_peak_bytes();
    const Variable result = std::exchange(x, {});
    backward(result, ones({n, n}));
    // Weights, values and two gradients of fields; gradients of the weights take the place of values.
    EXPECT_LE(oracle_->peak_bytes(), (2 * layers + 5) * matrix);
}

TEST_F(VariableTest, TapeIsFreedWithItsResult) {
    const Variable x = leaf(Values(100, 1.0));
    doubled(doubled(doubled(x)));
    oracle_->reset_peak_bytes();
    EXPECT_EQ(oracle_->peak_bytes(), 100 * sizeof(double));
}

TEST_F(VariableTest, NothingIsRecordedWithoutGradient) {
    Variable x = leaf(Values(100, 1.0), false);
    for (int k = 0; k < 5; ++k) {
        x = doubled(x);
    }
    EXPECT_FALSE(x.requires_grad());
    oracle_->reset_peak_bytes();
    EXPECT_EQ(oracle_->peak_bytes(), 100 * sizeof(double));
}

TEST_F(VariableTest, LeavesAreNeverTaken) {
    Variable x = leaf({1.0}, false);
    EXPECT_TRUE(x.take_if_unshared().empty());
    EXPECT_EQ(as_double(x.value()), (Values{1.0}));
}

TEST_F(VariableTest, ResultsAreTakenOnlyByTheirLastHolder) {
    Variable y = doubled(leaf({1.0}, false));
    {
        const Variable other = y;
        EXPECT_TRUE(y.take_if_unshared().empty());
    }
    EXPECT_EQ(as_double(y.take_if_unshared()), (Values{2.0}));
}

TEST_F(VariableTest, KeptValuesAreNotTaken) {
    Variable y = doubled(leaf({1.0}, false));
    y.keep_value();
    EXPECT_TRUE(y.take_if_unshared().empty());
}

}  // namespace
}  // namespace plumecast::testing
