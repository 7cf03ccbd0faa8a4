#include "support/dnn_by_definition.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <plumecast/core/dtype.hpp>

namespace plumecast::testing {
namespace {

using cuda::DnnAttribute;
using cuda::DnnHeuristic;
using cuda::DnnKind;
using cuda::DnnType;
using Numbers = std::vector<std::int64_t>;

/// The n-th attribute of an operation that begins with `first`.
DnnAttribute attribute(DnnAttribute first, int n) { return static_cast<DnnAttribute>(static_cast<int>(first) + n); }

DnnAttribute first_of(DnnKind operation) {
    return operation == DnnKind::convolution_forward         ? DnnAttribute::forward_alpha
           : operation == DnnKind::convolution_data_gradient ? DnnAttribute::data_gradient_alpha
                                                             : DnnAttribute::weight_gradient_alpha;
}

bool is_operation(DnnKind kind) {
    return kind == DnnKind::convolution_forward || kind == DnnKind::convolution_data_gradient ||
           kind == DnnKind::convolution_weight_gradient;
}

/// What each kind must be told before it is finalised.
std::map<DnnAttribute, DnnType> needed(DnnKind kind) {
    using A = DnnAttribute;
    using T = DnnType;
    switch (kind) {
        case DnnKind::tensor:
            return {{A::tensor_alignment, T::int64},
                    {A::tensor_type, T::data_type},
                    {A::tensor_extents, T::int64},
                    {A::tensor_strides, T::int64},
                    {A::tensor_id, T::int64}};
        case DnnKind::convolution:
            return {{A::convolution_type, T::data_type},      {A::convolution_mode, T::convolution_mode},
                    {A::convolution_dilations, T::int64},     {A::convolution_strides, T::int64},
                    {A::convolution_post_paddings, T::int64}, {A::convolution_pre_paddings, T::int64},
                    {A::convolution_axes, T::int64}};
        case DnnKind::operation_graph:
            return {{A::graph_handle, T::handle}, {A::graph_operations, T::descriptor}};
        case DnnKind::heuristic:
            return {{A::heuristic_graph, T::descriptor}, {A::heuristic_mode, T::heuristic_mode}};
        case DnnKind::execution_plan:
            return {{A::plan_handle, T::handle}, {A::plan_configuration, T::descriptor}};
        case DnnKind::variant_pack:
            return {{A::pack_ids, T::int64}, {A::pack_pointers, T::pointer}, {A::pack_workspace, T::pointer}};
        case DnnKind::engine:
        case DnnKind::engine_configuration:
            return {};
        default:
            break;
    }
    const A first = first_of(kind);
    std::map<A, T> result{{first, T::float32}, {attribute(first, 1), T::float32}};
    for (int n = 2; n < 6; ++n) {
        result[attribute(first, n)] = T::descriptor;
    }
    return result;
}

std::size_t size_of_type(DnnType type) {
    switch (type) {
        case DnnType::handle:
        case DnnType::int64:
        case DnnType::pointer:
        case DnnType::descriptor:
            return 8;
        default:
            return 4;
    }
}

/// Visits all indices below the extents.
template <std::size_t n, class Visit>
void for_all(const std::array<std::int64_t, n>& extents, const Visit& visit) {
    std::array<std::int64_t, n> at{};
    std::size_t axis = 0;
    do {
        visit(at);
        for (axis = n; axis > 0 && ++at[axis - 1] == extents[axis - 1]; --axis) {
            at[axis - 1] = 0;
        }
    } while (axis > 0);
}

using Cell = std::array<std::int64_t, 5>;

Cell cell_of(const Numbers& numbers) {
    Cell cell{};
    std::copy_n(numbers.begin(), cell.size(), cell.begin());
    return cell;
}

/// An array as a tensor descriptor has it.
struct Field {
    Cell extents, strides;
    int type = 0;
    void* data = nullptr;

