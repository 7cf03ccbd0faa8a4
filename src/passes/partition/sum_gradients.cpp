#include <memory>

#include "passes/partition/sum_gradients.hpp"

namespace plumecast {
namespace {

/// One after the other, without shape.
Value joined(const std::vector<Value>& values) {
    Graph& graph = values.front().graph();
    std::vector<Value> flat;
    for (const Value& value : values) {
        flat.push_back(graph.add(ReshapeOp{{value.shape().count()}}, {value}));
    }
    return graph.add(ConcatOp{}, flat);
}

/// The sums of a bucket, of the shape of the partial ones, whose memory they may take.
Value sum(const Value& partial, Communicator& ranks) {
    const Shape shape = partial.shape(), whole{shape.count()};
    const AxisPartition cuts = balanced_partition(whole[0], ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const Shape part{cuts[rank + 1] - cuts[rank]};
    const auto exchange = std::make_shared<const Exchange>(ranks, partition_layout(whole, 0, cuts),
                                                           replicated_layout(whole, ranks.size()));
    constexpr auto kind = ExchangeOp::Kind::sums;
    Graph& graph = partial.graph();
    const Value part_sums = graph.add(ExchangeOp{kind, true, exchange, whole, part, part}, {partial});
    return graph.add(ExchangeOp{kind, false, exchange, part, whole, shape}, {part_sums, partial});
}

/// The sums of values that travel together.
std::vector<Value> sums(const std::vector<Value>& bucket, Communicator& ranks) {
    if (bucket.size() == 1) {
        return {sum(bucket.front(), ranks)};
    }
    const Value all = joined(bucket), total = sum(all, ranks);
    std::vector<Value> parts;
    std::int64_t at = 0;
    for (const Value& value : bucket) {
        const std::int64_t numbers = value.shape().count();
        const Value part = all.graph().add(CropOp{{at}, {numbers}}, {total});
        parts.push_back(all.graph().add(ReshapeOp{value.shape()}, {part}));
        at += numbers;
    }
    return parts;
}

}  // namespace

Graph sum_norm_gradients(const Graph& graph, const ProcessGrid& grid) {
    Communicator& ranks = grid.world();
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* norm = graph.nodes()[static_cast<std::size_t>(node)].op.as<NormaliseGradientOp>();
        if (norm == nullptr || !norm->of.of_batch || ranks.size() == 1) {
            return {};
        }
        std::vector<Value> with_sums(inputs.begin(), inputs.end() - 1);
        with_sums.push_back(copy.add(SumOverRanksOp{&ranks}, {inputs.back()}));
        return copy.add(*norm, with_sums);
    });
}

std::vector<Value> summed_over_ranks(const std::vector<Value>& partial, Communicator& ranks, std::int64_t most) {
    std::vector<Value> results, bucket;
    std::int64_t numbers = 0;
    const auto send = [&] {
        if (!bucket.empty()) {
            const std::vector<Value> of_bucket = sums(bucket, ranks);
            results.insert(results.end(), of_bucket.begin(), of_bucket.end());
        }
        bucket.clear();
        numbers = 0;
    };
    for (const Value& value : partial) {
        if (numbers + value.shape().count() > most) {
            send();
        }
        bucket.push_back(value);
        numbers += value.shape().count();
    }
    send();
    return results;
}

}  // namespace plumecast
