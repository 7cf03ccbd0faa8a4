#include "graph/schedule.hpp"

#include <algorithm>
#include <utility>

namespace plumecast {
namespace {

class Schedule {
   public:
    explicit Schedule(const Graph& graph) : graph_(&graph), done_(graph.nodes().size(), 0) {}

    void compute(int node) {
        if (done_[index(node)] != 0) {
            return;
        }
        done_[index(node)] = 1;
        std::vector<std::pair<int, int>> inputs;  // ops before it, node
        for (const int input : graph_->nodes()[index(node)].inputs) {
            inputs.emplace_back(waiting_before(input), input);
        }
        std::ranges::stable_sort(inputs, std::ranges::greater(), &std::pair<int, int>::first);
        for (const auto& [ops, input] : inputs) {
            compute(input);
        }
        if (graph_->nodes()[index(node)].op->given() == nullptr) {
            order_.push_back(node);
        }
    }
    std::vector<int> order() && { return std::move(order_); }

   private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }
    /// Ops that are still to be computed for a node, itself among them.
    int waiting_before(int node) const {
        std::vector<char> seen(done_.size(), 0);
        std::vector<int> left{node};
        int count = 0;
        while (!left.empty()) {
            const int now = left.back();
            left.pop_back();
            if (seen[index(now)] != 0 || done_[index(now)] != 0) {
                continue;
            }
            seen[index(now)] = 1;
            count += graph_->nodes()[index(now)].op->given() == nullptr ? 1 : 0;
            left.insert(left.end(), graph_->nodes()[index(now)].inputs.begin(),
                        graph_->nodes()[index(now)].inputs.end());
        }
        return count;
    }

    const Graph* graph_;
    std::vector<char> done_;
    std::vector<int> order_;
};

}  // namespace

std::vector<int> depth_first_order(const Graph& graph) {
    Schedule schedule(graph);
    for (const auto& [name, node] : graph.outputs()) {
        schedule.compute(node);
    }
    return std::move(schedule).order();
}

std::vector<int> schedule(const Graph& graph) {
    std::vector<int> order = depth_first_order(graph);
    if (std::ranges::any_of(graph.nodes(), [](const Node& node) { return node.op->is_collective(); })) {
        std::ranges::sort(order);  // ranks have other ops, but come to collectives in one order, that of the nodes
    }
    return order;
}

}  // namespace plumecast
