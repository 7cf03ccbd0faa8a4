#include "inference/gradients/recorded_batch.hpp"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>

#include "inference/field_plan.hpp"

namespace plumecast {
namespace {

Tensor downloaded(const Variable& owner, ConstView values) {
    Tensor host = host_zeros(values.shape);
    owner.backend().download(values, host);
    return host;
}

/// Where a value stands between the limits of its field.
enum class Place { free, limited, fixed };

Place place_of(const Field& field, double value, double limit) {
    if (field.unit == "1" && (value < 0.0 || (value > 1.0 && limit >= 1.0))) {
        return Place::fixed;
    }
    if (value > limit) {
        return limit < field.cutoff ? Place::fixed : Place::limited;
    }
    return std::abs(value) < field.cutoff ? Place::fixed : Place::free;
}

/// The weights of physical values as such of normalised ones, of scales and limits.
Tensor normalised_weights(const std::vector<Field>& fields, const Batch& batch, const Tensor& values,
                          const Tensor& weights, Limits limiting, BatchWeights& by) {
    const bool has_limits = limiting == Limits::apply && !batch.limits.empty();
    by.scales.assign(batch.cases.size() * fields.size(), 0.0);
    by.limits.assign(has_limits ? by.scales.size() : 0, 0.0);
    Tensor result = host_zeros(values.shape());
    const std::span<const float> normalised = values.values<float>(), given = weights.values<float>();
    const std::size_t per_case = normalised.size() / batch.cases.size();
    for (std::size_t i = 0; i < normalised.size(); ++i) {
        const std::size_t f = i % fields.size(), entry = i / per_case * fields.size() + f;
        const auto scale = static_cast<double>(batch.scales.values<float>()[entry]);
        const auto value = static_cast<double>(normalised[i]), weight = static_cast<double>(given[i]);
        const double limit = has_limits && fields[f].below_irreducible_water
                                 ? static_cast<double>(batch.limits.values<float>()[entry])
                                 : HUGE_VAL;
        const Place place =
            limiting == Limits::apply ? place_of(fields[f], value * scale + fields[f].offset, limit) : Place::free;
        if (place == Place::free) {
            result.values<float>()[i] = static_cast<float>(weight * scale);
            by.scales[entry] += weight * value;
        } else if (place == Place::limited) {
            by.limits[entry] += weight;
        }
    }
    return result;
}

}  // namespace

RecordedBatch::RecordedBatch(const FieldNetwork& network, const Batch& batch) : network_(network), batch_(batch) {
    require_input_gradients(network.description());
    input_ = network.input_for(batch);
    upload(network.backend(), batch, input_);
    for (const LiftInput& group : input_.network.groups) {
        group.values.set_requires_grad(true);
    }
    if (input_.base.defined()) {
        input_.base.set_requires_grad(true);
    }
    prediction_ = network.forward(input_, ExecutionMode::evaluation);
    values_ = downloaded(prediction_, prediction_.value());
}

InputGradients RecordedBatch::pull_back(const Dataset& dataset, const CasePhysics* physics, const Tensor& weights,
                                        Limits limits) {
    expects(prediction_.defined() && weights.shape() == prediction_.shape(), "a tape, and a weight for each value");
    const NetworkDescription& description = network_.description();
    BatchWeights by;
    const Tensor start =
        normalised_weights(description.fields, batch_, values_, active_weights(batch_, weights), limits, by);
    Tensor gradient(network_.backend().memory(), prediction_.shape(), prediction_.type());
    network_.backend().upload(start, gradient);
    backward(prediction_, std::move(gradient));
    for (const LiftInput& group : input_.network.groups) {
        by.inputs.push_back(downloaded(group.values, group.values.gradient()));
    }
    if (input_.base.defined()) {
        by.base = downloaded(input_.base, input_.base.gradient());
    }
    prediction_ = {};
    input_ = {};
    return input_gradients(dataset, description.channels, description.fields, physics, batch_, by);
}

Tensor active_weights(const Batch& batch, const Tensor& weights) {
    Tensor result = host_zeros(weights.shape());
    const std::span<const float> active = std::as_const(batch.active).values<float>(), given = weights.values<float>();
    const std::size_t per_cell = given.size() / active.size();
    for (std::size_t i = 0; i < given.size(); ++i) {
        result.values<float>()[i] = active[i / per_cell] != 0.0F ? given[i] : 0.0F;
    }
    return result;
}

}  // namespace plumecast
