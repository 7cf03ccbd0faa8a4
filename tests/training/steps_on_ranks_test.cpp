#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"
#include "support/trace.hpp"
#include "training/trained_network.hpp"

namespace plumecast::testing {
namespace {

const Shape radial{4, 7, 3}, cartesian{3, 5, 6, 2};

using Steps = void (*)(TrainedNetwork& network, const NetworkDescription& description, const Shape& extents);

void one_batch(TrainedNetwork& network, const NetworkDescription& description, const Shape& extents) {
    network.run(random_cases(description, extents, "one"));
}

/// The third batch is of one case, so that one of two groups has none.
void three_batches(TrainedNetwork& network, const NetworkDescription& description, const Shape& extents) {
    network.run(random_cases(description, extents, "one", 3), 6, false);
    network.run(random_cases(description, extents, "two", 2), 6, false);
    network.run(random_cases(description, extents, "three", 1), 6, true);
}

/// Two of each batch, so that the second of one starts from what the other left to Adam.
void four_steps(TrainedNetwork& network, const NetworkDescription& description, const Shape& extents) {
    for (int step = 0; step < 4; ++step) {
        network.run(random_cases(description, extents, step % 2 == 0 ? "even" : "odd"));
        network.step(1e-3);
    }
}

struct Case {
    NetworkDescription network;
    Shape extents;
    std::vector<GridShape> grids;
    std::vector<std::string> frozen = {};
    int recompute_blocks = 0;  ///< of the ranks
    LossOptions loss = {};
};

/// Each rank has its part of what one rank gets; of all grids those of as many ranks as there are processes, or four
/// threads.
void expect_those_of_one_rank(const Case& one, Steps steps, double tolerance = 1e-11) {
    TrainedNetwork alone(make_oracle_backend(), one.network, one.frozen, nullptr, 0, one.loss);
    steps(alone, one.network, one.extents);
    for (const GridShape& shape : one.grids) {
        if (is_launched() ? shape.ranks() != ranks_of_job() : shape.ranks() > 4) {
            continue;
        }
        SCOPED_TRACE(one.network.network.architecture + " on " + shape.text());
        on_ranks(shape.ranks(), [&](Communicator& world) {
            const ProcessGrid grid(world, shape);
            TrainedNetwork shared(make_oracle_backend(), one.network, one.frozen, &grid, one.recompute_blocks,
                                  one.loss);
            steps(shared, one.network, one.extents);
            shared.expect_same(alone, tolerance);
        });
    }
}

NetworkDescription smooth(NetworkDescription network) {
    network.network.residual_blocks = 1;
    network.network.activation = {Activation::Kind::tanh};
    return network;
}

TEST(StepsOnRanks, HaveTheGradientsOfOneRank) {
    for (const char* architecture : {"fno", "conv_fno", "ufno", "cnn"}) {
        expect_those_of_one_rank({tiny_network(architecture), radial, {{1, 2}, {2, 1}, {2, 2}, {1, 3}, {1, 4}}},
                                 one_batch);
        expect_those_of_one_rank({smooth(tiny_network_3d(architecture)), cartesian, {{1, 1, 2}, {1, 2, 2}, {2, 2, 1}}},
                                 one_batch);
    }
}

TEST(StepsOnRanks, HaveTheGradientsOfOneRankOfEveryLoss) {
    for (const LossKind kind : {LossKind::h1, LossKind::mse}) {
        const LossOptions loss{.derivative_weight = 0.0, .kind = kind};
        expect_those_of_one_rank({tiny_network("fno"), radial, {{1, 2}, {2, 1}, {2, 2}, {1, 3}, {1, 4}}, {}, 0, loss},
                                 one_batch);
        expect_those_of_one_rank(
            {smooth(tiny_network_3d("ufno")), cartesian, {{1, 1, 2}, {1, 2, 1}, {1, 2, 2}, {2, 2, 1}}, {}, 0, loss},
            one_batch);
    }
}

TEST(StepsOnRanks, HaveTheGradientsOfOneRankWhereTheyComputeBlocksAgain) {
    for (const char* architecture : {"fno", "conv_fno", "ufno", "cnn"}) {
        expect_those_of_one_rank({tiny_network(architecture), radial, {{1, 2}, {2, 1}, {2, 2}}, {}, 1}, one_batch);
        expect_those_of_one_rank({smooth(tiny_network_3d(architecture)), cartesian, {{1, 2, 2}, {2, 2, 1}}, {}, 2},
                                 one_batch);
    }
}

TEST(StepsOnRanks, AddTheGradientsOfTheBatchesOfAStepWhereAGroupHasNoCase) {
    for (const char* architecture : {"conv_fno", "ufno"}) {
        expect_those_of_one_rank({smooth(tiny_network(architecture)), radial, {{2, 1}, {3, 1}, {2, 2}}}, three_batches);
    }
}

TEST(StepsOnRanks, LeaveFrozenLayers) {
    expect_those_of_one_rank({tiny_network("ufno"), radial, {{1, 2}, {2, 2}}, {"lift", "blocks.1.unet"}}, one_batch);
}

TEST(StepsOnRanks, CorrectPhysics) {
    expect_those_of_one_rank({smooth(tiny_guided_network("ufno")), radial, {{1, 2}, {2, 2}}}, one_batch);
}

TEST(StepsOnRanks, AreFourOfOneRank) {
    expect_those_of_one_rank({smooth(tiny_network("ufno")), radial, {{1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {1, 7}}},
                             four_steps);
    expect_those_of_one_rank({smooth(tiny_network_3d("conv_fno")),
                              cartesian,
                              {{1, 1, 1}, {1, 1, 2}, {1, 3, 1}, {1, 2, 2}, {1, 3, 2}, {2, 2, 2}}},
                             four_steps);
}

/// What a rank did in a step.
Trace trace_of_step(Communicator& ranks, const NetworkDescription& network, const GridShape& shape,
                    const Shape& extents) {
    Trace trace;
    const auto world = traced(ranks, trace);
    const ProcessGrid grid(*world, shape);
    TrainedNetwork trained(make_traced_oracle(trace), network, {}, &grid);
    const Batch batch = random_cases(network, extents, "one");
    trained.run(batch);  // makes the plan
    trace.clear();
    trained.run(batch);
    return trace;
}

TEST(StepsOnRanks, GoBackThroughTheUNetWhileMessagesTravel) {
    on_ranks(2, [](Communicator& ranks) {
        NetworkDescription network = tiny_network("ufno");
        const Trace trace = trace_of_step(ranks, network, {1, 2}, {14, 14, 6});
        const int convolutions = trace.count("conv_weight_gradient");
        EXPECT_GE(convolutions, 9);
        int hidden = 0;
        for (const int behind : trace.during_transfers("conv_weight_gradient")) {
            hidden = std::max(hidden, behind);
        }
        EXPECT_GE(hidden, 3) << "while one message travels";
        EXPECT_GE(trace.most_during_a_transfer("transform_axis"), 2)
            << "neighbours' gradients travel during a Fourier transform";
        EXPECT_EQ(trace.count("start"), trace.count("wait"));
    });
}

}  // namespace
}  // namespace plumecast::testing
