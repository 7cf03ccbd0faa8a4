#include <plumecast/training/loss.hpp>

#include <cmath>
#include <utility>

namespace plumecast {
namespace {

/// error / truth, and the factor of the error vector in its gradient.
struct Ratio {
    double value = 0.0, factor = 0.0;

    Ratio(double error_squared, double truth_squared) {
        const double error = std::sqrt(error_squared);
        const double truth = truth_squared > 0.0 ? std::sqrt(truth_squared) : 1.0;
        value = error / truth;
        factor = error > 0.0 ? 1.0 / (error * truth) : 0.0;
    }
};

/// The axes of space before the last as one: [B, space..., T, F] as the verbs take it, or [B, space...].
Shape with_two_space_axes(const Shape& shape, int after) {
    const int last = shape.rank() - after - 1;
    Shape result{shape[0], shape.count(1, last)};
    for (int axis = last; axis < shape.rank(); ++axis) {
        result = result.append(shape[axis]);
    }
    return result;
}

}  // namespace

Loss relative_l2_loss(const Variable& prediction, const LossTarget& target, const LossOptions& options,
                      bool with_gradient) {
    Backend& backend = prediction.backend();
    const std::int64_t batch = prediction.shape()[0], fields = prediction.shape()[-1];
    Tensor sums(backend.memory(), {batch, fields, 4}, DType::float64);
    const Shape field_shape = with_two_space_axes(prediction.shape(), 2);
    const ConstView predicted = prediction.value().reshaped(field_shape);
    const ConstView truth = target.fields.view().reshaped(field_shape);
    const ConstView active = target.active.view().reshaped(with_two_space_axes(target.active.shape(), 0));
    const ConstView inverse = target.inverse_distance;
    backend.error_norms(predicted, truth, active, inverse, sums);
    Tensor host = host_zeros(sums.shape(), DType::float64);
    backend.download(std::as_const(sums).view(), host);
    if (target.space != nullptr) {
        target.space->sum(host.values<double>());
    }

    Loss loss;
    Tensor factors = host_zeros({batch, fields, 2}, DType::float64);
    const std::span<const double> norms = std::as_const(host).values<double>();
    const double share = 1.0 / static_cast<double>(target.batch > 0 ? target.batch : batch);
    for (std::int64_t b = 0; b < batch; ++b) {
        double value = 0.0;
        for (std::int64_t f = 0; f < fields; ++f) {
            const auto pair = static_cast<std::size_t>(b * fields + f);
            const Ratio field(norms[4 * pair], norms[4 * pair + 1]);
            const Ratio slope(norms[4 * pair + 2], norms[4 * pair + 3]);
            value += field.value + options.derivative_weight * slope.value;
            factors.values<double>()[2 * pair] = share * field.factor;
            factors.values<double>()[2 * pair + 1] = share * options.derivative_weight * slope.factor;
        }
        loss.per_case.push_back(value);
        loss.value += share * value;
    }
    if (with_gradient) {
        Tensor coefficients(backend.memory(), factors.shape(), DType::float64);
        backend.upload(factors, coefficients);
        loss.gradient = Tensor(backend.memory(), prediction.shape(), backend.compute_type());
        backend.error_gradient(predicted, truth, active, inverse, coefficients,
                               loss.gradient.view().reshaped(field_shape));
    }
    return loss;
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
