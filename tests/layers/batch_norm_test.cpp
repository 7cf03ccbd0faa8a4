#include <plumecast/layers/batch_norm.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include <plumecast/layers/epilogue.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;
using Values = std::vector<double>;

/// A layer of its own for every call, with running statistics that differ from the batch's.
BatchNorm layer(const Inputs& in) {
    const std::int64_t channels = in[0].shape()[-1];
    Parameters parameters(in[0].backend(), 1);
    BatchNorm norm((Scope(parameters)), channels);
    Tensor variance = host_zeros({channels}, DType::float64);
    for (std::int64_t c = 0; c < channels; ++c) {
        variance.view().as<double>()[c] = 0.5 + 0.25 * static_cast<double>(c);
    }
    parameters.assign("running_mean", random_tensor({channels}, DType::float32, "running mean"));
    parameters.assign("running_variance", variance);
    norm.weight = in[1];
    norm.bias = in[2];
    return norm;
}

const std::vector<Shape> shapes{{2, 3, 2, 2, 3}, {3}, {3}};

TEST(BatchNorm, HasGradientsInBothModes) {
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        for (const Activation& f : {Activation::identity(), Activation::relu(), Activation::leaky_relu(0.1)}) {
            expect_gradients([&](const Inputs& in) { return layer(in)(in[0], f, mode); }, shapes);
        }
    }
}

/// A convolution of given weights, and of a bias if there is one.
Conv convolution(const ConvGeometry& geometry, const Inputs& in, std::size_t weight, std::size_t bias) {
    Parameters parameters(in[0].backend(), 1);
    Conv conv(Scope(parameters), geometry, 1, 1, bias < in.size());
    conv.weight = in[weight];
    if (bias < in.size()) {
        conv.bias = in[bias];
    }
    return conv;
}

TEST(BatchNorm, FoldsIntoAConvolutionInEvaluation) {
    for (const ConvGeometry& geometry : {kernel3(1), kernel3(2), doubling4(), kernel3(1, {3, 1, false})}) {
        Shape x{2, 2, 4, 2, 2};
        x = geometry.has_outer() ? Shape{1, 2, 2, 3, 2, 2} : x;
        const std::vector<Shape> all{x, {3}, {3}, geometry.weight_shape(2, 3), {3}};
        for (const bool with_bias : {true, false}) {
            const std::vector<Shape> given(all.begin(), all.end() - (with_bias ? 0 : 1));
            const auto conv_of = [&](const Inputs& in) { return convolution(geometry, in, 3, 4); };
            const auto norm_of = [&](const Inputs& in) { return layer({Variable(in[1]), in[1], in[2]}); };
            const auto folded = [&](const Inputs& in) { return norm_of(in).folded_into(conv_of(in))({in[0]}); };
            const auto oracle = make_oracle_backend();
            Inputs in;
            for (const Shape& shape : given) {
                in.push_back(random_leaf(*oracle, shape, std::to_string(in.size()), in.empty()));
            }
            const Variable apart = norm_of(in)(conv_of(in)({in[0]}), Activation::identity(), ExecutionMode::evaluation);
            expect_close(folded(in).value(), apart.value(), 1e-13);
            std::vector<std::size_t> constant;
            for (std::size_t i = 1; i < given.size(); ++i) {
                constant.push_back(i);
            }
            expect_gradients(folded, given, constant);
        }
    }
}

TEST(BatchNorm, FoldsOnlyConstantsIntoConvolutionsOfManyCells) {
    const auto oracle = make_oracle_backend();
    Inputs in{random_leaf(*oracle, {1, 1, 1, 1, 3}, "x"), random_leaf(*oracle, {3}, "w", false),
              random_leaf(*oracle, {3}, "b", false), random_leaf(*oracle, {3, 3, 3, 3, 2}, "k", false)};
    const BatchNorm norm = layer(in);
    EXPECT_TRUE(norm.folds_into(convolution(kernel3(1), in, 3, 4), 1000));
    EXPECT_FALSE(norm.folds_into(convolution(kernel3(1), in, 3, 4), 1));
    in[3].set_requires_grad(true);
    EXPECT_FALSE(norm.folds_into(convolution(kernel3(1), in, 3, 4), 1000));
}

