#include <plumecast/inference/guided/guided_cases.hpp>

#include <span>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "inference/gradients/recorded_batch.hpp"

namespace plumecast {
namespace {

std::vector<double> sums_with(const std::vector<Field>& fields, const Batch& batch, const Tensor& values,
                              const Tensor& cotangents, Limits limits) {
    std::vector<double> sums(batch.cases.size());
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const Tensor field =
            physical_values(values, static_cast<std::int64_t>(f), fields[f], batch.scales, batch.limits, limits);
        const std::span<const float> physical = field.values<float>(), given = cotangents.values<float>();
        for (std::size_t i = 0; i < physical.size(); ++i) {
            sums[i * sums.size() / physical.size()] +=
                static_cast<double>(given[i * fields.size() + f]) * static_cast<double>(physical[i]);
        }
    }
    return sums;
}

}  // namespace

PredictionGradients prediction_gradients(const FieldNetwork& network, const Dataset& dataset, const Batch& batch,
                                         const Tensor& cotangents, CasePhysics* physics, Limits limits) {
    InputGradientPlans plans;
    RecordedBatch recorded(network, batch, plans);
    if (cotangents.shape() != recorded.shape()) {
        throw InvalidInput("cotangents of shape " + cotangents.shape().text() + " (the prediction has " +
                           recorded.shape().text() + "); give one for each value");
    }
    std::vector<double> sums =
        sums_with(network.description().fields, batch, recorded.values(), active_cotangents(batch, cotangents), limits);
    InputGradients gradients = recorded.pull_back(dataset, physics, cotangents, limits);
    if (physics != nullptr) {
        add_physics_gradients(dataset, *physics, gradients);
    }
    return {std::move(sums), std::move(gradients)};
}

}  // namespace plumecast
