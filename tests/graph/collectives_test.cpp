#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/graph/graph.hpp>

#include "distributed/conv_halo.hpp"
#include "spectral/axis_exchange.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// <a, b> summed over the ranks.
double dot_of_ranks(Communicator& ranks, const Tensor& a, const Tensor& b) {
    std::array<double, 1> sum{dot(a, b)};
    ranks.sum(sum);
    return sum[0];
}

Tensor random_of(Communicator& ranks, const Shape& shape, const std::string& name) {
    return random_tensor(shape, DType::float64, name + std::to_string(ranks.rank()));
}

/// <F x, y> = <x, F* y> of a collective op and its gradient, over all ranks.
void expect_adjoint_gradient(Communicator& ranks, const Op& op, const Shape& from) {
    const auto oracle = make_oracle_backend();
    Graph graph;
    const Value x = graph.input("x", {from});
    const Value y = graph.add(op, {x});
    const Value upstream = graph.input("upstream", y.type());
    const Value back = gradients(y, upstream, {x})[0];
    ASSERT_EQ(back.shape(), from);
    graph.output("y", y);
    graph.output("gradient", back);
    const Tensor values = random_of(ranks, from, "x"), cotangent = random_of(ranks, y.shape(), "y");
    const std::vector<Tensor> outputs = evaluate(
        *oracle, graph, [&](const std::string& name) { return name == "x" ? values.view() : cotangent.view(); });
    const double left = dot_of_ranks(ranks, outputs[0], cotangent), right = dot_of_ranks(ranks, values, outputs[1]);
    EXPECT_NEAR(left, right, 1e-12 * (1.0 + std::abs(left)));
    EXPECT_GT(std::abs(left), 1e-6) << "random numbers that say something";
}

ConvGeometry halving() { return {.kernel = {3, 3, 3}, .stride = {2, 2, 2}}; }

TEST(CollectivesOnRanks, HaveTheHaloForTwoConvolutionsOfAFieldAndItsAdjoint) {
    for (const int ranks : {2, 3, 4}) {
        on_ranks(ranks, [&](Communicator& communicator) {
            const Partition fine(communicator, {{0, 4}, balanced_partition(11, ranks)});
            ConvHalo first(halving(), fine, fine.coarser());
            const ConvHalo second({}, fine, fine);
            const auto me = static_cast<std::size_t>(communicator.rank());
            const Shape own = fine.layout(2, 3, 2)[me][0].extents();
            const Shape box = first.sent_box(own, {&second}).extents();
            expect_adjoint_gradient(
                communicator, ExchangeOp{ExchangeOp::Kind::halo, false, first.exchange(own, {&second}), own, box, box},
                own);
        });
    }
}

TEST(CollectivesOnRanks, HaveAReduceScatterWhoseAdjointGathersAndATransposeWhoseAdjointGoesBack) {
    for (const int ranks : {2, 3, 4}) {
        on_ranks(ranks, [&](Communicator& communicator) {
            const std::int64_t rows = 4, modes = 6, cells = 9;
            for (const bool by_transpose : {false, true}) {
                const AxisPartition held = balanced_partition(cells, ranks);
                AxisExchange axis(communicator,
                                  {rows, modes, held, balanced_partition(rows * modes, ranks), by_transpose});
                const auto me = static_cast<std::size_t>(communicator.rank());
                const Shape array =
                    by_transpose ? Shape{2, rows, held[me + 1] - held[me], 5} : Shape{2, rows * modes, 5};
                const AxisExchange::Move there = axis.to_owners(array), back = axis.to_holders(there.result);
                const auto kind = by_transpose ? ExchangeOp::Kind::lines : ExchangeOp::Kind::modes;
                expect_adjoint_gradient(
                    communicator, ExchangeOp{kind, there.adjoint, there.exchange, array, there.result, there.result},
                    array);
                expect_adjoint_gradient(
                    communicator, ExchangeOp{kind, back.adjoint, back.exchange, there.result, back.result, back.result},
                    there.result);
            }
        });
    }
}

TEST(CollectivesOnRanks, HaveASumWhoseAdjointIsASum) {
    on_ranks(3, [](Communicator& ranks) { expect_adjoint_gradient(ranks, SumOverRanksOp{&ranks}, {2, 5}); });
}

TEST(CollectivesOnRanks, MergeMomentsToThoseOfAllValues) {
    on_ranks(4, [](Communicator& ranks) {
        const auto oracle = make_oracle_backend();
        const std::int64_t rows = 3 + 2 * ranks.rank(), channels = 2;
        Graph graph;
        const Value own = graph.add(MomentsOp{}, {graph.input("x", {{rows, channels}})});
        graph.output("moments", graph.add(MergeMomentsOp{&ranks, static_cast<double>(rows)}, {own}));
        const Tensor all = random_tensor({24, channels}, DType::float64, "all");  // 3 + 5 + 7 + 9 rows
        const std::int64_t first = ranks.rank() * (2 + ranks.rank());
        const Tensor merged = std::move(
            evaluate(*oracle, graph, [&](const std::string&) { return all.view().rows(first, first + rows); })[0]);
        Tensor expected(oracle->memory(), {2, channels}, DType::float64);
        oracle->moments(all.view(), expected);
        expect_close(merged, expected, 1e-13);
    });
}

TEST(Collectives, AreNamedInTheTextForm) {
    on_ranks(2, [](Communicator& ranks) {
        const Partition fine(ranks, {{0, 4}, {0, 2, 4}});
        ConvHalo halo({}, fine, fine);
        Graph graph;
        const Shape own{1, 4, 2, 3, 1}, box = halo.sent_box(own).extents();
        const Value x = graph.input("x", {own});
        const Value y = graph.add(ExchangeOp{ExchangeOp::Kind::halo, false, halo.exchange(own), own, box, box}, {x});
        graph.output("y", y);
        graph.output("gradient", gradients(y, y, {x})[0]);
        graph.output("sum", graph.add(SumOverRanksOp{&ranks}, {graph.add(MomentsOp{}, {x})}));
        EXPECT_EQ(text_of(graph),
                  "%1 = exchange(x) halo : float32 [1, 4, 3, 3, 1]\n"
                  "%2 = exchange(%1) halo adjoint : float32 [1, 4, 2, 3, 1]\n"
                  "%3 = moments(x) : float64 [2, 1]\n"
                  "%4 = sum_over_ranks(%3) : float64 [2, 1]\n"
                  "y = %1\n"
                  "gradient = %2\n"
                  "sum = %4\n");
    });
}

}  // namespace
}  // namespace plumecast::testing
