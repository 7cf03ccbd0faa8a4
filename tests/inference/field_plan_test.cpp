#include "inference/prediction/latest_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "inference/described_cases.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/ranks.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

Tensor on_host(Backend& backend, const Tensor& fields) {
    Tensor values = host_zeros(fields.shape());
    backend.download(fields.view(), values);
    return values;
}

bool same_bits(const Tensor& a, const Tensor& b) { return std::ranges::equal(a.values<float>(), b.values<float>()); }

struct Grid {
    NetworkConfig config;
    Shape extents;
};

std::vector<Grid> grids(const std::string& architecture) {
    return {{small_config(architecture), {5, 7, 3}}, {small_config_3d(architecture), {3, 4, 5, 2}}};
}

/// One that is large enough for Winograd convolutions and for crops.
Grid large_grid(const std::string& architecture) {
    NetworkConfig config = small_config(architecture);
    config.width = 12;
    config.padding = {8, 8, 8};
    return {config, {24, 40, 9}};
}

class FieldPlanTest : public ::testing::TestWithParam<std::string> {
   protected:
    /// Plans beside the description, for one case and two.
    template <class Compare>
    static void compare(Backend& backend, const std::vector<Grid>& grids, const Compare& agree) {
        for (const Grid& grid : grids) {
            const FieldNetwork network = network_on(backend, described(grid.config));
            FieldPlans plans(network);
            for (const std::int64_t cases : {2, 1}) {
                const Batch batch = batch_of(network.description(), cases, grid.extents);
                agree(on_host(backend, plans.predict(batch)), on_host(backend, described_fields(network, batch)));
            }
        }
    }
};

TEST_P(FieldPlanTest, GivesWhatTheDescriptionSaysOnTheCpu) {
    std::vector<Grid> all = grids(GetParam());
    all.push_back(large_grid(GetParam()));
    for (const bool direct : {false, true}) {
        const auto backend = make_cpu_backend({.threads = direct ? 2 : 1, .direct_convolutions = direct});
        compare(*backend, all,
                [](const Tensor& planned, const Tensor& described) { expect_close(planned, described, 1e-5); });
    }
}

TEST_P(FieldPlanTest, GivesWhatTheDescriptionSaysOnEveryBackend) {
    std::vector<BackendChoice> choices = backends();
    std::ranges::copy(bfloat16_backends(), std::back_inserter(choices));
    for (const BackendChoice& choice : choices) {
        if (!choice.missing.empty()) {
            continue;
        }
        const auto backend = choice.make();
        const bool is_narrow = backend->field_type() == DType::bfloat16;
        compare(*backend, grids(GetParam()), [&](const Tensor& planned, const Tensor& described) {
            expect_close(planned, described, is_narrow ? 0.02 : 1e-5, choice.name);
        });
    }
}

/// The plan of a rank beside its part of what the description says of the whole.
void expect_plans_like_one_rank(const ProcessGrid& ranks, Backend& backend, const NetworkDescription& description,
                                const Shape& extents, double tolerance) {
    const FieldNetwork network = network_on(backend, description, &ranks), alone = network_on(backend, description);
    const Tensor whole = on_host(backend, described_fields(alone, three_cases(description, extents)));
    const Tensor expected = cut(whole, ranks.cases(3), network.network().output_box(extents));
    const Tensor planned = on_host(backend, FieldPlans(network).predict(shard_of(network, ranks, extents)));
    ASSERT_EQ(planned.shape(), expected.shape());
    if (planned.shape().count() > 0) {
        expect_close(planned, expected, tolerance);
    }
}

TEST_P(FieldPlanTest, GivesOnEveryRankItsPartOfWhatOneRankGives) {
    const std::vector<Grid> all = grids(GetParam());
    const std::vector<std::pair<Grid, GridShape>> cases{{all[0], {1, 1}},    {all[0], {2, 1}},   {all[0], {1, 2}},
                                                        {all[0], {2, 2}},    {all[0], {4, 1}},   {all[1], {1, 2, 1}},
                                                        {all[1], {1, 1, 2}}, {all[1], {1, 2, 2}}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.second.text());
        on_ranks(c.second.ranks(), [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const auto narrow = make_cpu_backend({.threads = 1, .precision = Precision::bf16});
            for (const Route route : {Route::automatic, Route::transpose}) {
                const ProcessGrid ranks(world, c.second, route);
                const Grid& grid = c.first;
                expect_plans_like_one_rank(ranks, *backend, described(grid.config), grid.extents, 1e-5);
                expect_plans_like_one_rank(ranks, *narrow, described(grid.config), grid.extents, 0.02);
                if (grid.config.space_axes() == 2) {
                    expect_plans_like_one_rank(ranks, *backend, guided(grid.config), grid.extents, 1e-5);
                }
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, FieldPlanTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(FieldPlans, KeepThePlansOfTheLatestShapesAndOneWorkspace) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("fno")));
    FieldPlans plans(network);
    const auto input = [&](std::int64_t cases) {
        return network.input_for(batch_of(network.description(), cases, {5, 7, 3}));
    };
    const PlannedPass large = plans.pass(input(6)), small = plans.pass(input(1));
    EXPECT_EQ(large.workspace, small.workspace);
    EXPECT_EQ(plans.pass(input(6)).plan, large.plan);
    for (std::int64_t cases = 7; cases < 13; ++cases) {
        plans.pass(input(cases));
    }
    EXPECT_EQ(plans.pass(input(6)).plan, large.plan) << "the last but seven";
    plans.pass(input(13));
    EXPECT_NE(plans.pass(input(1)).plan, small.plan);
}

TEST(LatestPlans, KeepFewerWhereTheirConstantsAreLarge) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("ufno")));
    const auto input = [&](std::int64_t cases) {
        return network.input_for(batch_of(network.description(), cases, {5, 7, 3}));
    };
    LatestPlans small(network, 8, 1), roomy(network);
    const auto first = small.plan(input(1)), second = small.plan(input(2));
    ASSERT_GT(first->constant_bytes(), 1u);
    EXPECT_EQ(small.plan(input(2)), second) << "the latest stays, however large";
    EXPECT_NE(small.plan(input(1)), first);
    const auto one = roomy.plan(input(1)), two = roomy.plan(input(2));
    EXPECT_EQ(roomy.plan(input(1)), one);
    roomy.forget();
    EXPECT_NE(roomy.plan(input(2)), two);
}

