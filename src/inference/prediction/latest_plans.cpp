#include "inference/prediction/latest_plans.hpp"

#include <algorithm>

namespace plumecast {

LatestPlans::LatestPlans(const FieldNetwork& network, std::size_t most, std::size_t most_bytes)
    : network_(&network), most_(most), most_bytes_(most_bytes) {}

std::shared_ptr<const Plan> LatestPlans::plan(const FieldInput& input) {
    std::string shapes = text_of(input.network);
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(known_, shapes, &Known::shapes);
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        known_.push_front({std::move(shapes), std::make_shared<const Plan>(plan_of(*network_, input))});
        keep_latest();
    }
    return known_.front().plan;
}

InferencePlan LatestPlans::memory(const Shape& extents) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(memory_, extents, &KnownMemory::extents);
    if (found != memory_.end()) {
        memory_.splice(memory_.begin(), memory_, found);
        return memory_.front().plan;
    }
    const bool narrow = network_->backend().field_type() == DType::bfloat16;
    const Precision precision = narrow ? Precision::bf16 : Precision::fp32;
    const PlannedDevice device = network_->backend().shares_host_memory() ? PlannedDevice::cpu : PlannedDevice::cuda;
    memory_.push_front(
        {extents, plan_inference(network_->description(), extents, precision, device,
                                 network_->backend().host_threads(), network_->backend().spectral_way())});
    if (memory_.size() > most_) {
        memory_.pop_back();
    }
    return memory_.front().plan;
}

void LatestPlans::keep_latest() {
    std::size_t plans = 0, bytes = 0;
    auto oldest = known_.begin();
    for (; oldest != known_.end(); ++oldest) {
        bytes += oldest->plan->constant_bytes();
        if (++plans > most_ || (plans > 1 && bytes > most_bytes_)) {
            break;
        }
    }
    known_.erase(oldest, known_.end());
}

void LatestPlans::forget() {
    const std::lock_guard lock(mutex_);
    known_.clear();
}

PlannedPass FieldPlans::pass(const FieldInput& input) {
    const std::shared_ptr<const Plan> planned = plans_->plan(input);
    if (!workspace_ || workspace_->bytes() < planned->workspace_bytes()) {
        workspace_.reset();  // before there is another
        workspace_ = std::make_shared<Tensor>(planned->make_workspace());
    }
    return {planned, workspace_};
}

Tensor FieldPlans::predict(const Batch& batch) {
    return predicted_by(plans_->network(), batch, [this](const FieldInput& input) { return pass(input); });
}

}  // namespace plumecast
