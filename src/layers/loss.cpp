#include <plumecast/layers/loss.hpp>

#include <utility>

namespace plumecast {
namespace {

/// The axes of space before the last as one: [B, space..., T, F] as the ops take it, or [B, space...].
Shape with_two_space_axes(const Shape& shape, int after) {
    const int last = shape.rank() - after - 1;
    Shape result{shape[0], shape.count(1, last)};
    for (int axis = last; axis < shape.rank(); ++axis) {
        result = result.append(shape[axis]);
    }
    return result;
}

/// The sums of all ranks that hold boxes of the same cases.
void add_boxes(Backend& backend, Communicator* space, Tensor& sums) {
    if (space != nullptr) {
        Tensor host = host_zeros(sums.shape(), DType::float64);
        backend.download(std::as_const(sums).view(), host);
        space->sum(host.values<double>());
        backend.upload(host, sums);
    }
}

}  // namespace

StartedLoss::StartedLoss(const Variable& prediction, const LossTarget& target, const LossOptions& options,
                         bool with_gradient)
    : on_host_(host_zeros({prediction.shape()[0]}, DType::float64)) {
    Backend& backend = prediction.backend();
    const std::int64_t batch = prediction.shape()[0], fields = prediction.shape()[-1];
    share_ = 1.0 / static_cast<double>(target.batch > 0 ? target.batch : batch);
    on_backend_ = Tensor(backend.memory(), {batch}, DType::float64);
    Tensor sums(backend.memory(), {batch, fields, 4}, DType::float64);
    Tensor coefficients(backend.memory(), {batch, fields, 2}, DType::float64);
    const Shape field_shape = with_two_space_axes(prediction.shape(), 2);
    const ConstView predicted = prediction.value().reshaped(field_shape);
    const ConstView truth = target.fields.view().reshaped(field_shape);
    const ConstView active = target.active.view().reshaped(with_two_space_axes(target.active.shape(), 0));
    const ConstView inverse = target.inverse_distance;
    backend.error_norms(predicted, truth, active, inverse, sums);
    add_boxes(backend, target.space, sums);
    backend.error_ratios(std::as_const(sums).view(), options.derivative_weight, share_, on_backend_, coefficients);
    arriving_ = backend.start_download(std::as_const(on_backend_).view(), on_host_);
    if (with_gradient) {
        gradient_ = Tensor(backend.memory(), prediction.shape(), backend.compute_type());
        backend.error_gradient(predicted, truth, active, inverse, std::as_const(coefficients).view(),
                               gradient_.view().reshaped(field_shape));
    }
}

StartedLoss::StartedLoss(Backend& backend, Tensor per_case, double share)
    : share_(share), on_backend_(std::move(per_case)), on_host_(host_zeros(on_backend_.shape(), DType::float64)) {
    arriving_ = backend.start_download(std::as_const(on_backend_).view(), on_host_);
}

Loss StartedLoss::wait() {
    arriving_->wait();
    Loss loss;
    for (const double value : std::as_const(on_host_).values<double>()) {
        loss.per_case.push_back(value);
        loss.value += share_ * value;
    }
    loss.gradient = std::move(gradient_);
    return loss;
}

Loss relative_l2_loss(const Variable& prediction, const LossTarget& target, const LossOptions& options,
                      bool with_gradient) {
    return StartedLoss(prediction, target, options, with_gradient).wait();
}

std::vector<double> inverse_center_distances(std::span<const double> r_edges) {
    const std::size_t cells = r_edges.size() - 1;
    std::vector<double> inverse(cells, 0.0);
    for (std::size_t i = 1; i + 1 < cells; ++i) {
        const double before = 0.5 * (r_edges[i - 1] + r_edges[i]), after = 0.5 * (r_edges[i + 1] + r_edges[i + 2]);
        inverse[i] = 1.0 / (after - before);
    }
    return inverse;
}

}  // namespace plumecast
