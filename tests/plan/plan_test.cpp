#include <gmock/gmock.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "passes/described_network.hpp"
#include "support/counted_memory.hpp"
#include "support/fft_by_definition.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// The prediction by a plan, in memory that held other numbers.
Tensor planned(const DescribedNetwork& network, const Plan& plan) {
    Backend& backend = *network.oracle;
    Tensor workspace = plan.make_workspace();
    backend.fill(workspace, 1e30);
    Tensor result(backend.memory(), network.run(network.graph).shape(), DType::float64);
    plan.run(
        workspace, [&](const std::string&) { return network.channels.view(); }, std::array{result.view()});
    return result;
}

class PlanTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PlanTest, GivesWhatTheGraphGives) {
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const Tensor expected = network.run(network.graph);
        const Graph graph = for_prediction(*network.oracle, network.graph, network.weights());
        const Plan plan(*network.oracle, graph, network.weights());
        expect_close(planned(network, plan), expected, 1e-13);
        EXPECT_GT(plan.constant_bytes(), 0u);
        const Plan described(*network.oracle, network.graph, network.weights());
        expect_close(planned(network, described), expected, 1e-13);
        EXPECT_LE(plan.workspace_bytes(), described.workspace_bytes());
    }
}

/// Copies of the weights of a network, and its channels, on another backend.
struct NetworkElsewhere {
    NetworkElsewhere(const DescribedNetwork& network, Backend& backend) {
        const auto copy = [&](const std::string& name, ConstView host) {
            Tensor& to =
                arrays.emplace(name, Tensor(backend.memory(), host.shape, backend.compute_type())).first->second;
            backend.upload(host, to);
        };
        for (const WeightOp& weight : network.graph.weights()) {
            copy(weight.of, network.weights()(weight.of));
        }
        copy("channels", network.channels);
    }
    Feed feed() const {
        return [this](const std::string& name) { return arrays.at(name).view(); };
    }

    std::map<std::string, Tensor> arrays;
};