TEST(BatchNorm, PassesGradientsOnlyWhereWanted) {
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        for (std::size_t constant = 0; constant < 3; ++constant) {
            expect_gradients([&](const Inputs& in) { return layer(in)(in[0], Activation::relu(), mode); }, shapes,
                             {constant});
        }
    }
}

TEST(BatchNorm, SparesAnInputThatOthersRead) {
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        expect_gradients(
            [&](const Inputs& in) {
                const Variable x = activate(in[0], {Activation::Kind::tanh});
                return add(layer(in)(x, Activation::relu(), mode), x);
            },
            shapes);
    }
}

class BatchNormOfFourRows : public ::testing::Test {
   protected:
    BatchNormOfFourRows() : parameters_(*oracle_, 1), norm_(Scope(parameters_).child("norm"), 2) {}
    Variable x() { return {*oracle_, host_tensor<double>(Shape{2, 2, 2}, Values{1, -1, 2, 0, 3, 5, 6, 0})}; }

    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
    Parameters parameters_;
    BatchNorm norm_;
};

TEST_F(BatchNormOfFourRows, NormalisesByTheBatchInTraining) {
    const Values y = as_double(norm_(x(), {}, ExecutionMode::training).value());
    const double deviation = std::sqrt(14.0 / 4.0 + 1e-5);  // channel 0: 1, 2, 3, 6 about 3
    EXPECT_NEAR(y[0], -2.0 / deviation, 1e-12);
    EXPECT_NEAR(y[6], 3.0 / deviation, 1e-12);
}

TEST_F(BatchNormOfFourRows, MovesRunningStatisticsByMomentumWithUnbiasedVariance) {
    norm_(x(), {}, ExecutionMode::training);
    const Values mean = as_double(norm_.running_mean.value()), variance = as_double(norm_.running_variance.value());
    EXPECT_NEAR(mean[0], 0.1 * 3.0, 1e-12);
    EXPECT_NEAR(mean[1], 0.1 * 1.0, 1e-12);
    EXPECT_NEAR(variance[0], 0.9 + 0.1 * 14.0 / 3.0, 1e-12);
    EXPECT_NEAR(variance[1], 0.9 + 0.1 * 22.0 / 3.0, 1e-12);
    norm_.momentum = 1.0;
    norm_(x(), {}, ExecutionMode::training);
    EXPECT_NEAR(as_double(norm_.running_mean.value())[0], 3.0, 1e-12);
}

TEST_F(BatchNormOfFourRows, UsesRunningStatisticsInEvaluationAndLeavesThemAlone) {
    oracle_->fill(norm_.running_mean.mutable_value(), 2.0);
    oracle_->fill(norm_.running_variance.mutable_value(), 4.0);
    const Values y = as_double(norm_(x(), Activation::relu(), ExecutionMode::evaluation).value());
    EXPECT_NEAR(y[6], 4.0 / std::sqrt(4.0 + 1e-5), 1e-12);
    EXPECT_EQ(y[0], 0.0);
    EXPECT_EQ(as_double(norm_.running_mean.value()), (Values{2.0, 2.0}));
    EXPECT_EQ(as_double(norm_.running_variance.value()), (Values{4.0, 4.0}));
}

TEST_F(BatchNormOfFourRows, UsesRunningStatisticsInTrainingWhenFrozen) {
    oracle_->fill(norm_.running_mean.mutable_value(), 2.0);
    oracle_->fill(norm_.running_variance.mutable_value(), 4.0);
    parameters_.freeze({"norm.weight"});
    const Values half = as_double(norm_(x(), {}, ExecutionMode::training).value());
    EXPECT_NE(half, as_double(norm_(x(), {}, ExecutionMode::evaluation).value())) << "its bias learns";
    oracle_->fill(norm_.running_mean.mutable_value(), 2.0);
    oracle_->fill(norm_.running_variance.mutable_value(), 4.0);
    parameters_.freeze({"norm"});
    const Values y = as_double(norm_(x(), {}, ExecutionMode::training).value());
    EXPECT_EQ(y, as_double(norm_(x(), {}, ExecutionMode::evaluation).value()));
    EXPECT_EQ(as_double(norm_.running_mean.value()), (Values{2.0, 2.0}));
    EXPECT_EQ(as_double(norm_.running_variance.value()), (Values{4.0, 4.0}));
}

