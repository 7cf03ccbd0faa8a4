#include <vector>

#include <plumecast/passes/partition/sum_gradients.hpp>

namespace plumecast {

Graph sum_norm_gradients(const Graph& graph, const ProcessGrid& grid) {
    Communicator& ranks = grid.world();
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* norm = std::get_if<NormaliseGradientOp>(&graph.nodes()[static_cast<std::size_t>(node)].op);
        if (norm == nullptr || !norm->of.of_batch || ranks.size() == 1) {
            return {};
        }
        std::vector<Value> with_sums(inputs.begin(), inputs.end() - 1);
        with_sums.push_back(copy.add(SumOverRanksOp{&ranks}, {inputs.back()}));
        return copy.add(*norm, with_sums);
    });
}

}  // namespace plumecast