TEST_P(PlanTest, GivesTheSameByFourierTransformsOverSeveralAxes) {
    const auto backend =
        make_kernels_on_host(std::make_unique<CountedMemory>(), Precision::fp32, std::make_unique<FftByDefinition>());
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const NetworkElsewhere copy(network, *backend);
        const Plan plan(*backend, for_prediction(*backend, network.graph, copy.feed()), copy.feed());
        EXPECT_EQ(text_of(plan.graph()).find("inverse_fft") != std::string::npos, GetParam() != "cnn");
        const Tensor expected = network.run(network.graph);
        Tensor workspace = plan.make_workspace();
        Tensor result(backend->memory(), expected.shape(), DType::float32);
        plan.run(workspace, copy.feed(), std::array{result.view()});
        Tensor host = host_zeros(expected.shape(), DType::float64);
        backend->download(result, host);
        expect_close(host, expected, 1e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, PlanTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

/// y = relu(x + x) and its input sum, on the oracle.
struct SmallPlan {
    std::unique_ptr<Backend> backend = make_oracle_backend();
    Graph graph;
    Tensor x = random_tensor({3, 4}, DType::float64, "x");

    SmallPlan() {
        const Value input = graph.input("x", {{3, 4}});
        const Value sum = input + input;
        graph.output("sum", sum);
        graph.output("y", activate(sum, Activation::relu()));
        graph.output("again", sum);
        graph.output("x", input);
    }
    Feed feed() const {
        return [this](const std::string&) { return x.view(); };
    }
};

TEST(Plan, WritesEveryOutputAlsoOneThatHasTwoNamesOrWasGiven) {
    SmallPlan small;
    const Plan plan(*small.backend, small.graph, small.feed());
    Tensor workspace = plan.make_workspace();
    std::vector<Tensor> results;
    std::vector<View> outputs;
    for (int k = 0; k < 4; ++k) {
        results.emplace_back(small.backend->memory(), small.x.shape(), DType::float64);
        outputs.push_back(results.back().view());
    }
    plan.run(workspace, small.feed(), outputs);
    const std::vector<Tensor> expected = evaluate(*small.backend, small.graph, small.feed());
    for (std::size_t k = 0; k < 4; ++k) {
        expect_close(results[k], expected[k], 0.0);
    }
}

TEST(Plan, ComputesInTheMemoryOfAnOutputWhatThatMayOverwrite) {
    SmallPlan small;
    Graph graph;
    const Value input = graph.input("x", {{3, 4}});
    graph.output("y", activate(input + input, Activation::relu()));
    const Plan plan(*small.backend, graph, small.feed());
    EXPECT_EQ(plan.workspace_bytes(), 0u);
    Tensor workspace = plan.make_workspace(), result(small.backend->memory(), {3, 4}, DType::float64);
    plan.run(workspace, small.feed(), std::array{result.view()});
    expect_close(result, evaluate(*small.backend, graph, small.feed()).front(), 0.0);
}

TEST(Plan, AddsToAnOutputThatIsAnInputToo) {
    SmallPlan small;
    Graph graph;
    const Value x = graph.input("x", {{3, 4}}), sum = graph.input("sum", {{3, 4}});
    graph.output("sum", sum + activate(x + x, Activation::relu()));
    const Tensor before = random_tensor({3, 4}, DType::float64, "before");
    const auto feed_with = [&](const Tensor& array) -> Feed {
        return [&](const std::string& name) { return name == "x" ? small.x.view() : array.view(); };
    };
    Tensor held(small.backend->memory(), {3, 4}, DType::float64);
    small.backend->add(1.0, before.view(), {held.view()});
    const Plan plan(*small.backend, graph, small.feed());
    Tensor workspace = plan.make_workspace();
    plan.run(workspace, feed_with(held), std::array{held.view()});
    expect_close(held, evaluate(*small.backend, graph, feed_with(before)).front(), 0.0);
}

/// A convolution of three fields, and its gradients with respect to some of them.
struct PartsPlan {
    std::unique_ptr<Backend> backend = make_oracle_backend();
    std::map<std::string, Tensor> arrays;
    Graph graph;

    explicit PartsPlan(const std::vector<std::size_t>& wanted) {
        std::vector<Value> inputs;
        for (const char* name : {"a", "b", "c", "weight"}) {
            const Shape shape = inputs.size() < 3 ? Shape{1, 2, 3, 2, 2} : Shape{2, 3, 3, 3, 6};
            arrays.emplace(name, random_tensor(shape, DType::float64, name));
            inputs.push_back(graph.input(name, {shape}));
        }
        const Value y = graph.add(ConvOp{{}, 3}, inputs);
        arrays.emplace("g", random_tensor(y.shape(), DType::float64, "g"));
        const std::vector<Value> found = gradients(y, graph.input("g", y.type()), inputs);
        for (const std::size_t which : wanted) {
            graph.output("gradient", activate(found[which], Activation::leaky_relu(0.5)));
        }
        graph = pruned(graph);
    }
    Feed feed() const {
        return [this](const std::string& name) { return arrays.at(name).view(); };
    }
};

TEST(Plan, HoldsTheFurtherResultsOfAnOpFromThereOn) {
    for (const std::vector<std::size_t>& wanted : {std::vector<std::size_t>{0, 1, 2, 3}, {2}, {1, 0}, {3}}) {
        const PartsPlan parts(wanted);
        const Plan plan(*parts.backend, parts.graph, parts.feed());
        Tensor workspace = plan.make_workspace();
        const std::vector<Tensor> expected = evaluate(*parts.backend, parts.graph, parts.feed());
        std::vector<Tensor> results;
        std::vector<View> outputs;
        for (const Tensor& like : expected) {
            results.emplace_back(parts.backend->memory(), like.shape(), DType::float64);
            outputs.push_back(results.back().view());
        }
        plan.run(workspace, parts.feed(), outputs);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            expect_close(results[k], expected[k], 0.0);
        }
    }
}

TEST(Plan, PausesWhereAnOutputIsThereAndReadsLaterInputsLater) {
    const auto backend = make_oracle_backend();
    const Tensor x = random_tensor({3, 4}, DType::float64, "x"), other = random_tensor({3, 4}, DType::float64, "other");
    Graph graph;
    const Value first = activate(graph.input("x", {{3, 4}}), Activation::leaky_relu(0.3));
    graph.output("given", first.input(0));
    graph.output("first", first);
    graph.output("second", first * graph.input("late", {{3, 4}}));
    Tensor late(backend->memory(), {3, 4}, DType::float64);
    const Feed feed = [&](const std::string& name) { return name == "late" ? std::as_const(late).view() : x.view(); };
    const Plan plan(*backend, graph, feed);
    Tensor workspace = plan.make_workspace();
    std::vector<Tensor> results;
    std::vector<View> outputs;
    for (int k = 0; k < 3; ++k) {
        results.emplace_back(backend->memory(), Shape{3, 4}, DType::float64);
        backend->fill(results.back(), 7.0);
        outputs.push_back(results.back().view());
    }
    Plan::Run run(plan, workspace, feed, outputs);
    run.until("given");
    expect_close(results[0], x, 0.0);
    run.until("first");
    run.until("first");
    EXPECT_EQ(results[2].values<double>()[5], 7.0);
    backend->add(1.0, other, {late});
    run.finish();
    const std::vector<Tensor> expected = evaluate(*backend, graph, feed);
    for (std::size_t k = 0; k < 3; ++k) {
        expect_close(results[k], expected[k], 0.0);
    }
    EXPECT_THROW(Plan::Run(plan, workspace, feed, outputs).until("third"), Error);
}

TEST(Plan, RefusesArraysOfAnotherShapeAndNamesThem) {
    SmallPlan small;
    const Plan plan(*small.backend, small.graph, small.feed());
    Tensor workspace = plan.make_workspace();
    Tensor other(small.backend->memory(), {4, 3}, DType::float64);
    const std::vector<View> outputs(4, other.view());
    EXPECT_THAT([&] { plan.run(workspace, small.feed(), outputs); },
                ThrowsMessage<Error>(HasSubstr("output sum of shape [4, 3] (the plan was made for [3, 4])")));
    Tensor fitting(small.backend->memory(), {3, 4}, DType::float64);
    const std::vector<View> right(4, fitting.view());
    EXPECT_THAT(
        [&] {
            plan.run(
                workspace, [&](const std::string&) { return ConstView(other); }, right);
        },
        ThrowsMessage<Error>(HasSubstr("input x of shape [4, 3]")));
}

}  // namespace
}  // namespace plumecast::testing
