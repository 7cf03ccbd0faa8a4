#include "inference/prediction/prediction_slot.hpp"

#include <utility>

namespace plumecast {

PredictionSlot::PredictionSlot(const FieldNetwork& network, FieldPlans& plans) : network_(&network), plans_(&plans) {}

bool PredictionSlot::fits(const Batch& batch) const {
    if (!is_ready_ || batch.inputs.size() != channels_.size() || batch.extents != extents_) {
        return false;
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const InputGroup& group = batch.inputs[i];
        if (group.channels != channels_[i] || group.values.shape() != input_.network.groups[i].values.shape()) {
            return false;
        }
    }
    return static_cast<std::int64_t>(batch.cases.size()) == input_.network.batch;
}

void PredictionSlot::make_room(const Batch& batch) {
    is_ready_ = false;
    replay_.reset();
    output_ = Tensor();
    planned_ = {};
    input_ = {};
    channels_.clear();
    extents_ = batch.extents;
    input_ = network_->input_for(batch);
    for (const InputGroup& group : batch.inputs) {
        channels_.push_back(group.channels);
    }
    planned_ = plans_->pass(input_);
    output_ = planned_.output(network_->backend());
    replay_ = planned_.is_of_one_rank() ? network_->backend().make_replay() : nullptr;
    is_ready_ = true;
}

void PredictionSlot::start(const Batch& batch) {
    Backend& backend = network_->backend();
    const bool fitted = fits(batch);
    if (!fitted) {
        make_room(batch);
    }
    const std::vector<ConstView> arrays = arrays_of(batch);
    const std::vector<View> views = input_.views();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        // New memory may still be read by work under way for whoever had it before.
        fitted ? backend.start_upload(arrays[i], views[i]) : backend.upload(arrays[i], views[i]);
    }
    if (replay_) {
        replay_->run([this] { planned_.run(input_, output_); });
    } else {
        planned_.run(input_, output_);
    }
    values_ = host_zeros(output_.shape());
    pending_ = backend.start_download(std::as_const(output_).view(), values_);
}

Tensor PredictionSlot::finish() {
    pending_->wait();
    pending_.reset();
    return std::move(values_);
}

}  // namespace plumecast
