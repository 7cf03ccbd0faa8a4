#include "training/training_pass.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "inference/field_plan.hpp"

namespace plumecast {
namespace {

/// The arrays that a step reads besides weights.
ConstView array_of(const std::string& name, const Feed& inputs, const LossTarget& target,
                   const Parameters& parameters) {
    if (name == "target") {
        return target.fields.view();
    }
    if (name == "active") {
        return target.active.view();
    }
    if (name == "inverse_distance") {
        return target.inverse_distance;
    }
    const std::string gradient = gradient_name("");
    if (name.starts_with(gradient)) {
        return parameters.at(name.substr(gradient.size())).variable.gradient();
    }
    return inputs(name);
}

/// Where a step writes: losses to memory of their own, the rest to what the parameters hold.
std::vector<View> outputs_of(const Plan& plan, const Parameters& parameters, Tensor& losses) {
    const std::string gradient = gradient_name("");
    std::vector<View> outputs;
    for (const auto& [name, node] : plan.graph().outputs()) {
        if (name == "loss") {
            outputs.push_back(losses.view());
        } else if (name.starts_with(gradient)) {
            outputs.push_back(parameters.at(name.substr(gradient.size())).variable.gradient_output().view);
        } else {
            outputs.push_back(parameters.at(name).variable.mutable_value());
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
    return std::ranges::any_of(parameters.all(), [](const Parameter& p) { return p.variable.has_gradient(); });
}

}  // namespace

std::shared_ptr<const Plan> TrainingPass::plan(const FieldInput& input, const StepOptions& options,
                                               const RankShard* shard) {
    constexpr std::size_t most = 4;
    const std::string shapes = text_of(input.network);
    const auto found = std::ranges::find_if(
        known_, [&](const Known& known) { return known.shapes == shapes && known.options == options; });
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        const Feed weights = [&](const std::string& name) { return network_->parameters().at(name).variable.value(); };
        known_.push_front({shapes, options,
                           std::make_shared<const Plan>(network_->backend(),
                                                        training_graph(*network_, input, options, shard), weights)});
    }
    if (known_.size() > most) {
        known_.pop_back();
    }
    return known_.front().plan;
}

StartedLoss TrainingPass::run(const Batch& batch, const LossTarget& target, const StepShare& share) {
    Backend& backend = network_->backend();
    const Parameters& parameters = network_->parameters();
    if (batch.cases.empty() && share.cases == 1 && has_no_case(batch)) {
        return run(with_case_of_zeros(batch), target, share);
    }
    const FieldInput input = network_->input_for(batch);
    upload(backend, batch, input);
    const std::int64_t own = input.network.batch, cases = share.cases > 0 ? share.cases : own;
    const double part = 1.0 / static_cast<double>(target.batch > 0 ? target.batch : cases);
    const StepOptions options{loss_, part, has_gradients(parameters), cases, share.is_last};
    const std::shared_ptr<const Plan> planned = plan(input, options, share.shard);
    Tensor losses(backend.memory(), {own}, DType::float64);
    Tensor workspace = planned->make_workspace();
    const Feed inputs = feed_of(input);
    planned->run(
        workspace, [&](const std::string& name) { return array_of(name, inputs, target, parameters); },
        outputs_of(*planned, parameters, losses));
    return {backend, std::move(losses), part};
}

}  // namespace plumecast
