#include "training/training_pass.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "inference/field_plan.hpp"

namespace plumecast {
namespace {

/// The arrays that a step reads besides weights.
Feed arrays(const FieldInput& input, const LossTarget& target, const Parameters& parameters) {
    return [inputs = feed_of(input), &target, &parameters](const std::string& name) -> ConstView {
        if (name == "target") {
            return target.fields.view();
        }
        if (name == "active") {
            return target.active.view();
        }
        for (std::size_t which = 0; which < target.inverse_distances.size(); ++which) {
            if (name == inverse_distance_name(which)) {
                return target.inverse_distances[which];
            }
        }
        const std::string gradient = gradient_name("");
        if (name.starts_with(gradient)) {
            return parameters.at(name.substr(gradient.size())).weight.gradient();
        }
        return inputs(name);
    };
}

/// Where a step writes: losses to memory of their own, the rest to what the parameters hold.
std::vector<View> outputs_of(const Plan& plan, const Parameters& parameters, Tensor& losses) {
    const std::string gradient = gradient_name("");
    std::vector<View> outputs;
    for (const auto& [name, node] : plan.graph().outputs()) {
        if (name == "loss") {
            outputs.push_back(losses.view());
        } else if (name.starts_with(gradient)) {
            outputs.push_back(parameters.at(name.substr(gradient.size())).weight.gradient_output());
        } else {
            outputs.push_back(parameters.at(name).weight.mutable_value());
        }
    }
    return outputs;
}

bool has_no_case(const Batch& batch) {
    return std::ranges::any_of(batch.inputs, [](const InputGroup& group) { return group.values.shape()[0] == 0; });
}

/// The batch of a rank that has no case of it, while others have one: its inputs hold a case that nothing is made of.
Batch with_case_of_zeros(const Batch& batch) {
    Batch one;
    for (const InputGroup& group : batch.inputs) {
        const Shape& shape = group.values.shape();
        one.inputs.push_back({group.channels, host_zeros(shape[0] == 0 ? shape.with(0, 1) : shape)});
    }
    one.extents = batch.extents;
    one.base = host_zeros(batch.base.shape());
    one.correction = host_zeros(batch.correction.shape());
    return one;
}

bool has_gradients(const Parameters& parameters) {
    return std::ranges::any_of(parameters.all(), [](const Parameter& p) { return p.weight.has_gradient(); });
}

}  // namespace

std::vector<Tensor> equal_distances(const FieldNetwork& network, const RankShard& shard, LossKind kind) {
    Backend& backend = network.backend();
    const Shape space = shard.targets().extents();
    std::vector<Tensor> all;
    for (int axis = kind == LossKind::h1 ? 0 : space.rank() - 1; axis < space.rank(); ++axis) {
        Tensor& own = all.emplace_back(backend.memory(), Shape{space[axis]}, backend.compute_type());
        backend.fill(own, 1.0);
    }
    return all;
}

LossTarget target_of_ones(const FieldNetwork& network, const RankShard& shard, std::int64_t cases, std::int64_t times,
                          std::vector<ConstView> inverse_distances) {
    Backend& backend = network.backend();
    const Shape space = shard.targets().extents();
    Shape map{cases};
    for (const std::int64_t extent : space.extents()) {
        map = map.append(extent);
    }
    const auto ones = [&](const Shape& shape) {
        Tensor tensor(backend.memory(), shape, backend.compute_type());
        backend.fill(tensor, 1.0);
        return tensor;
    };
    return {ones(map.append(times).append(network.description().network.fields)), ones(map),
            std::move(inverse_distances)};
}

std::shared_ptr<const Plan> TrainingPass::plan(const FieldInput& input, const StepOptions& options,
                                               const RankShard* shard) {
    constexpr std::size_t most = 4;
    const std::string shapes = text_of(input.network);
    const auto found = std::ranges::find_if(
        known_, [&](const Known& known) { return known.shapes == shapes && known.options == options; });
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        const Feed weights = [&](const std::string& name) { return network_->parameters().at(name).weight.value(); };
        known_.push_front({shapes, options,
                           std::make_shared<const Plan>(network_->backend(),
                                                        training_graph(*network_, input, options, shard), weights)});
    }
    if (known_.size() > most) {
        known_.pop_back();
    }
    return known_.front().plan;
}

/// A batch on the backend, the plan of its pass, and the memory that this takes.
struct TrainingPass::Prepared {
    double part = 0.0;  // of a case in the loss
    FieldInput input;
    std::shared_ptr<const Plan> plan;
    Tensor losses, workspace;
    std::vector<View> outputs;
};

TrainingPass::Prepared TrainingPass::prepare(const Batch& batch, const StepShare& share) {
    Backend& backend = network_->backend();
    const Parameters& parameters = network_->parameters();
    Prepared made;
    made.input = network_->input_for(batch);
    upload(backend, batch, made.input);
    const std::int64_t own = made.input.network.batch, cases = share.cases > 0 ? share.cases : own;
    made.part = 1.0 / static_cast<double>(share.of_step > 0 ? share.of_step : cases);
    const StepOptions options{loss_, made.part, has_gradients(parameters), cases, share.is_last, recompute_blocks_};
    made.plan = plan(made.input, options, share.shard);
    made.losses = Tensor(backend.memory(), {own}, DType::float64);
    made.workspace = made.plan->make_workspace();
    made.outputs = outputs_of(*made.plan, parameters, made.losses);
    return made;
}

StartedLoss TrainingPass::run(const Batch& batch, const LossTarget& target, const StepShare& share) {
    if (batch.cases.empty() && share.cases == 1 && has_no_case(batch)) {
        return run(with_case_of_zeros(batch), target, share);
    }
    Prepared made = prepare(batch, share);
    made.plan->run(made.workspace, arrays(made.input, target, network_->parameters()), made.outputs);
    return {network_->backend(), std::move(made.losses), made.part};
}

ExplainedPass TrainingPass::explain(const Batch& batch, const LossTarget& target, int repeats) {
    Prepared made = prepare(batch, {});
    return {plumecast::explain(network_->backend(), *made.plan, made.workspace,
                               arrays(made.input, target, network_->parameters()), made.outputs, repeats),
            made.plan};
}

ExplainedPass TrainingPass::explain_messages(const Batch& batch, const LossTarget& target, const StepShare& share) {
    Prepared made = prepare(batch, share);
    const Parameters& parameters = network_->parameters();
    return {plumecast::explain_messages(network_->backend(), *made.plan, made.workspace,
                                        arrays(made.input, target, parameters), made.outputs,
                                        [&] { return parameters.grid()->traffic(); }),
            made.plan};
}

}  // namespace plumecast
