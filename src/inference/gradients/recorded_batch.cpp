#include "inference/gradients/recorded_batch.hpp"

#include <span>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>

#include "inference/field_plan.hpp"
#include "inference/gradients/limited_values.hpp"

namespace plumecast {
namespace {

Tensor downloaded(Backend& backend, const Tensor& values, DType type) {
    Tensor host(host_memory(), values.shape(), type);
    backend.download(values, host);
    return host;
}

/// Whether cotangents are of what a field adds to its base.
bool is_added(const Field& field, CotangentsOf of) { return of == CotangentsOf::parts && !field.base.empty(); }

/// The cotangents of physical values as such of normalised ones, of scales and limits; T as the values have it.
template <class T>
Tensor normalised_cotangents(const std::vector<Field>& fields, const Batch& batch, const Tensor& values,
                             const Tensor& cotangents, Limits limiting, CotangentsOf of, BatchCotangents& by) {
    const bool has_limits = limiting == Limits::apply && !batch.limits.empty();
    by.scales.assign(static_cast<std::size_t>(batch.scales.shape().count()), 0.0);
    by.limits.assign(has_limits ? batch.cases.size() * fields.size() : 0, 0.0);
    Tensor result = host_zeros(values.shape(), values.type());
    const std::span<const T> normalised = values.values<T>();
    const std::span<const float> given = cotangents.values<float>();
    const std::size_t per_case = normalised.size() / batch.cases.size();
    const auto scaled_times = static_cast<std::size_t>(batch.scales.shape()[1]);  // 1 or all
    for (std::size_t i = 0; i < normalised.size(); ++i) {
        const std::size_t n = i / per_case, f = i % fields.size(), entry = n * fields.size() + f;
        const std::size_t scaled = (n * scaled_times + i / fields.size() % scaled_times) * fields.size() + f;
        const double scale = batch.scales.number(scaled);
        const auto value = static_cast<double>(normalised[i]), cotangent = static_cast<double>(given[i]);
        if (is_added(fields[f], of)) {
            result.values<T>()[i] = static_cast<T>(cotangent * scale);
            by.scales[scaled] += cotangent * (value - batch.base.number(i));
            continue;
        }
        const double limit = has_limits && fields[f].below_irreducible_water ? batch.limits.number(entry) : HUGE_VAL;
        const Place place =
            limiting == Limits::apply ? place_of(fields[f], value * scale + fields[f].offset, limit) : Place::free;
        if (place == Place::free) {
            result.values<T>()[i] = static_cast<T>(cotangent * scale);
            by.scales[scaled] += cotangent * value;
        } else if (place == Place::limited) {
            by.limits[entry] += cotangent;
        }
    }
    return result;
}

/// What is added to a base is the normalised value less the base: takes the cotangents of the one off those of the
/// other.
template <class T>
void take_off(const std::vector<Field>& fields, const Tensor& normalised, CotangentsOf of, Tensor& base) {
    const std::span<const T> cotangents = normalised.values<T>();
    const std::span<T> result = base.values<T>();
    for (std::size_t i = 0; i < cotangents.size(); ++i) {
        result[i] -= is_added(fields[i % fields.size()], of) ? cotangents[i] : T{0};
    }
}

}  // namespace

RecordedBatch::RecordedBatch(const FieldNetwork& network, const Batch& batch, InputGradientPlans& plans)
    : network_(network), batch_(batch) {
    Backend& backend = network.backend();
    input_ = network.input_for(batch);
    upload(backend, batch, input_);
    plan_ = plans.plan(network, input_);
    workspace_ = plan_->make_workspace();
    std::vector<View> views;
    for (const auto& [name, node] : plan_->graph().outputs()) {
        const ValueType& type = plan_->graph().nodes()[static_cast<std::size_t>(node)].type;
        outputs_.emplace_back(backend.memory(), type.shape, on_backend(backend, type.type));
        views.push_back(outputs_.back().view());
    }
    cotangents_ = Tensor(backend.memory(), outputs_.front().shape(), outputs_.front().type());
    const Feed inputs = feed_of(input_);
    run_.emplace(
        *plan_, workspace_,
        [&](const std::string& name) { return name == "weights" ? std::as_const(cotangents_).view() : inputs(name); },
        views);
    run_->until("fields");
}

Tensor RecordedBatch::values() const { return downloaded(network_.backend(), outputs_.front(), DType::float32); }

InputGradients RecordedBatch::pull_back(const Dataset& dataset, CasePhysics* physics, const Tensor& cotangents,
                                        Limits limits, CotangentsOf of) {
    expects(run_.has_value() && cotangents.shape() == shape(), "a paused pass, and a cotangent for each value");
    const NetworkDescription& description = network_.description();
    Backend& backend = network_.backend();
    const DType type = backend.compute_type();
    const bool is_double = type == DType::float64;
    BatchCotangents by;
    const Tensor normalised =
        (is_double ? normalised_cotangents<double>
                   : normalised_cotangents<float>)(description.fields, batch_,
                                                   downloaded(backend, outputs_.front(), type),
                                                   active_cotangents(batch_, cotangents), limits, of, by);
    backend.upload(normalised, cotangents_);
    run_->finish();
    run_.reset();
    const std::size_t groups = input_.network.groups.size();
    for (std::size_t group = 0; group < groups; ++group) {
        by.inputs.push_back(downloaded(backend, outputs_[1 + group], type));
    }
    if (input_.base.shape().rank() > 0) {
        by.base = downloaded(backend, outputs_[1 + groups], type);
        (is_double ? take_off<double> : take_off<float>)(description.fields, normalised, of, by.base);
    }
    workspace_ = Tensor();
    outputs_.clear();
    return input_gradients(dataset, description.channels, description.fields, physics, batch_, by);
}

Tensor active_cotangents(const Batch& batch, const Tensor& cotangents) {
    Tensor result = host_zeros(cotangents.shape());
    const std::span<const float> active = std::as_const(batch.active).values<float>(),
                                 given = cotangents.values<float>();
    const std::size_t per_cell = given.size() / active.size();
    for (std::size_t i = 0; i < given.size(); ++i) {
        result.values<float>()[i] = active[i / per_cell] != 0.0F ? given[i] : 0.0F;
    }
    return result;
}

}  // namespace plumecast
