#include "inference/field_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <plumecast/reservoir/batches/box_source.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/ranks.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

NetworkDescription described(const NetworkConfig& config) {
    NetworkDescription description;
    description.network = config;
    for (std::int64_t channel = 0; channel < config.channels; ++channel) {
        description.channels.emplace_back().name = "channel " + std::to_string(channel);
        description.channels.back().source = "porosity";
    }
    for (std::int64_t field = 0; field < config.fields; ++field) {
        description.fields.emplace_back().name = "field " + std::to_string(field);
    }
    return description;
}

/// Maps, in another order than the network's, and a channel of time.
Batch batch_of(const NetworkDescription& description, std::int64_t cases, const Shape& extents) {
    Batch batch;
    batch.cases.resize(static_cast<std::size_t>(cases));
    Shape map{cases}, time{1};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
        time = time.append(1);
    }
    const std::vector<Channel>& channels = description.channels;
    batch.inputs.push_back(
        {{channels[2].name, channels[0].name}, random_tensor(map.append(1).append(2), DType::float32, "maps")});
    batch.inputs.push_back(
        {{channels[1].name}, random_tensor(time.append(extents[-1]).append(1), DType::float32, "times")});
    return batch;
}

/// A network with running statistics of its own, ready to predict.
FieldNetwork network_on(Backend& backend, const NetworkDescription& description, const ProcessGrid* ranks = nullptr) {
    FieldNetwork network(backend, description, 7, ranks);
    for (const Parameter& parameter : network.parameters().all()) {
        const bool is_variance = parameter.name.ends_with("running_variance");
        if (is_variance || parameter.name.ends_with("running_mean")) {
            backend.fill(parameter.weight.mutable_value(), is_variance ? 0.03 : 0.05);
        }
    }
    return network;
}

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

/// The same that corrects physics.
NetworkDescription guided(const NetworkConfig& config) {
    NetworkDescription description = described(config);
    description.physics = NetworkPhysics{};
    for (Field& field : description.fields) {
        field.base = "gas_saturation";
    }
    return description;
}

/// Cases of a group and cells of a box of space, where an array varies.
Tensor cut(const Tensor& whole, CellRange cases, const Box& space) {
    const Shape& shape = whole.shape();
    Box box(shape.slice(0, space.rank() + 1));
    box = shape[0] > 1 ? box.with(0, cases.low, cases.high) : box;
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = shape[axis + 1] > 1 ? box.with(axis + 1, space.low()[axis], space.high()[axis]) : box;
    }
    return box_of(whole, box);
}

/// A batch of three cases.
Batch three_cases(const NetworkDescription& description, const Shape& extents) {
    constexpr std::int64_t cases = 3;
    Batch batch = batch_of(description, cases, extents);
    batch.extents = extents;
    if (description.corrects_physics()) {
        Shape fields{cases};
        for (const std::int64_t extent : extents.extents()) {
            fields = fields.append(extent);
        }
        fields = fields.append(description.network.fields);
        batch.base = random_tensor(fields, DType::float32, "base");
        batch.correction = random_tensor(fields, DType::float32, "correction");
    }
    return batch;
}

/// What a rank reads of it.
Batch shard_of(const FieldNetwork& network, const ProcessGrid& ranks, const Shape& extents) {
    Batch batch = three_cases(network.description(), extents);
    const CellRange own = ranks.cases(static_cast<std::int64_t>(batch.cases.size()));
    batch.cases.resize(static_cast<std::size_t>(own.cells()));
    for (InputGroup& group : batch.inputs) {
        group.values = cut(group.values, own, network.network().input_box(extents));
    }
    if (network.description().corrects_physics()) {
        const Box predicted = network.network().output_box(extents);
        batch.base = cut(batch.base, own, predicted);
        batch.correction = cut(batch.correction, own, predicted);
    }
    return batch;
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
    const auto planned = [&](const Shape& extents) { return plan_inference(network.description(), extents); };
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