    std::size_t place(const Cell& at) const {
        std::int64_t sum = 0;
        for (std::size_t a = 0; a < at.size(); ++a) {
            sum += at[a] * strides[a];
        }
        return static_cast<std::size_t>(sum);
    }
    double read(const Cell& at) const {
        return type == cuda::dnn_bfloat16
                   ? static_cast<double>(static_cast<float>(static_cast<bfloat16*>(data)[place(at)]))
                   : static_cast<double>(static_cast<float*>(data)[place(at)]);
    }
    void write(const Cell& at, double value) const {
        if (type == cuda::dnn_bfloat16) {
            static_cast<bfloat16*>(data)[place(at)] = static_cast<bfloat16>(static_cast<float>(value));
        } else {
            static_cast<float*>(data)[place(at)] = static_cast<float>(value);
        }
    }
};

}  // namespace

template <class T>
std::vector<T> DnnByDefinition::all(const Node& node, DnnAttribute name) {
    const Value& value = node.values.at(name);
    std::vector<T> result(static_cast<std::size_t>(value.count));
    std::memcpy(result.data(), value.bytes.data(), value.bytes.size());
    return result;
}

DnnByDefinition::Node* DnnByDefinition::find(void* descriptor, DnnKind kind, bool is_final) {
    const auto known = nodes_.find(descriptor);
    return known != nodes_.end() && known->second->kind == kind && known->second->is_final == is_final
               ? known->second.get()
               : nullptr;
}

int DnnByDefinition::create(DnnKind kind, void** descriptor) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    *descriptor = node.get();
    nodes_[*descriptor] = std::move(node);
    ++asked_->created;
    return 0;
}

int DnnByDefinition::destroy(void* descriptor) {
    ++asked_->destroyed;
    return nodes_.erase(descriptor) == 1 ? 0 : bad_parameter;
}

int DnnByDefinition::set(void* descriptor, DnnAttribute name, DnnType type, std::int64_t count, const void* values) {
    const auto known = nodes_.find(descriptor);
    if (known == nodes_.end() || known->second->is_final || count <= 0) {
        return bad_parameter;
    }
    Node& node = *known->second;
    const auto types = needed(node.kind);
    const auto wanted = types.find(name);
    if (wanted == types.end() || wanted->second != type) {
        return bad_parameter;
    }
    const auto* bytes = static_cast<const std::byte*>(values);
    const Value value{type, count, {bytes, bytes + static_cast<std::size_t>(count) * size_of_type(type)}};
    return node.values.try_emplace(name, value).second ? 0 : bad_parameter;
}

bool DnnByDefinition::is_complete(Node& node) {
    for (const auto& [name, type] : needed(node.kind)) {
        if (!node.values.contains(name)) {
            return false;
        }
        if (type == DnnType::handle && one<void*>(node, name) != handle()) {
            return false;
        }
    }
    return true;
}

/// Whether the extents of an operation's tensors follow from each other.
bool DnnByDefinition::fits(Node& operation) {
    const DnnAttribute first = first_of(operation.kind);
    const auto part = [&](int n, DnnKind kind) { return find(one<void*>(operation, attribute(first, n)), kind); };
    const Node *geometry = part(2, DnnKind::convolution), *weight = part(3, DnnKind::tensor),
               *fine = part(4, DnnKind::tensor), *coarse = part(5, DnnKind::tensor);
    if (geometry == nullptr || weight == nullptr || fine == nullptr || coarse == nullptr) {
        return false;
    }
    const auto extents = [](const Node* node) { return all<std::int64_t>(*node, DnnAttribute::tensor_extents); };
    const auto lengths = [&](DnnAttribute name) { return all<std::int64_t>(*geometry, name); };
    const Numbers w = extents(weight), x = extents(fine), y = extents(coarse);
    bool result = one<std::int64_t>(*geometry, DnnAttribute::convolution_axes) == 3 && y[0] == x[0] && y[1] == w[0] &&
                  x[1] == w[1] && one<int>(*geometry, DnnAttribute::convolution_type) == cuda::dnn_float32 &&
                  one<int>(*geometry, DnnAttribute::convolution_mode) == cuda::dnn_cross_correlation;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::int64_t before = lengths(DnnAttribute::convolution_pre_paddings).at(a),
                           after = lengths(DnnAttribute::convolution_post_paddings).at(a),
                           reach = x[a + 2] + before + after - w[a + 2];
        result = result && before >= 0 && after >= 0 && lengths(DnnAttribute::convolution_dilations).at(a) == 1 &&
                 reach >= 0 && y[a + 2] == reach / lengths(DnnAttribute::convolution_strides).at(a) + 1;
    }
    return result;
}

