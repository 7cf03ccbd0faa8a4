#include "plan/memory_layout.hpp"

#include <gtest/gtest.h>

#include <plumecast/graph/layers.hpp>

#include "graph/schedule.hpp"
#include "passes/described_network.hpp"

namespace plumecast::testing {
namespace {

constexpr std::size_t none = MemoryLayout::none;
const Activation relu = Activation::relu();

std::vector<std::size_t> of_each(const Graph& graph, std::size_t bytes) {
    return std::vector<std::size_t>(graph.nodes().size(), bytes);
}

TEST(MemoryLayout, PutsAnActivationInThePlaceOfItsInput) {
    Graph graph;
    const Value x = graph.input("x", {{4, 4}});
    graph.output("y", activate(activate(x + x, relu), relu));
    const MemoryLayout layout = lay_out(graph, schedule(graph), {0, 64, 64, 64});
    EXPECT_EQ(layout.offsets, (std::vector<std::size_t>{none, 0, 0, 0}));
    EXPECT_EQ(layout.bytes, 64u);
}

TEST(MemoryLayout, LeavesAnInputThatIsReadAgain) {
    Graph graph;
    const Value x = graph.input("x", {{4, 4}});
    const Value sum = x + x, f = activate(sum, relu);
    graph.output("y", sum * f);
    const MemoryLayout layout = lay_out(graph, schedule(graph), {0, 64, 64, 64});
    EXPECT_NE(layout.offsets[1], layout.offsets[2]);
    EXPECT_EQ(layout.bytes, 192u);
}

TEST(MemoryLayout, LeavesAnAddendThatTheOpReadsTwice) {
    Graph graph;
    const Value x = graph.input("x", {{4, 4}});
    const Value sum = x + x;
    MultiplyOp product;
    product.fused.addend = true;
    graph.output("y", graph.add(product, {sum, x, sum}));
    const MemoryLayout layout = lay_out(graph, schedule(graph), {0, 64, 64});
    EXPECT_NE(layout.offsets[1], layout.offsets[2]);
}

TEST(MemoryLayout, TakesMemoryAgainThatNobodyReadsAnyMore) {
    Graph graph;
    Value x = graph.input("x", {{4, 4}});
    for (int k = 0; k < 6; ++k) {
        x = x * x;  // which is not done in place
    }
    graph.output("y", x);
    std::vector<std::size_t> bytes = of_each(graph, 128);
    bytes[0] = 0;
    EXPECT_EQ(lay_out(graph, schedule(graph), bytes).bytes, 256u);
}

TEST(MemoryLayout, KeepsValuesApartThatAreNeededTogether) {
    for (const DescribedNetwork& network : described_networks("ufno")) {
        const std::vector<int> order = schedule(network.graph);
        std::vector<std::size_t> bytes(network.graph.nodes().size(), 0);
        for (const int node : order) {
            bytes[static_cast<std::size_t>(node)] = 64 * static_cast<std::size_t>(1 + node % 5);
        }
        const MemoryLayout layout = lay_out(network.graph, order, bytes);
        // Whoever wrote to a place last is who the reader wants.
        std::vector<int> writer(layout.bytes / 64, -1);
        for (const int node : order) {
            for (const int input : network.graph.nodes()[static_cast<std::size_t>(node)].inputs) {
                const auto at = static_cast<std::size_t>(input);
                for (std::size_t piece = 0; piece < bytes[at] / 64; ++piece) {
                    EXPECT_EQ(writer[layout.offsets[at] / 64 + piece], input);
                }
            }
            const auto at = static_cast<std::size_t>(node);
            for (std::size_t piece = 0; piece < bytes[at] / 64; ++piece) {
                writer[layout.offsets[at] / 64 + piece] = node;
            }
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
