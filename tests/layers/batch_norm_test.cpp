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
    for (const Mode mode : {Mode::training, Mode::evaluation}) {
        for (const Activation& f : {Activation::identity(), Activation::relu(), Activation::leaky_relu(0.1)}) {
            expect_gradients([&](const Inputs& in) { return layer(in)(in[0], f, mode); }, shapes);
        }
    }
}

TEST(BatchNorm, PassesGradientsOnlyWhereWanted) {
    for (const Mode mode : {Mode::training, Mode::evaluation}) {
        for (std::size_t constant = 0; constant < 3; ++constant) {
            expect_gradients([&](const Inputs& in) { return layer(in)(in[0], Activation::relu(), mode); }, shapes,
                             {constant});
        }
    }
}

TEST(BatchNorm, SparesAnInputThatOthersRead) {
    for (const Mode mode : {Mode::training, Mode::evaluation}) {
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
    const Values y = as_double(norm_(x(), {}, Mode::training).value());
    const double deviation = std::sqrt(14.0 / 4.0 + 1e-5);  // channel 0: 1, 2, 3, 6 about 3
    EXPECT_NEAR(y[0], -2.0 / deviation, 1e-12);
    EXPECT_NEAR(y[6], 3.0 / deviation, 1e-12);
}

TEST_F(BatchNormOfFourRows, MovesRunningStatisticsByMomentumWithUnbiasedVariance) {
    norm_(x(), {}, Mode::training);
    const Values mean = as_double(norm_.running_mean.value()), variance = as_double(norm_.running_variance.value());
    EXPECT_NEAR(mean[0], 0.1 * 3.0, 1e-12);
    EXPECT_NEAR(mean[1], 0.1 * 1.0, 1e-12);
    EXPECT_NEAR(variance[0], 0.9 + 0.1 * 14.0 / 3.0, 1e-12);
    EXPECT_NEAR(variance[1], 0.9 + 0.1 * 22.0 / 3.0, 1e-12);
    norm_.momentum = 1.0;
    norm_(x(), {}, Mode::training);
    EXPECT_NEAR(as_double(norm_.running_mean.value())[0], 3.0, 1e-12);
}

TEST_F(BatchNormOfFourRows, UsesRunningStatisticsInEvaluationAndLeavesThemAlone) {
    oracle_->fill(norm_.running_mean.mutable_value(), 2.0);
    oracle_->fill(norm_.running_variance.mutable_value(), 4.0);
    const Values y = as_double(norm_(x(), Activation::relu(), Mode::evaluation).value());
    EXPECT_NEAR(y[6], 4.0 / std::sqrt(4.0 + 1e-5), 1e-12);
    EXPECT_EQ(y[0], 0.0);
    EXPECT_EQ(as_double(norm_.running_mean.value()), (Values{2.0, 2.0}));
    EXPECT_EQ(as_double(norm_.running_variance.value()), (Values{4.0, 4.0}));
}

TEST_F(BatchNormOfFourRows, WorksInPlaceWithoutTape) {
    parameters_.set_trainable(false);
    Variable sum = add(x(), x());
    const void* memory = sum.value().data;
    EXPECT_EQ(norm_(std::move(sum), Activation::relu(), Mode::evaluation).value().data, memory);
}

TEST_F(BatchNormOfFourRows, KeepsRunningStatisticsAsBuffers) {
    EXPECT_EQ(parameters_.count(), 4);
    EXPECT_TRUE(parameters_.at("norm.weight").trainable);
    EXPECT_FALSE(parameters_.at("norm.running_mean").trainable);
    EXPECT_FALSE(parameters_.at("norm.running_variance").trainable);
}

TEST_F(BatchNormOfFourRows, RefusesASingleValuePerChannelInTraining) {
    const Variable one(*oracle_, host_zeros({1, 1, 2}, DType::float64));
    EXPECT_THROW(norm_(one, {}, Mode::training), InvalidInput);
    EXPECT_NO_THROW(norm_(one, {}, Mode::evaluation));
}

/// Output, gradients and running statistics on several ranks, one of them without a row, are those of one.
TEST(BatchNorm, HasTheStatisticsOfAllRanks) {
    for (const Mode mode : {Mode::training, Mode::evaluation}) {
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
