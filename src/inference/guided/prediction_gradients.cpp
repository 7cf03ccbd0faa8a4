#include <plumecast/inference/guided/guided_cases.hpp>

#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/evaluation.hpp>

namespace plumecast {
namespace {

/// The normalised fields of a batch, recorded from its arrays on.
struct RecordedPrediction {
    FieldInput input;
    Variable prediction;

    RecordedPrediction(const FieldNetwork& network, const Batch& batch) : input(network.input_for(batch)) {
        const std::vector<ConstView> arrays = arrays_of(batch);
        const std::vector<View> views = input.views();
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            network.backend().upload(arrays[i], views[i]);
        }
        for (const LiftInput& group : input.network.groups) {
            group.values.set_requires_grad(true);
        }
        if (input.base.defined()) {
            input.base.set_requires_grad(true);
        }
        prediction = network.forward(input, ExecutionMode::evaluation);
    }
};

Tensor downloaded(const Variable& owner, ConstView values) {
    Tensor host = host_zeros(values.shape);
    owner.backend().download(values, host);
    return host;
}

/// Weights [B, space..., T, F] without those of inactive cells.
Tensor active_weights(const Batch& batch, const Tensor& weights) {
    Tensor result = host_zeros(weights.shape());
    const std::span<const float> active = std::as_const(batch.active).values<float>(), given = weights.values<float>();
    const std::size_t per_cell = given.size() / active.size();
    for (std::size_t i = 0; i < given.size(); ++i) {
        result.values<float>()[i] = active[i / per_cell] != 0.0F ? given[i] : 0.0F;
    }
    return result;
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
                          const Tensor& weights, BatchWeights& by) {
    const bool has_limits = !batch.limits.empty();
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
        const Place place = place_of(fields[f], value * scale + fields[f].offset, limit);
        if (place == Place::free) {
            result.values<float>()[i] = static_cast<float>(weight * scale);
            by.scales[entry] += weight * value;
        } else if (place == Place::limited) {
            by.limits[entry] += weight;
        }
    }
    return result;
}

std::vector<double> weighted_sums(const std::vector<Field>& fields, const Batch& batch, const Tensor& values,
                                  const Tensor& weights) {
    std::vector<double> sums(batch.cases.size());
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const Tensor field =
            physical_values(values, static_cast<std::int64_t>(f), fields[f], batch.scales, batch.limits);
        const std::span<const float> physical = field.values<float>(), given = weights.values<float>();
        for (std::size_t i = 0; i < physical.size(); ++i) {
            sums[i * sums.size() / physical.size()] +=
                static_cast<double>(given[i * fields.size() + f]) * static_cast<double>(physical[i]);
        }
    }
    return sums;
}

}  // namespace

PredictionGradients prediction_gradients(const FieldNetwork& network, const Dataset& dataset, const Batch& batch,
                                         const Tensor& weights, const CasePhysics* physics) {
    const NetworkDescription& description = network.description();
    require_input_gradients(description);
    const RecordedPrediction recorded(network, batch);
    const Variable& prediction = recorded.prediction;
    if (weights.shape() != prediction.shape()) {
        throw InvalidInput("weights of shape " + weights.shape().text() + " (the prediction has " +
                           prediction.shape().text() + "); give one weight for each value");
    }
    const Tensor values = downloaded(prediction, prediction.value());
    BatchWeights by;
    const Tensor own = active_weights(batch, weights);
    const Tensor start = normalised_weights(description.fields, batch, values, own, by);
    Backend& backend = network.backend();
    Tensor gradient(backend.memory(), prediction.shape(), prediction.type());
    backend.upload(start, gradient);
    backward(prediction, std::move(gradient));
    for (const LiftInput& group : recorded.input.network.groups) {
        by.inputs.push_back(downloaded(group.values, group.values.gradient()));
    }
    if (recorded.input.base.defined()) {
        by.base = downloaded(recorded.input.base, recorded.input.base.gradient());
    }
    return {weighted_sums(description.fields, batch, values, own),
            input_gradients(dataset, description.channels, description.fields, physics, batch, by)};
}

}  // namespace plumecast
