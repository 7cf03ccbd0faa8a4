#include <utility>

#include <plumecast/graph/graph.hpp>

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
        std::visit([&](const auto& op) { compute(op, node); }, graph_->nodes()[node].op);
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
    void compute(const InputOp& op, std::size_t node) { take(op.of, node); }
    void compute(const WeightOp& op, std::size_t node) { take(op.of, node); }
    void compute(const ConstantOp& op, std::size_t node) {
        backend_->upload(host_tensor<double>(op.shape, *op.values), result_of(node));
    }
    void compute(const FurtherResultOp& /*op*/, std::size_t /*node*/) {}  // the op before it did
    void compute(const StartExchangeOp& op, std::size_t node) {
        const std::vector<ConstView> inputs = inputs_of(node);
        under_way_[node] = op.start(*backend_, inputs, result_of(node));
    }
    void compute(const FinishExchangeOp& op, std::size_t node) {
        op.finish(std::move(under_way_[static_cast<std::size_t>(graph_->nodes()[node].inputs[0])]), result_of(node));
    }
    template <class Kind>
    void compute(const Kind& op, std::size_t node) {
        const std::vector<ConstView> inputs = inputs_of(node);
        const View result = result_of(node);
        if constexpr (requires { op.further_results({}); }) {
            std::vector<View> further;
            for (const int other : further_[node]) {
                further.push_back(other < 0 ? View() : result_of(static_cast<std::size_t>(other)));
            }
            op.evaluate(*backend_, inputs, result, further);
        } else if (result.shape.count() > 0 || is_collective(graph_->nodes()[node].op)) {
            op.evaluate(*backend_, inputs, result);
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

std::vector<Tensor> evaluate(Backend& backend, const Graph& graph, const Feed& feed) {
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
