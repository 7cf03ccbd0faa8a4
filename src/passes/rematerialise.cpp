#include "passes/rematerialise.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// What a forward pass computes, and which of it is kept for the gradients.
class ForwardPass {
   public:
    ForwardPass(const Graph& graph, int result, int blocks) : graph_(&graph), part_(graph.nodes().size(), 0) {
        part_[index(result)] = 1;
        for (int node = result; node >= 0; --node) {
            for (const int input : inputs_of(node)) {
                part_[index(input)] |= part_[index(node)];
            }
        }
        for (int node = 0; node <= result; ++node) {
            part_[index(node)] &= static_cast<char>(graph.nodes()[index(node)].op->given() == nullptr);
            largest_ = std::max(largest_, part_[index(node)] != 0 ? numbers(node) : 0);
        }
        kept_ = inputs_of_blocks(result, blocks);
    }

    /// Whether a value is there when the forward pass is done.
    bool keeps(int node) const {
        return part_[index(node)] == 0 || node > last_kept_ || is_small(node) ||
               graph_->nodes()[index(node)].op->is_collective() || kept_[index(node)] != 0;
    }

   private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }
    const std::vector<int>& inputs_of(int node) const { return graph_->nodes()[index(node)].inputs; }
    std::int64_t numbers(int node) const { return graph_->nodes()[index(node)].type.shape.count(); }
    bool is_small(int node) const { return 8 * numbers(node) <= largest_; }

    /// The values of which every `blocks`-th is kept, in the order in which they are computed.
    std::vector<char> inputs_of_blocks(int result, int blocks) {
        std::vector<int> readers(part_.size(), 0), last_reader(part_.size(), 0);
        for (int node = 0; node <= result; ++node) {
            for (const int input : inputs_of(node)) {
                readers[index(input)] += part_[index(node)];
                last_reader[index(input)] = part_[index(node)] != 0 ? node : last_reader[index(input)];
            }
        }
        std::vector<char> kept(part_.size(), 0);
        int open_until = -1, block = 0;  // of the fields before
        for (int node = 0; node < result; ++node) {
            if (part_[index(node)] == 0 || is_small(node)) {
                continue;
            }
            if (open_until <= node && readers[index(node)] > 1 && block++ % blocks == 0) {
                kept[index(node)] = 1;
                last_kept_ = node;
            }
            open_until = std::max(open_until, last_reader[index(node)]);
        }
        return kept;
    }

    const Graph* graph_;
    std::vector<char> part_;  // of the forward pass
    std::int64_t largest_ = 0;
    int last_kept_ = -1;
    std::vector<char> kept_;
};

/// A copy of a graph, in which values of the forward pass that are not kept are computed where they are needed again.
class Rematerialised {
   public:
    Rematerialised(const Graph& graph, int result, int blocks)
        : graph_(&graph), forward_(graph, result, blocks), again_(graph.nodes().size()) {
        for (int node = 0; node < static_cast<int>(graph.nodes().size()); ++node) {
            const bool is_forward = node <= result;
            const Node& now = graph.nodes()[static_cast<std::size_t>(node)];
            std::vector<Value> inputs;
            for (const int input : now.inputs) {
                inputs.push_back(is_forward ? copies_[static_cast<std::size_t>(input)] : later(input));
            }
            copies_.push_back(copy_.add(now.op, inputs));
        }
        for (const auto& [name, node] : graph.outputs()) {
            copy_.output(name, copies_[static_cast<std::size_t>(node)]);
        }
    }
    Graph graph() && { return std::move(copy_); }

   private:
    /// A value as it is there after the forward pass.
    Value later(int node) {
        const auto at = static_cast<std::size_t>(node);
        if (forward_.keeps(node)) {
            return copies_[at];
        }
        if (!again_[at].defined()) {
            std::vector<Value> inputs;
            for (const int input : graph_->nodes()[at].inputs) {
                inputs.push_back(later(input));
            }
            again_[at] = copy_.add(graph_->nodes()[at].op, inputs);
        }
        return again_[at];
    }

    const Graph* graph_;
    ForwardPass forward_;
    Graph copy_;
    std::vector<Value> copies_, again_;  // of each node
};

}  // namespace

Graph rematerialise(const Graph& graph, const std::string& forward, int blocks) {
    if (blocks == 0) {
        return graph;
    }
    expects(blocks > 0, "a number of blocks");
    Graph whole = graph;
    const int result = whole.output(forward).node();
    return pruned(Rematerialised(whole, result, blocks).graph());
}

}  // namespace plumecast
