#include <plumecast/passes/partition/overlap_messages.hpp>

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

Graph split(const Graph& graph) {
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* exchange = std::get_if<ExchangeOp>(&graph.nodes()[static_cast<std::size_t>(node)].op);
        if (exchange == nullptr) {
            return {};
        }
        const Value started = copy.add(StartExchangeOp{*exchange}, inputs);
        return copy.add(FinishExchangeOp{*exchange}, {started, inputs[0]});
    });
}

/// An order of the nodes of a graph whose exchanges are split.
class Order {
   public:
    explicit Order(const Graph& graph) : graph_(&graph), done_(graph.nodes().size(), 0) {
        for (std::size_t node = 0; node < done_.size(); ++node) {
            if (is_event(static_cast<int>(node))) {
                events_.push_back(static_cast<int>(node));
            }
        }
        count_events_from_each();
        while (!events_.empty()) {
            const int next = next_event();
            compute(ancestors({next}));
            std::erase(events_, next);
        }
        std::vector<int> outputs;
        for (const auto& [name, node] : graph.outputs()) {
            outputs.push_back(node);
        }
        compute(ancestors(outputs));
    }

    const std::vector<int>& nodes() const { return order_; }

   private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }
    const Node& at(int node) const { return graph_->nodes()[index(node)]; }
    bool is_finish(int node) const { return std::holds_alternative<FinishExchangeOp>(at(node).op); }
    /// What all ranks have to come to in one order.
    bool is_event(int node) const { return is_collective(at(node).op) && !is_finish(node); }

    /// Nodes that are still to be computed for these, themselves among them, in the order of the graph.
    std::vector<int> ancestors(const std::vector<int>& of) const {
        std::vector<char> wanted(done_.size(), 0);
        for (const int node : of) {
            wanted[index(node)] = 1;
        }
        std::vector<int> nodes;
        for (std::size_t node = done_.size(); node-- > 0;) {
            if (wanted[node] == 0 || done_[node] != 0) {
                continue;
            }
            nodes.push_back(static_cast<int>(node));
            for (const int input : at(nodes.back()).inputs) {
                wanted[index(input)] = 1;
            }
        }
        std::ranges::reverse(nodes);
        return nodes;
    }

    /// The most events on a path from each node on.
    void count_events_from_each() {
        events_from_.assign(done_.size(), 0);
        for (std::size_t node = done_.size(); node-- > 0;) {
            events_from_[node] += is_event(static_cast<int>(node)) ? 1 : 0;
            for (const int input : at(static_cast<int>(node)).inputs) {
                events_from_[index(input)] = std::max(events_from_[index(input)], events_from_[node]);
            }
        }
    }

    int next_event() const {
        int best = -1;
        std::tuple<bool, int, bool> most;
        for (const int event : events_) {
            const std::vector<int> before = ancestors({event});
            const auto count = [&](auto is_kind) { return std::ranges::count_if(before, is_kind); };
            if (count([&](int node) { return is_event(node); }) > 1) {
                continue;  // another has to come before
            }
            const auto* start = std::get_if<StartExchangeOp>(&at(event).op);
            const bool waits = count([&](int node) { return is_finish(node); }) > 0;
            const bool is_halo = start != nullptr && start->of.kind == ExchangeOp::Kind::halo;
            const std::tuple<bool, int, bool> here{!waits, waits ? events_from_[index(event)] : 0, is_halo};
            if (best < 0 || here > most) {
                best = event;
                most = here;
            }
        }
        expects(best >= 0, "an exchange that no other one has to precede");
        return best;
    }

    /// Computes nodes, those first that wait for nothing, then what waits for the exchange that set out first.
    void compute(std::vector<int> nodes) {
        while (!nodes.empty()) {
            for (const int node : nodes) {
                if (!is_finish(node) && is_ready(node)) {
                    append(node);
                }
            }
            std::erase_if(nodes, [&](int node) { return done_[index(node)] != 0; });
            int first = -1;
            for (const int node : nodes) {
                const bool may = is_finish(node) && is_ready(node);
                first = may && (first < 0 || step_of_start(node) < step_of_start(first)) ? node : first;
            }
            if (first >= 0) {
                append(first);
            }
            expects(nodes.empty() || first >= 0, "a graph in an order in which it can be run");
        }
    }
    bool is_ready(int node) const {
        return std::ranges::all_of(at(node).inputs, [&](int input) { return done_[index(input)] != 0; });
    }
    std::ptrdiff_t step_of_start(int finish) const {
        return std::ranges::find(order_, at(finish).inputs[0]) - order_.begin();
    }
    void append(int node) {
        done_[index(node)] = 1;
        order_.push_back(node);
    }

    const Graph* graph_;
    std::vector<char> done_;
    std::vector<int> events_;  // to come
    std::vector<int> events_from_;
    std::vector<int> order_;
};

}  // namespace

Graph overlap_messages(const Graph& whole) {
    const Graph graph = split(whole);
    Graph copy;
    std::vector<Value> copies(graph.nodes().size());
    const Order order(graph);
    for (const int node : order.nodes()) {
        std::vector<Value> inputs;
        for (const int input : graph.nodes()[static_cast<std::size_t>(node)].inputs) {
            inputs.push_back(copies[static_cast<std::size_t>(input)]);
        }
        copies[static_cast<std::size_t>(node)] = copy.add(graph.nodes()[static_cast<std::size_t>(node)].op, inputs);
    }
    for (const auto& [name, node] : graph.outputs()) {
        copy.output(name, copies[static_cast<std::size_t>(node)]);
    }
    return copy;
}

}  // namespace plumecast
