#include <plumecast/layers/exchange/gradient_allreduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

void set_gradient(Backend& backend, const Variable& weight, double value) {
    backend.fill(weight.gradient_output().view, value);
}

TEST(GradientSumOnRanks, AddsOverAllRanksOrOverGroups) {
    on_ranks(6, [](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {2, 3, 1});
        Parameters parameters(*backend, 1, &grid);
        const Variable everywhere = parameters.uniform("everywhere", {5}, -1.0, 1.0);
        const Variable small = parameters.constant("small", {1}, 0.0);
        const Variable shared = parameters.complex_uniform("shared", {2, 4, 3}, 1.0, 2);
        const double rank = world.rank();
        set_gradient(*backend, everywhere, rank);
        set_gradient(*backend, shared, rank);
        GradientAllreduce sum(parameters);
        sum();
        EXPECT_EQ(as_double(everywhere.gradient()), std::vector<double>(5, 15.0));
        EXPECT_EQ(as_double(small.gradient()), std::vector<double>(1, 0.0)) << "no rank reached it";
        const std::vector<double> own = as_double(shared.gradient());
        EXPECT_EQ(own.size(), world.rank() % 3 < 2 ? 9u : 6u);
        EXPECT_TRUE(std::ranges::all_of(own, [&](double value) { return value == 2.0 * (world.rank() % 3) + 3.0; }));
    });
}

TEST(GradientSumOnRanks, SendsEachNumberTwiceButToItself) {
    on_ranks(4, [](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {4, 1, 1});
        Parameters parameters(*backend, 1, &grid);
        set_gradient(*backend, parameters.uniform("a", {3}, 0.0, 1.0), 1.0);
        set_gradient(*backend, parameters.uniform("b", {5}, 0.0, 1.0), 1.0);
        GradientAllreduce sum(parameters);
        const Traffic before = grid.traffic();
        sum();
        EXPECT_EQ(grid.traffic().bytes - before.bytes, 2 * 8 * 8 * 3 / 4);
        EXPECT_EQ(grid.traffic().messages - before.messages, 2 * 3);
    });
}

TEST(GradientAllreduce, DoesNothingForOneRank) {
    const auto backend = make_oracle_backend();
    Parameters parameters(*backend, 1);
    parameters.uniform("a", {3}, 0.0, 1.0);
    GradientAllreduce{parameters}();
    EXPECT_FALSE(parameters.at("a").variable.has_gradient());
}

TEST(SharedParametersOnRanks, StartLikeThoseOfOneRankAndComeTogetherOnTheFirst) {
    const auto alone_backend = make_oracle_backend();
    Parameters alone(*alone_backend, 7);
    alone.complex_uniform("shared", {3, 5, 2}, 1.0, 2);
    const std::vector<double> expected = as_double(alone.download(alone.at("shared")));
    on_ranks(4, [&](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {1, 4, 1});
        Parameters parameters(*backend, 7, &grid);
        parameters.complex_uniform("shared", {3, 5, 2}, 1.0, 2);
        const Parameter& parameter = parameters.at("shared");
        EXPECT_EQ(parameter.owners, balanced_partition(15, 4));
        EXPECT_EQ(parameters.count(), 15);
        const Tensor whole = parameters.download(parameter);
        if (world.rank() == 0) {
            EXPECT_EQ(as_double(whole), expected);
        } else {
            EXPECT_TRUE(whole.empty());
        }
    });
}

}  // namespace
}  // namespace plumecast::testing
