#include "inference/stream/field_pass.hpp"

#include <plumecast/core/error.hpp>

#include "inference/guided/regrid.hpp"

namespace plumecast {
namespace {

std::shared_ptr<const Tensor> shared_field(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

/// Normalised fields on the case grid of those on the model grid; nothing where they are not wanted. What is only known
/// on the model grid goes.
Tensor regridded_fields(CaseStream& stream, CaseBatch& batch, Tensor values, Limits limits) {
    const NetworkDescription& description = stream.network().description();
    const std::size_t set = batch.whole.set;
    const Batch& own = batch.on_model_grid;
    std::vector<Tensor> parts;
    for (std::size_t f = 0; f < description.fields.size(); ++f) {
        parts.push_back(
            stream.where_wanted(physical_part(values, f, description.fields[f], own, limits), batch.count(), set));
    }
    const Tensor active = stream.where_wanted(stream.shard(set).local_cells(own.active), batch.count(), set);
    values = {};
    batch.on_model_grid = {};
    return batch.regridded ? stream.regrid(set)->joined(description, *batch.regridded, parts, active) : Tensor();
}

}  // namespace

BatchFields fields_of(CaseStream& stream, CaseBatch& batch, Tensor values, Limits limits, const Tensor& spread) {
    const std::vector<Field>& described = stream.network().description().fields;
    const std::size_t set = batch.whole.set;
    const bool is_regridded = stream.regrid(set) != nullptr;
    if (is_regridded) {
        values = regridded_fields(stream, batch, std::move(values), limits);
        if (!batch.regridded) {
            return {};
        }
    }
    Batch& of = batch.on_case_grid();
    const auto wanted = [&](Tensor own) {
        return is_regridded ? std::move(own) : stream.where_wanted(std::move(own), batch.count(), set);
    };
    BatchFields result{stream.cases_with_fields(batch.whole)};
    result.active =
        shared_field(wanted(is_regridded ? std::move(of.active) : stream.shard(set).local_cells(of.active)));
    for (std::size_t f = 0; f < described.size(); ++f) {
        const auto index = static_cast<std::int64_t>(f);
        const Field field = is_regridded ? as_joined(described[f]) : described[f];
        result.named.predicted[field.name] =
            shared_field(wanted(physical_values(values, index, field, of.scales, of.limits, limits)));
        if (!field.base.empty()) {
            result.named.known[field.name] =
                shared_field(wanted(physical_values(std::as_const(of.base).view(), index, as_it_is(field), of.scales)));
        }
    }
    for (std::size_t f = 0; !is_regridded && spread.shape().rank() > 0 && f < described.size(); ++f) {
        Field without_offset = as_it_is(described[f]);
        without_offset.offset = 0.0;
        result.spread[described[f].name] = shared_field(wanted(physical_values(
            spread, static_cast<std::int64_t>(f), without_offset, of.scales, of.limits, Limits::leave_out)));
    }
    result.named.injected =
        is_regridded ? std::move(of.injected) : stream.where_wanted(std::move(of.injected), batch.count(), set);
    for (auto& [source, field] : of.physics_fields) {
        result.physics_fields[source] = std::make_shared<Tensor>(wanted(std::move(field)));
    }
    return result;
}

FieldPass::FieldPass(CaseStream& stream, std::shared_ptr<LatestPlans> plans, Limits limits)
    : stream_(&stream),
      limits_(limits),
      plans_(std::move(plans)),
      slots_{PredictionSlot(stream.network(), plans_), PredictionSlot(stream.network(), plans_)} {}

FieldPass::FieldPass(CaseStream& stream) : FieldPass(stream, std::make_shared<LatestPlans>(stream.network())) {}

void FieldPass::start(CaseBatch batch) {
    PredictionSlot& slot = slots_[next_slot_ % slots_.size()];
    expects(started_.size() < slots_.size(), "a slot that is free");
    slot.start(batch.on_model_grid);
    started_.push_back({&slot, std::move(batch)});
    ++next_slot_;
}

ComputedBatch FieldPass::finish() {
    auto [values, spread] = without_spread(started_.front().slot->finish(), plans_.gives_spread());
    ComputedBatch computed{std::move(started_.front().batch), std::move(values), std::move(spread)};
    started_.pop_front();
    return computed;
}

BatchFields FieldPass::run(CaseBatch batch) {
    start(std::move(batch));
    return fields(finish());
}

Tensor FieldPass::on_backend(CaseBatch& batch) {
    Tensor own = plans_.predict(batch.on_model_grid);
    const std::size_t set = batch.whole.set;
    RankShard& shard = stream_->shard(set);
    if (stream_->regrid(set) == nullptr) {
        return shard.space() == nullptr ? std::move(own) : shard.with_neighbours(std::as_const(own).view());
    }
    Backend& backend = stream_->network().backend();
    Tensor values = host_zeros(own.shape());
    backend.download(std::as_const(own).view(), values);
    own = {};
    return uploaded(backend, regridded_fields(*stream_, batch, std::move(values), limits_));
}

}  // namespace plumecast
