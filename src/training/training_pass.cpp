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

bool has_gradients(const Parameters& parameters) {
    return std::ranges::any_of(parameters.all(), [](const Parameter& p) { return p.variable.has_gradient(); });
}

}  // namespace

std::shared_ptr<const Plan> TrainingPass::plan(const FieldInput& input, const StepOptions& options) {
    constexpr std::size_t most = 4;
    const std::string shapes = text_of(input.network);
    const auto found = std::ranges::find_if(
        known_, [&](const Known& known) { return known.shapes == shapes && known.options == options; });
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        const Feed weights = [&](const std::string& name) { return network_->parameters().at(name).variable.value(); };
        known_.push_front(
            {shapes, options,
             std::make_shared<const Plan>(network_->backend(), training_graph(*network_, input, options), weights)});
    }
    if (known_.size() > most) {
        known_.pop_back();
    }
    return known_.front().plan;
}

StartedLoss TrainingPass::run(const FieldInput& input, const LossTarget& target) {
    Backend& backend = network_->backend();
    const Parameters& parameters = network_->parameters();
    const std::int64_t batch = input.network.batch;
    const double share = 1.0 / static_cast<double>(target.batch > 0 ? target.batch : batch);
    const std::shared_ptr<const Plan> planned = plan(input, {loss_, share, has_gradients(parameters)});
    Tensor losses(backend.memory(), {batch}, DType::float64);
    Tensor workspace = planned->make_workspace();
    const Feed inputs = feed_of(input);
    planned->run(
        workspace, [&](const std::string& name) { return array_of(name, inputs, target, parameters); },
        outputs_of(*planned, parameters, losses));
    return {backend, std::move(losses), share};
}

StartedLoss TrainingPass::start(const Batch& batch, const LossTarget& target,
                                const std::function<Variable(const Variable& prediction)>& with_neighbours) {
    if (ranks_of(*network_) == nullptr) {
        const FieldInput input = network_->input_for(batch);
        upload(network_->backend(), batch, input);
        return run(input, target);
    }
    prediction_ = network_->forward(batch, ExecutionMode::training);
    if (with_neighbours) {
        prediction_ = with_neighbours(prediction_);
    }
    StartedLoss loss(prediction_, target, loss_, true);
    gradient_ = loss.take_gradient();
    return loss;
}

void TrainingPass::finish(const std::function<void(const Variable&)>& gradient_done) {
    if (prediction_.defined()) {
        backward(std::exchange(prediction_, {}), std::move(gradient_), gradient_done);
    }
}

}  // namespace plumecast