int DnnByDefinition::finalize(void* descriptor) {
    const auto known = nodes_.find(descriptor);
    if (known == nodes_.end() || known->second->is_final || !is_complete(*known->second)) {
        return bad_parameter;
    }
    Node& node = *known->second;
    if (is_operation(node.kind) && !fits(node)) {
        return bad_parameter;
    }
    if (node.kind == DnnKind::heuristic &&
        find(one<void*>(node, DnnAttribute::heuristic_graph), DnnKind::operation_graph) == nullptr) {
        return bad_parameter;
    }
    if (node.kind == DnnKind::execution_plan) {
        const Node* configuration =
            find(one<void*>(node, DnnAttribute::plan_configuration), DnnKind::engine_configuration);
        if (configuration == nullptr || configuration->engine->planning != 0) {
            return configuration == nullptr ? bad_parameter : configuration->engine->planning;
        }
        node.engine = configuration->engine;
        node.engine_number = configuration->engine_number;
        node.graph = configuration->graph;
    }
    node.is_final = true;
    return 0;
}

int DnnByDefinition::results(Node& heuristic, std::int64_t wanted, std::int64_t* count, void* values) {
    const auto mode = static_cast<DnnHeuristic>(one<int>(heuristic, DnnAttribute::heuristic_mode));
    const auto& engines = engines_[mode];
    *count = static_cast<std::int64_t>(engines.size());
    int number = 0;
    for (const DnnHeuristic before : {DnnHeuristic::a, DnnHeuristic::b, DnnHeuristic::fallback}) {
        if (before == mode) {
            break;
        }
        number += static_cast<int>(engines_[before].size());
    }
    if (wanted == 0) {
        return 0;
    }
    *count = std::min(*count, wanted);
    for (std::size_t n = 0; n < static_cast<std::size_t>(*count); ++n) {
        Node* configuration = find(static_cast<void**>(values)[n], DnnKind::engine_configuration, false);
        if (configuration == nullptr) {
            return bad_parameter;
        }
        configuration->engine = &engines[n];
        configuration->engine_number = number + static_cast<int>(n);
        configuration->graph = one<void*>(heuristic, DnnAttribute::heuristic_graph);
        configuration->is_final = true;
    }
    return 0;
}

int DnnByDefinition::get(void* descriptor, DnnAttribute name, DnnType type, std::int64_t wanted, std::int64_t* count,
                         void* values) {
    if (Node* node = find(descriptor, DnnKind::heuristic);
        node != nullptr && name == DnnAttribute::heuristic_results && type == DnnType::descriptor) {
        return results(*node, wanted, count, values);
    }
    if (const Node* node = find(descriptor, DnnKind::engine_configuration);
        node != nullptr && name == DnnAttribute::configured_engine && type == DnnType::descriptor && wanted == 1) {
        Node* engine = find(*static_cast<void**>(values), DnnKind::engine, false);
        if (engine == nullptr) {
            return bad_parameter;
        }
        engine->engine = node->engine;
        engine->is_final = true;
        *count = 1;
        return 0;
    }
    if (const Node* node = find(descriptor, DnnKind::engine);
        node != nullptr && name == DnnAttribute::engine_notes && type == DnnType::numerical_note) {
        const auto& notes = node->engine->notes;
        *count = std::min(wanted, static_cast<std::int64_t>(notes.size()));
        std::transform(notes.begin(), notes.begin() + *count, static_cast<int*>(values),
                       [](cuda::DnnNote note) { return static_cast<int>(note); });
        return 0;
    }
    if (const Node* node = find(descriptor, DnnKind::execution_plan);
        node != nullptr && name == DnnAttribute::plan_workspace_bytes && type == DnnType::int64 && wanted == 1) {
        *static_cast<std::int64_t*>(values) = node->engine->bytes;
        *count = 1;
        return 0;
    }
    return bad_parameter;
}

