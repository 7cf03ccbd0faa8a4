#include <plumecast/plan/plan.hpp>

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>

#include "graph/ops/shapes.hpp"
#include "graph/schedule.hpp"
#include "plan/memory_layout.hpp"

namespace plumecast {
namespace {

std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

void check(const std::string& what, ConstView view, const Shape& shape, DType type) {
    if (view.shape != shape || view.type != type) {
        throw Error(what + " of shape " + view.shape.text() + " (the plan was made for " + shape.text() +
                    "); make a plan for these arrays");
    }
}

/// The same without the numbers of its constants, which the plan holds on its backend.
Graph without_numbers(const Graph& graph) {
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& /*inputs*/) {
        const auto* constant = graph.nodes()[static_cast<std::size_t>(node)].op.as<ConstantOp>();
        return constant == nullptr ? Value()
                                   : copy.add(ConstantOp{constant->of, constant->shape, nullptr, constant->type}, {});
    });
}

}  // namespace

Plan::Plan(Backend& backend, const Graph& graph, const Feed& weights, PlannedWeights weights_do)
    : backend_(&backend),
      graph_(lowered(graph)),
      order_(schedule(graph_)),
      further_(further_results(graph_)),
      places_(graph_.nodes().size()),
      packed_(graph_.nodes().size()) {
    place_given(weights);
    place_results();
    pack_inputs(weights_do);
    graph_ = without_numbers(graph_);
}

void Plan::place_given(const Feed& weights) {
    for (std::size_t node = 0; node < places_.size(); ++node) {
        const Op& op = graph_.nodes()[node].op;
        if (const auto* weight = op.as<WeightOp>()) {
            places_[node] = {Where::weight, weights_.size()};
            weights_.push_back(weights(weight->of));
            check("weight " + weight->of, weights_.back(), weight->shape, backend_->compute_type());
        } else if (const auto* constant = op.as<ConstantOp>()) {
            places_[node] = {Where::constant, constants_.size()};
            constants_.emplace_back(backend_->memory(), constant->shape, on_backend(*backend_, constant->type));
            backend_->upload(host_tensor<double>(constant->shape, *constant->values), constants_.back());
        } else if (op.is<InputOp>()) {
            places_[node] = {Where::input, 0};
        }
    }
}

void Plan::pack_inputs(PlannedWeights weights_do) {
    std::vector<View> views(places_.size());
    for (std::size_t node = 0; node < places_.size(); ++node) {
        const Place& place = places_[node];
        const bool is_weight = place.where == Where::weight && weights_do == PlannedWeights::stay;
        if (place.where == Where::constant || is_weight) {
            views[node] = only_read(is_weight ? weights_[place.at] : std::as_const(constants_[place.at]).view());
        } else {
            views[node] = view_of(node, nullptr);
        }
    }
    std::vector<ConstView> inputs;
    for (const int node : order_) {
        const Node& now = graph_.nodes()[static_cast<std::size_t>(node)];
        inputs.clear();
        for (const int input : now.inputs) {
            inputs.emplace_back(views[static_cast<std::size_t>(input)]);
        }
        packed_[static_cast<std::size_t>(node)] =
            now.op->pack(*backend_, inputs, view_of(static_cast<std::size_t>(node), nullptr));
        std::erase_if(packed_[static_cast<std::size_t>(node)],
                      [](const PackedInput& packed) { return packed.forms.empty(); });
    }
}

/// Values that an output may overwrite lie where it will be; not those that are added to something given, which may lie
/// in the memory of the output itself.
void Plan::place_in_outputs() {
    const std::vector<int> last = last_reads(graph_, order_);
    for (std::size_t step = order_.size(); step-- > 0;) {
        const auto node = static_cast<std::size_t>(order_[step]);
        if (places_[node].where != Where::output) {
            continue;
        }
        const Node& here = graph_.nodes()[node];
        if (std::ranges::any_of(here.inputs, [&](int input) {
                return places_[static_cast<std::size_t>(input)].where == Where::input;
            })) {
            continue;
        }
        for (const int which : here.op->in_place(here.inputs.size())) {
            const auto input = static_cast<std::size_t>(here.inputs[static_cast<std::size_t>(which)]);
            const Node& before = graph_.nodes()[input];
            if (places_[input].where == Where::nowhere && before.type == here.type &&
                last[input] == static_cast<int>(step) &&
                std::ranges::count(here.inputs, static_cast<int>(input)) == 1) {
                places_[input] = places_[node];
                break;
            }
        }
    }
}

void Plan::place_results() {
    for (std::size_t output = 0; output < graph_.outputs().size(); ++output) {
        Place& place = places_[static_cast<std::size_t>(graph_.outputs()[output].second)];
        if (place.where == Where::nowhere) {
            place = {Where::output, output};
        }
    }
    place_in_outputs();
    std::vector<std::size_t> bytes(places_.size(), 0);
    for (const int node : order_) {
        const ValueType& type = graph_.nodes()[static_cast<std::size_t>(node)].type;
        if (places_[static_cast<std::size_t>(node)].where == Where::nowhere) {
            bytes[static_cast<std::size_t>(node)] =
                rounded(static_cast<std::size_t>(type.shape.count()) * size_of(on_backend(*backend_, type.type)));
        }
    }
    const MemoryLayout layout = lay_out(graph_, order_, bytes);
    for (std::size_t node = 0; node < places_.size(); ++node) {
        if (layout.offsets[node] != MemoryLayout::none) {
            places_[node] = {Where::workspace, layout.offsets[node]};
        }
    }
    workspace_bytes_ = layout.bytes;
    bytes_in_use_ = layout.in_use;
}

