#include "passes/partition/overlap_messages.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

#include "graph/schedule.hpp"

namespace plumecast {
namespace {

Graph split(const Graph& graph) {
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* exchange = graph.nodes()[static_cast<std::size_t>(node)].op.as<ExchangeOp>();
        if (exchange == nullptr) {
            return {};
        }
        std::vector<Value> finished{copy.add(StartExchangeOp{*exchange}, {inputs[0]})};
        finished.insert(finished.end(), inputs.begin(), inputs.end());
        return copy.add(FinishExchangeOp{*exchange}, finished);
    });
}

/// Sums over some ranks that travel together: see summed_over_ranks(). Each sets out twice, partial sums to those who
/// add them up and sums to all.
struct Sums {
    Communicator* ranks = nullptr;
    struct Bucket {
        int reduce = 0, gather = 0;  ///< nodes that start them
        std::vector<int> outputs;    ///< nodes that the sums are there for
    };
    std::vector<Bucket> buckets;
    std::size_t reduced = 0, gathered = 0, finished = 0;  ///< buckets that are so far on their way
};

/// An order of the nodes of a graph whose exchanges are split.
class Order {
   public:
    explicit Order(const Graph& graph) : graph_(&graph), done_(graph.nodes().size(), 0) {
        for (std::size_t node = 0; node < done_.size(); ++node) {
            if (is_event(static_cast<int>(node))) {
                events_.push_back(static_cast<int>(node));
            }
        }
        find_places();
        find_sums();
        count_events_from_each();
        for (const int event : events_in_order()) {
            compute(ancestors({event}));
            compute_what_frees_memory();
            reduce_what_came_before(event);
        }
        reduce_the_rest();
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
    bool is_finish(int node) const { return at(node).op.is<FinishExchangeOp>(); }
    bool is_sum(int node) const {
        const auto* start = at(node).op.as<StartExchangeOp>();
        return start != nullptr && start->of.kind == ExchangeOp::Kind::sums;
    }
    /// Nodes that all ranks must compute in the same order, but for sums, which are ordered apart.
    bool is_event(int node) const { return at(node).op->is_collective() && !is_finish(node) && !is_sum(node); }

    /// The order of the ops if there were no messages; inputs come before all of them.
    void find_places() {
        place_.assign(done_.size(), -1);
        by_place_ = depth_first_order(*graph_);
        for (std::size_t place = 0; place < by_place_.size(); ++place) {
            place_[index(by_place_[place])] = static_cast<int>(place);
        }
    }

    /// Nodes that are still to be computed for these, themselves among them, in the order without messages.
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
        std::ranges::sort(nodes, {}, [&](int node) { return std::pair(place_[index(node)], node); });
        return nodes;
    }

    void find_sums() {
        for (std::size_t gather = 0; gather < done_.size(); ++gather) {
            if (!is_sum(static_cast<int>(gather)) || graph_->nodes()[gather].op.as<StartExchangeOp>()->of.adjoint) {
                continue;
            }
            const int reduce = at(at(static_cast<int>(gather)).inputs[0]).inputs[0];
            Communicator& ranks = graph_->nodes()[gather].op.as<StartExchangeOp>()->of.exchange->ranks();
            auto group = std::ranges::find(sums_, &ranks, &Sums::ranks);
            if (group == sums_.end()) {
                group = sums_.insert(group, Sums());
                group->ranks = &ranks;
            }
            group->buckets.push_back({reduce, static_cast<int>(gather), {}});
            for (const auto& [name, output] : graph_->outputs()) {
                const std::vector<int> before = ancestors({output});
                if (std::ranges::find(before, static_cast<int>(gather)) != before.end()) {
                    group->buckets.back().outputs.push_back(output);
                }
            }
        }
    }

    /// What a node depends on, whether it is computed or not.
    std::vector<int> all_ancestors(int of) const {
        std::vector<char> wanted(done_.size(), 0);
        wanted[index(of)] = 1;
        std::vector<int> nodes;
        for (int node = of; node >= 0; --node) {
            if (wanted[index(node)] != 0) {
                nodes.push_back(node);
                for (const int input : at(node).inputs) {
                    wanted[index(input)] = 1;
                }
            }
        }
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

    /// Found as if only events were computed, since sums and other work may differ between ranks.
    std::vector<int> events_in_order() {
        std::vector<int> in_order;
        while (!events_.empty()) {
            in_order.push_back(next_event());
            compute(ancestors({in_order.back()}));
            std::erase(events_, in_order.back());
        }
        std::ranges::fill(done_, 0);
        order_.clear();
        return in_order;
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
            const auto* start = at(event).op.as<StartExchangeOp>();
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

    /// While messages travel: nodes that no event waits for and that are ready, mostly gradients of weights, whose
    /// fields are then free.
    void compute_what_frees_memory() {
        for (const int node : by_place_) {
            const bool is_free = done_[index(node)] == 0 && events_from_[index(node)] == 0 && is_ready(node);
            if (is_free && !is_finish(node) && !is_sum(node)) {
                append(node);
            }
        }
    }

    /// Sums whose terms need no event but those before `latest`, which is under way: on all ranks the same ones.
    void reduce_what_came_before(int latest) {
        for (Sums& sums : sums_) {
            while (sums.reduced < sums.buckets.size()) {
                const std::vector<int> before = all_ancestors(sums.buckets[sums.reduced].reduce);
                const bool is_late = std::ranges::any_of(
                    before, [&](int node) { return is_event(node) && (node == latest || done_[index(node)] == 0); });
                if (is_late) {
                    break;
                }
                reduce_next(sums);
            }
        }
    }
    /// In the order in which their terms stand.
    void reduce_the_rest() {
        while (true) {
            Sums* first = nullptr;
            const auto place = [&](const Sums& sums) { return at(sums.buckets[sums.reduced].reduce).inputs[0]; };
            for (Sums& sums : sums_) {
                const bool is_left = sums.reduced < sums.buckets.size();
                first = is_left && (first == nullptr || place(sums) < place(*first)) ? &sums : first;
            }
            if (first == nullptr) {
                break;
            }
            reduce_next(*first);
        }
        for (Sums& sums : sums_) {
            while (sums.gathered < sums.buckets.size()) {
                gather_next(sums);
            }
        }
    }
    /// Each a step behind the one before it: no more than three hold memory.
    void reduce_next(Sums& sums) {
        compute(ancestors({sums.buckets[sums.reduced++].reduce}));
        if (sums.reduced - sums.gathered > 1) {
            gather_next(sums);
        }
    }
    void gather_next(Sums& sums) {
        compute(ancestors({sums.buckets[sums.gathered++].gather}));
        if (sums.gathered - sums.finished > 1) {
            compute(ancestors(sums.buckets[sums.finished++].outputs));
        }
    }

    /// Computes nodes: first those that are ready, then those that wait for the exchange that started first.
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
    std::vector<int> by_place_, place_;  // the order without messages, and where in it each node stands
    std::vector<int> events_;            // to come
    std::vector<Sums> sums_;
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
        const Node& now = graph.nodes()[static_cast<std::size_t>(node)];
        copies[static_cast<std::size_t>(node)] = copy.add(now.op, copies_of(now.inputs, copies));
    }
    for (const auto& [name, node] : graph.outputs()) {
        copy.output(name, copies[static_cast<std::size_t>(node)]);
    }
    return copy;
}

}  // namespace plumecast