TEST_F(BatchNormOfFourRows, WorksInPlaceWithoutTape) {
    parameters_.set_trainable(false);
    Variable sum = add(x(), x());
    const void* memory = sum.value().data;
    EXPECT_EQ(norm_(std::move(sum), Activation::relu(), ExecutionMode::evaluation).value().data, memory);
}

TEST_F(BatchNormOfFourRows, KeepsRunningStatisticsAsBuffers) {
    EXPECT_EQ(parameters_.count(), 4);
    EXPECT_TRUE(parameters_.at("norm.weight").trainable);
    EXPECT_FALSE(parameters_.at("norm.running_mean").trainable);
    EXPECT_FALSE(parameters_.at("norm.running_variance").trainable);
}

TEST_F(BatchNormOfFourRows, RefusesASingleValuePerChannelInTraining) {
    const Variable one(*oracle_, host_zeros({1, 1, 2}, DType::float64));
    EXPECT_THROW(norm_(one, {}, ExecutionMode::training), InvalidInput);
    EXPECT_NO_THROW(norm_(one, {}, ExecutionMode::evaluation));
}

/// Output, gradients and running statistics on several ranks, one of them without a row, are those of one.
TEST(BatchNorm, HasTheStatisticsOfAllRanks) {
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        on_ranks(3, [&](Communicator& communicator) {
            const auto backend = make_oracle_backend();
            const Tensor x = random_tensor({7, 2}, DType::float64, "x"), g = random_tensor({7, 2}, DType::float64, "g");
            const auto run = [&](std::int64_t begin, std::int64_t end, Communicator* ranks) {
                const auto rows = [&](const Tensor& all) {
                    Tensor part(backend->memory(), {end - begin, 2}, DType::float64);
                    backend->add(1.0, all.view().rows(begin, end), {part});
                    return part;
                };
                const auto leaf = [&](Tensor value) { return Variable(*backend, std::move(value), true); };
                const Variable in = leaf(rows(x));
                BatchNorm norm = layer({in, leaf(random_tensor({2}, DType::float64, "weight")),
                                        leaf(random_tensor({2}, DType::float64, "bias"))});
                norm.ranks = ranks;
                const Variable y = norm(in, Activation::leaky_relu(0.1), mode);
                backward(y, rows(g));
                return std::tuple(norm, in, y);
            };
            const auto [norm, in, y] = run(0, 7, nullptr);
            constexpr std::array<std::int64_t, 4> cuts = {0, 4, 4, 7};
            const auto me = static_cast<std::size_t>(communicator.rank());
            const auto [own, own_in, own_y] = run(cuts[me], cuts[me + 1], &communicator);
            if (cuts[me] < cuts[me + 1]) {
                expect_close(own_y.value(), y.value().rows(cuts[me], cuts[me + 1]), 1e-13, "output");
                expect_close(own_in.gradient(), in.gradient().rows(cuts[me], cuts[me + 1]), 1e-12, "input gradient");
            }
            expect_close(own.running_variance.value(), norm.running_variance.value(), 1e-13, "running variance");
            for (const auto& [share, whole] : {std::pair(own.weight, norm.weight), std::pair(own.bias, norm.bias)}) {
                Values sum(share.gradient().as<double>(), share.gradient().as<double>() + 2);
                communicator.sum(sum);
                expect_close(host_tensor<double>({2}, sum), whole.gradient(), 1e-12, "weight or bias gradient");
            }
        });
    }
}

}  // namespace
}  // namespace plumecast::testing
