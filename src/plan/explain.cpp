#include "plan/explain.hpp"

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

Tensor filled(Backend& backend, const Shape& shape, DType type) {
    Tensor tensor(backend.memory(), shape, type);
    backend.fill(tensor, 1.0);
    return tensor;
}

constexpr double long_enough = 2e-3;  // that work takes to be timed [s]; sizes are doubled until it does

/// Bytes moved in a second by a copy, of arrays so large that it takes a while: no cache of a fast device holds them.
double copy_rate(Backend& backend) {
    constexpr std::int64_t least = 8 << 20, largest = 128 << 20;  // numbers
    double rate = 0.0, seconds = 0.0;
    for (std::int64_t numbers = least; numbers <= largest && seconds < long_enough; numbers *= 2) {
        const Tensor from = filled(backend, {numbers}, DType::float32);
        Tensor to = filled(backend, {numbers}, DType::float32);
        seconds = shortest(backend, [&] { backend.add(1.0, from, {to}); });
        rate = static_cast<double>(from.bytes() + to.bytes()) / seconds;
    }
    return rate;
}

/// Operations in a second of a product of square matrices of fields, so large that its start does not count.
double product_rate(Backend& backend) {
    constexpr std::int64_t least = 1024, largest = 8192;
    double rate = 0.0, seconds = 0.0;
    for (std::int64_t side = least; side <= largest && seconds < long_enough; side *= 2) {
        const Shape shape{side, side};
        const Tensor a = filled(backend, shape, backend.field_type()), b = filled(backend, shape, backend.field_type());
        Tensor product = filled(backend, shape, backend.compute_type());
        seconds = shortest(backend, [&] { backend.gemm(false, false, a, b, {product}, {}, {}); });
        rate = 2.0 * static_cast<double>(side * side * side) / seconds;
    }
    return rate;
}

/// The op with the weight or constant it reads: several layers have the same ops.
std::string name_of(const Graph& graph, const Node& node) {
    for (const int input : node.inputs) {
        const Op& op = graph.nodes()[static_cast<std::size_t>(input)].op;
        if (op->given() != nullptr && !op.is<InputOp>()) {
            return node.op->title() + " " + *op->given();
        }
    }
    return node.op->title();
}

/// An op of a plan, before it has run.
ExplainedOp op_at(const Backend& backend, const Plan& plan, std::size_t step) {
    const Node& node = plan.graph().nodes()[static_cast<std::size_t>(plan.order()[step])];
    return {.name = name_of(plan.graph(), node),
            .result = node.type.shape,
            .work = work_of(plan.graph(), node, backend),
            .bytes_in_use = plan.bytes_in_use()[step]};
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

}  // namespace

double Ceilings::seconds(const OpWork& work) const {
    return std::max(work.bytes / bytes_per_second, work.operations / operations_per_second);
}

double Ceilings::seconds(std::span<const OpWork> ops) const {
    double sum = 0.0;
    for (const OpWork& work : ops) {
        sum += seconds(work);
    }
    return sum;
}

std::vector<OpWork> work_of(const Plan& plan, const Backend& backend) {
    std::vector<OpWork> ops;
    for (const int node : plan.order()) {
        ops.push_back(work_of(plan.graph(), plan.graph().nodes()[static_cast<std::size_t>(node)], backend));
    }
    return ops;
}

Ceilings measure_ceilings(Backend& backend) {
    return {.bytes_per_second = copy_rate(backend), .operations_per_second = product_rate(backend)};
}

Ceilings data_sheet_ceilings(Precision precision) {
    constexpr double tera = 1e12;
    const double products = precision == Precision::bf16 ? 990.0 : precision == Precision::tf32 ? 495.0 : 67.0;
    return {.bytes_per_second = 4.8 * tera, .operations_per_second = products * tera};
}

Traffic sent_by(std::span<const ExplainedOp> ops) {
    Traffic sent;
    for (const ExplainedOp& op : ops) {
        sent.bytes += op.sent.bytes;
        sent.messages += op.sent.messages;
    }
    return sent;
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
        ops.push_back(op_at(backend, plan, step));
        ops.back().seconds = median(seconds[step]);
    }
    return ops;
}

std::vector<ExplainedOp> explain_messages(const Backend& backend, const Plan& plan, Tensor& workspace,
                                          const Feed& inputs, std::span<const View> outputs,
                                          const std::function<Traffic()>& traffic) {
    std::vector<Traffic> before;
    plan.run(workspace, inputs, outputs, [&](int /*node*/) { before.push_back(traffic()); });
    before.push_back(traffic());
    std::vector<ExplainedOp> ops;
    for (std::size_t step = 0; step < plan.order().size(); ++step) {
        ops.push_back(op_at(backend, plan, step));
        ops.back().sent = {before[step + 1].bytes - before[step].bytes,
                           before[step + 1].messages - before[step].messages};
    }
    return ops;
}

}  // namespace plumecast