Tensor Plan::make_workspace() const {
    constexpr std::size_t element = sizeof(double);  // which divides the size of every place
    return {backend_->memory(), {static_cast<std::int64_t>(workspace_bytes_ / element)}, DType::float64};
}

std::size_t Plan::constant_bytes() const {
    std::size_t bytes = 0;
    for (const Tensor& constant : constants_) {
        bytes += constant.bytes();
    }
    for (const std::vector<PackedInput>& inputs : packed_) {
        for (const PackedInput& packed : inputs) {
            bytes += packed.forms.bytes();
        }
    }
    return bytes;
}

View Plan::view_of(std::size_t node, void* data) const {
    const ValueType& type = graph_.nodes()[node].type;
    return {type.shape, on_backend(*backend_, type.type), data};
}

std::vector<View> Plan::views(Tensor& workspace, const Feed& inputs, std::span<const View> outputs) const {
    auto* base = static_cast<std::byte*>(workspace.view().data);
    std::vector<View> views(places_.size());
    for (std::size_t node = 0; node < places_.size(); ++node) {
        const Place& place = places_[node];
        switch (place.where) {
            case Where::nowhere:  // given but unused, or without a number
                views[node] = view_of(node, nullptr);
                break;
            case Where::constant:
                views[node] = only_read(constants_[place.at].view());
                break;
            case Where::weight:
                views[node] = only_read(weights_[place.at]);
                break;
            case Where::input: {
                const std::string& name = *graph_.nodes()[node].op->given();
                views[node] = only_read(inputs(name));
                check("input " + name, views[node], graph_.nodes()[node].type.shape, view_of(node, nullptr).type);
                break;
            }
            case Where::workspace:
                views[node] = view_of(node, base + place.at);
                break;
            case Where::output:
                views[node] = view_of(node, outputs[place.at].data);
                break;
        }
    }
    return views;
}

void Plan::run(Tensor& workspace, const Feed& inputs, std::span<const View> outputs,
               const std::function<void(int node)>& started) const {
    Run(*this, workspace, inputs, outputs).finish(started);
}

Plan::Run::Run(const Plan& plan, Tensor& workspace, const Feed& inputs, std::span<const View> outputs)
    : plan_(&plan), outputs_(outputs.begin(), outputs.end()), under_way_(plan.places_.size()) {
    expects(workspace.bytes() >= plan.workspace_bytes_ && outputs.size() == plan.graph_.outputs().size(),
            "a workspace and outputs as large as the plan asks for");
    for (std::size_t output = 0; output < outputs.size(); ++output) {
        const auto& [name, node] = plan.graph_.outputs()[output];
        const View wanted = plan.view_of(static_cast<std::size_t>(node), nullptr);
        check("output " + name, outputs[output], wanted.shape, wanted.type);
    }
    at_ = plan.views(workspace, inputs, outputs);
}

void Plan::Run::compute(int node) {
    Backend& backend = *plan_->backend_;
    const Node& now = plan_->graph_.nodes()[static_cast<std::size_t>(node)];
    const std::vector<int>& others = plan_->further_[static_cast<std::size_t>(node)];
    if (now.type.shape.count() == 0 && !now.op->is_collective() && others.empty()) {
        return;  // a rank that holds no cells
    }
    inputs_.clear();
    for (const int input : now.inputs) {
        inputs_.emplace_back(at_[static_cast<std::size_t>(input)]);
    }
    for (const PackedInput& packed : plan_->packed_[static_cast<std::size_t>(node)]) {
        inputs_[packed.input].packed = &packed.forms;
    }
    further_.clear();
    for (const int other : others) {
        further_.push_back(other < 0 ? View() : at_[static_cast<std::size_t>(other)]);
    }
    const auto at = static_cast<std::size_t>(node);
    const std::size_t first = now.inputs.empty() ? at : static_cast<std::size_t>(now.inputs.front());
    now.op->run({backend, inputs_, at_[at], further_, under_way_[at], under_way_[first]});
}

/// Copies a value under two names, or one that was given, to where it is wanted.
void Plan::Run::give(std::size_t output) {
    const View& value = at_[static_cast<std::size_t>(plan_->graph_.outputs()[output].second)];
    if (value.data != outputs_[output].data) {
        plan_->backend_->add(1.0, value, {outputs_[output]});
    }
}

void Plan::Run::until(const std::string& output) {
    const auto& outputs = plan_->graph_.outputs();
    const auto named = std::ranges::find(outputs, output, &std::pair<std::string, int>::first);
    expects(named != outputs.end(), "an output of this name");
    const auto begin = plan_->order_.begin() + static_cast<std::ptrdiff_t>(next_);
    if (const auto last = std::find(begin, plan_->order_.end(), named->second); last != plan_->order_.end()) {
        std::for_each(begin, last + 1, [&](int node) { compute(node); });
        next_ += static_cast<std::size_t>(last + 1 - begin);
    }
    give(static_cast<std::size_t>(named - outputs.begin()));
}

void Plan::Run::finish(const std::function<void(int node)>& started) {
    for (; next_ < plan_->order_.size(); ++next_) {
        if (started) {
            started(plan_->order_[next_]);
        }
        compute(plan_->order_[next_]);
    }
    for (std::size_t output = 0; output < outputs_.size(); ++output) {
        give(output);
    }
}

}  // namespace plumecast
