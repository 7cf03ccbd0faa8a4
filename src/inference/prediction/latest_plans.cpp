#include "inference/prediction/latest_plans.hpp"

#include <algorithm>
#include <cstring>

namespace plumecast {

LatestPlans::LatestPlans(const FieldNetwork& network, std::size_t most, std::size_t most_bytes)
    : network_(&network), most_(most), most_bytes_(most_bytes) {}

std::shared_ptr<LatestPlans> LatestPlans::with_spread(const FieldNetwork& network) {
    auto plans = std::make_shared<LatestPlans>(network);
    plans->gives_spread_ = network.description().network.members > 1;
    return plans;
}

std::shared_ptr<const Plan> LatestPlans::plan(const FieldInput& input) {
    std::string shapes = text_of(input.network);
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(known_, shapes, &Known::shapes);
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        known_.push_front({std::move(shapes), std::make_shared<const Plan>(plan_of(*network_, input, gives_spread_))});
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

std::pair<Tensor, Tensor> without_spread(Tensor values, bool has_spread) {
    if (!has_spread) {
        return {std::move(values), Tensor()};
    }
    const Shape& both = values.shape();
    const Shape one = both.with(both.rank() - 1, both[-1] / 2);
    std::pair<Tensor, Tensor> parts{Tensor(host_memory(), one, values.type()),
                                    Tensor(host_memory(), one, values.type())};
    const std::size_t part = static_cast<std::size_t>(one[-1]) * size_of(values.type());
    const auto* from = static_cast<const std::byte*>(std::as_const(values).view().data);
    auto *first = static_cast<std::byte*>(parts.first.view().data),
         *second = static_cast<std::byte*>(parts.second.view().data);
    for (std::size_t at = 0; at < parts.first.bytes(); at += part, from += 2 * part) {
        std::memcpy(first + at, from, part);
        std::memcpy(second + at, from + part, part);
    }
    return parts;
}

Tensor FieldPlans::predict(const Batch& batch) {
    return predicted_by(plans_->network(), batch, [this](const FieldInput& input) { return pass(input); });
}

}  // namespace plumecast
