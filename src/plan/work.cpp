#include "plan/work.hpp"

#include <algorithm>

#include "graph/ops/further_result.hpp"

namespace plumecast {

OpWork& OpWork::operator+=(const OpWork& other) {
    bytes += other.bytes;
    operations += other.operations;
    return *this;
}

OpWork work_of(const Graph& graph, const Node& node, const Backend& backend) {
    if (node.op->given() != nullptr || node.op.is<FurtherResultOp>()) {
        return {};
    }
    const std::vector<ValueType> inputs = input_types(graph, node);
    OpWork work{0.0, node.op->operations(inputs, node.type.shape)};
    const auto add_bytes = [&](const ValueType& type) {
        work.bytes +=
            static_cast<double>(type.shape.count()) * static_cast<double>(size_of(on_backend(backend, type.type)));
    };
    add_bytes(node.type);
    std::ranges::for_each(inputs, add_bytes);
    std::ranges::for_each(node.op->further_results(inputs), add_bytes);
    return work;
}

}  // namespace plumecast