void DnnByDefinition::convolve(Node& operation, const std::map<std::int64_t, void*>& arrays) {
    const DnnAttribute first = first_of(operation.kind);
    const auto field = [&](int n) {
        const Node& node = *find(one<void*>(operation, attribute(first, n)), DnnKind::tensor);
        return Field{cell_of(all<std::int64_t>(node, DnnAttribute::tensor_extents)),
                     cell_of(all<std::int64_t>(node, DnnAttribute::tensor_strides)),
                     one<int>(node, DnnAttribute::tensor_type),
                     arrays.at(one<std::int64_t>(node, DnnAttribute::tensor_id))};
    };
    const Field weight = field(3), fine = field(4), coarse = field(5);
    const Node& geometry = *find(one<void*>(operation, attribute(first, 2)), DnnKind::convolution);
    const auto strides = all<std::int64_t>(geometry, DnnAttribute::convolution_strides);
    const auto before = all<std::int64_t>(geometry, DnnAttribute::convolution_pre_paddings);
    const bool gives_coarse = operation.kind == DnnKind::convolution_forward,
               gives_fine = operation.kind == DnnKind::convolution_data_gradient;
    const Field& result = gives_coarse ? coarse : gives_fine ? fine : weight;
    Cell last = result.extents;
    std::for_each(last.begin(), last.end(), [](std::int64_t& n) { --n; });
    std::vector<double> sums(result.place(last) + 1);
    const Cell& w = weight.extents;
    // Batch, coarse channel, fine channel, coarse cell, tap.
    const Cell& y = coarse.extents;
    for_all(std::array{y[0], w[0], w[1], y[2], y[3], y[4], w[2], w[3], w[4]}, [&](const auto& i) {
        Cell p{i[0], i[2], 0, 0, 0};
        for (std::size_t a = 0; a < 3; ++a) {
            p[a + 2] = i[a + 3] * strides[a] + i[a + 6] - before[a];
            if (p[a + 2] < 0 || p[a + 2] >= fine.extents[a + 2]) {
                return;
            }
        }
        const Cell q{i[0], i[1], i[3], i[4], i[5]}, k{i[1], i[2], i[6], i[7], i[8]};
        if (gives_coarse) {
            sums[coarse.place(q)] += fine.read(p) * weight.read(k);
        } else if (gives_fine) {
            sums[fine.place(p)] += coarse.read(q) * weight.read(k);
        } else {
            sums[weight.place(k)] += coarse.read(q) * fine.read(p);
        }
    });
    const auto alpha = static_cast<double>(one<float>(operation, first));
    const auto beta = static_cast<double>(one<float>(operation, attribute(first, 1)));
    for_all(result.extents, [&](const Cell& at) {
        const double kept = beta != 0.0 ? beta * result.read(at) : 0.0;
        result.write(at, alpha * sums[result.place(at)] + kept);
    });
}

int DnnByDefinition::execute(void* plan, void* variant_pack) {
    const Node *planned = find(plan, DnnKind::execution_plan), *pack = find(variant_pack, DnnKind::variant_pack);
    Node* graph = planned != nullptr ? find(planned->graph, DnnKind::operation_graph) : nullptr;
    if (pack == nullptr || graph == nullptr) {
        return bad_parameter;
    }
    if (planned->engine->execution != 0) {
        return planned->engine->execution;
    }
    const auto ids = all<std::int64_t>(*pack, DnnAttribute::pack_ids);
    const auto pointers = all<void*>(*pack, DnnAttribute::pack_pointers);
    std::map<std::int64_t, void*> arrays;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        arrays[ids[n]] = pointers.at(n);
    }
    auto* operation = static_cast<Node*>(one<void*>(*graph, DnnAttribute::graph_operations));
    if (arrays.size() != 3) {
        return bad_parameter;
    }
    for (int n = 3; n < 6; ++n) {
        const Node* tensor = find(one<void*>(*operation, attribute(first_of(operation->kind), n)), DnnKind::tensor);
        const auto alignment = static_cast<std::uintptr_t>(one<std::int64_t>(*tensor, DnnAttribute::tensor_alignment));
        const void* data = arrays[one<std::int64_t>(*tensor, DnnAttribute::tensor_id)];
        if (data == nullptr || reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
            return bad_parameter;
        }
    }
    void* workspace = one<void*>(*pack, DnnAttribute::pack_workspace);
    std::memset(workspace, 0xff, static_cast<std::size_t>(planned->engine->bytes));
    convolve(*operation, arrays);
    asked_->executed.push_back(planned->engine_number);
    return 0;
}

}  // namespace plumecast::testing
