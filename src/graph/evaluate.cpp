#include <utility>

#include <plumecast/graph/graph.hpp>

#include "graph/ops/further_result.hpp"

namespace plumecast {
namespace {

/// The values of a graph while it is evaluated.
class Evaluation {
   public:
    Evaluation(Backend& backend, const Graph& graph, const Feed& feed)
        : backend_(&backend),
          graph_(&graph),
          feed_(&feed),
          uses_(use_counts(graph)),
          further_(further_results(graph)),
          results_(uses_.size()),
          views_(uses_.size()),
          under_way_(uses_.size()) {}

    void run(std::size_t node) {
        compute(graph_->nodes()[node], node);
        for (const int input : graph_->nodes()[node].inputs) {
            const auto at = static_cast<std::size_t>(input);
            if (--uses_[at] == 0) {
                results_[at] = Tensor();
            }
        }
    }
    Tensor copy(int node) {
        const ConstView view = views_[static_cast<std::size_t>(node)];
        Tensor result(backend_->memory(), view.shape, view.type);
        backend_->add(1.0, view, {result});
        return result;
    }

   private:
    void compute(const Node& now, std::size_t node) {
        if (const auto* constant = now.op.as<ConstantOp>()) {
            backend_->upload(host_tensor<double>(constant->shape, *constant->values), result_of(node));
        } else if (const std::string* given = now.op->given()) {
            take(*given, node);
        } else if (!now.op.is<FurtherResultOp>()) {  // which the op before it computed
            run(now, node);
        }
    }
    void run(const Node& now, std::size_t node) {
        const std::vector<ConstView> inputs = inputs_of(node);
        const View result = result_of(node);
        std::vector<View> further;
        for (const int other : further_[node]) {
            further.push_back(other < 0 ? View() : result_of(static_cast<std::size_t>(other)));
        }
        if (result.shape.count() > 0 || now.op->is_collective() || !further.empty()) {
            const auto first = now.inputs.empty() ? node : static_cast<std::size_t>(now.inputs.front());
            now.op->run({*backend_, inputs, result, further, under_way_[node], under_way_[first]});
        }
    }
    std::vector<ConstView> inputs_of(std::size_t node) const {
        std::vector<ConstView> inputs;
        for (const int input : graph_->nodes()[node].inputs) {
            inputs.push_back(views_[static_cast<std::size_t>(input)]);
        }
        return inputs;
    }
    void take(const std::string& name, std::size_t node) {
        views_[node] = (*feed_)(name);
        if (views_[node].shape != graph_->nodes()[node].type.shape) {
            throw Error("array " + name + " of shape " + views_[node].shape.text() + " (the graph has " +
                        graph_->nodes()[node].type.shape.text() + "); feed what the graph was made for");
        }
    }
    View result_of(std::size_t node) {
        const ValueType& type = graph_->nodes()[node].type;
        results_[node] = Tensor(backend_->memory(), type.shape, on_backend(*backend_, type.type));
        views_[node] = std::as_const(results_[node]).view();
        return results_[node].view();
    }

    Backend* backend_;
    const Graph* graph_;
    const Feed* feed_;
    std::vector<int> uses_;
    std::vector<std::vector<int>> further_;
    std::vector<Tensor> results_;
    std::vector<ConstView> views_;
    std::vector<Exchange::PendingExchange> under_way_;
};

}  // namespace

std::vector<Tensor> evaluate(Backend& backend, const Graph& described, const Feed& feed) {
    const Graph graph = lowered(described);
    Evaluation evaluation(backend, graph, feed);
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        evaluation.run(node);
    }
    std::vector<Tensor> outputs;
    for (const auto& [name, node] : graph.outputs()) {
        outputs.push_back(evaluation.copy(node));
    }
    return outputs;
}

}  // namespace plumecast
