#include <plumecast/plan/explain.hpp>

#include <algorithm>
#include <limits>

#include "core/clock.hpp"

namespace plumecast {
namespace {

/// The shortest of some times of a task [s].
template <class Task>
double shortest(Backend& backend, const Task& task) {
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
        const auto start = Clock::now();
        task();
        backend.wait();
        best = std::min(best, seconds_since(start));
    }
    return best;
}

Tensor filled(Backend& backend, const Shape& shape) {
    Tensor tensor(backend.memory(), shape, backend.compute_type());
    backend.fill(tensor, 1.0);
    return tensor;
}

/// The op with the weight or constant it reads: several layers have the same ops.
std::string name_of(const Graph& graph, const Node& node) {
    std::string name = std::visit([]<class Kind>(const Kind&) { return std::string(Kind::name); }, node.op);
    for (const int input : node.inputs) {
        const Op& op = graph.nodes()[static_cast<std::size_t>(input)].op;
        if (const auto* weight = std::get_if<WeightOp>(&op)) {
            return name + " " + weight->of;
        }
        if (const auto* constant = std::get_if<ConstantOp>(&op)) {
            return name + " " + constant->of;
        }
    }
    return name;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

}  // namespace

double Ceilings::seconds(const OpWork& work) const {
    return std::max(work.bytes / bytes_per_second, work.operations / operations_per_second);
}

Ceilings measure_ceilings(Backend& backend) {
    constexpr std::int64_t numbers = 8 << 20, side = 1024;
    Ceilings ceilings;
    {
        const Tensor from = filled(backend, {numbers});
        Tensor to = filled(backend, {numbers});
        const double bytes = static_cast<double>(from.bytes() + to.bytes());
        ceilings.bytes_per_second = bytes / shortest(backend, [&] { backend.add(1.0, from, {to}); });
    }
    const Tensor a = filled(backend, {side, side}), b = filled(backend, {side, side});
    Tensor product = filled(backend, {side, side});
    const double operations = 2.0 * static_cast<double>(side * side * side);
    ceilings.operations_per_second =
        operations / shortest(backend, [&] { backend.gemm(false, false, a, b, {product}, {}, {}); });
    return ceilings;
}

std::vector<ExplainedOp> explain(Backend& backend, const Plan& plan, Tensor& workspace, const Feed& inputs,
                                 std::span<const View> outputs, int repeats) {
    expects(repeats >= 1, "at least one timed run");
    std::vector<std::vector<double>> seconds(plan.order().size());
    plan.run(workspace, inputs, outputs);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<Clock::time_point> starts;
        plan.run(workspace, inputs, outputs, [&](int /*node*/) {
            backend.wait();
            starts.push_back(Clock::now());
        });
        backend.wait();
        starts.push_back(Clock::now());
        for (std::size_t step = 0; step < seconds.size(); ++step) {
            seconds[step].push_back(std::chrono::duration<double>(starts[step + 1] - starts[step]).count());
        }
    }
    std::vector<ExplainedOp> ops;
    for (std::size_t step = 0; step < seconds.size(); ++step) {
        const Node& node = plan.graph().nodes()[static_cast<std::size_t>(plan.order()[step])];
        ops.push_back({name_of(plan.graph(), node), node.type.shape, work_of(plan.graph(), node, backend),
                       median(seconds[step]), plan.bytes_in_use()[step]});
    }
    return ops;
}

}  // namespace plumecast