TEST(LatestPlans, PlanTheMemoryOfAnExtentOnce) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("ufno")));
    LatestPlans plans(network);
    const auto planned = [&](const Shape& extents) {
        return plan_inference(network.description(), extents, Precision::fp32, PlannedDevice::cpu, 1);
    };
    for (const Shape& extents : {Shape{5, 7, 3}, Shape{6, 7, 3}, Shape{5, 7, 3}}) {
        EXPECT_EQ(plans.memory(extents).per_case, planned(extents).per_case);
        EXPECT_EQ(plans.memory(extents).weights, planned(extents).weights);
    }
}

// A plan is made by the first that asks for it; what changes, the workspace, is each thread's own.
TEST(LatestPlans, GiveEightThreadsTheSamePlans) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("ufno")));
    const auto plans = std::make_shared<LatestPlans>(network);
    std::vector<Batch> batches;
    std::vector<Tensor> expected;
    for (std::int64_t cases = 1; cases < 4; ++cases) {
        batches.push_back(batch_of(network.description(), cases, {5, 7, 3}));
        expected.push_back(on_host(*backend, FieldPlans(network).predict(batches.back())));
    }
    std::vector<std::vector<std::shared_ptr<const Plan>>> used(8);
    std::vector<int> same(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < used.size(); ++thread) {
            threads.emplace_back([&, thread] {
                FieldPlans own(plans);
                for (std::size_t i = 0; i < batches.size(); ++i) {
                    used[thread].push_back(own.pass(network.input_for(batches[i])).plan);
                    same[thread] += same_bits(on_host(*backend, own.predict(batches[i])), expected[i]) ? 1 : 0;
                }
            });
        }
    }
    for (std::size_t thread = 0; thread < used.size(); ++thread) {
        EXPECT_EQ(used[thread], used[0]);
        EXPECT_EQ(same[thread], 3);
    }
}

TEST(FieldPlans, GrowInMemoryOfTheirOwnWhereAnotherPassStillUsesTheOld) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("fno")));
    FieldPlans plans(network);
    const Batch one = batch_of(network.description(), 1, {5, 7, 3}),
                six = batch_of(network.description(), 6, {5, 7, 3});
    const PlannedPass small = plans.pass(network.input_for(one)), large = plans.pass(network.input_for(six));
    EXPECT_NE(small.workspace, large.workspace);
    EXPECT_LT(small.workspace->bytes(), large.workspace->bytes());
}

TEST(FieldPlans, GiveTheSpreadOfMembersBehindTheFields) {
    const auto backend = make_cpu_backend({.threads = 1});
    NetworkConfig config = small_config("ufno");
    config.members = 3;
    for (const bool corrects : {false, true}) {
        const FieldNetwork network = network_on(*backend, corrects ? guided(config) : described(config));
        const Batch batch = three_cases(network.description(), {5, 7, 3});
        const Tensor fields = on_host(*backend, FieldPlans(network).predict(batch));
        const auto [same, spread] =
            without_spread(on_host(*backend, FieldPlans(LatestPlans::with_spread(network)).predict(batch)), true);
        EXPECT_EQ(spread.shape(), fields.shape());
        EXPECT_TRUE(same_bits(same, fields)) << corrects;
        EXPECT_GE(std::ranges::min(spread.values<float>()), 0.0F);
    }
    config.members = 1;
    EXPECT_FALSE(LatestPlans::with_spread(network_on(*backend, described(config)))->gives_spread());
}

// A plan, its weights and constants are shared; what changes belongs to each thread.
TEST(FieldPlans, OfEightThreadsShareAPlan) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("ufno")));
    const Batch batch = batch_of(network.description(), 1, {5, 7, 3});
    FieldInput input = network.input_for(batch);
    upload(*backend, batch, input);
    const auto plan = std::make_shared<const Plan>(plan_of(network, input));
    const Tensor expected = on_host(*backend, FieldPlans(network).predict(batch));
    std::vector<Tensor> results(8);
    {
        std::vector<std::jthread> threads;
        for (Tensor& result : results) {
            threads.emplace_back([&] {
                const auto workspace = std::make_shared<Tensor>(plan->make_workspace());
                const PlannedPass pass{plan, workspace};
                Tensor fields = pass.output(*backend);
                pass.run(input, fields);
                result = host_zeros(fields.shape());
                backend->download(fields, result);
            });
        }
    }
    for (const Tensor& result : results) {
        EXPECT_TRUE(same_bits(result, expected));
    }
}

}  // namespace
}  // namespace plumecast::testing
