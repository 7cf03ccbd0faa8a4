#include "inference/stream/field_pass.hpp"

#include <plumecast/core/error.hpp>

#include "inference/guided/regrid.hpp"

namespace plumecast {
namespace {

std::shared_ptr<const Tensor> shared_field(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

}  // namespace

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
    ComputedBatch computed{std::move(started_.front().batch), started_.front().slot->finish()};
    started_.pop_front();
    return computed;
}

BatchFields FieldPass::run(CaseBatch batch) {
    start(std::move(batch));
    return fields(finish());
}

Tensor FieldPass::regridded(Tensor values, CaseBatch& batch) {
    const std::size_t set = batch.whole.set;
    const Batch& own = batch.on_model_grid;
    std::vector<Tensor> parts;
    for (std::size_t f = 0; f < described().size(); ++f) {
        parts.push_back(
            stream_->where_wanted(physical_part(values, f, described()[f], own, limits_), batch.count(), set));
    }
    const Tensor active = stream_->where_wanted(stream_->shard(set).own_cells(own.active), batch.count(), set);
    values = {};
    batch.on_model_grid = {};
    return batch.regridded
               ? stream_->regrid(set)->joined(stream_->network().description(), *batch.regridded, parts, active)
               : Tensor();
}

BatchFields FieldPass::fields(ComputedBatch computed) {
    CaseBatch& batch = computed.batch;
    const std::size_t set = batch.whole.set;
    const bool is_regridded = stream_->regrid(set) != nullptr;
    Tensor values = std::move(computed.values);
    if (is_regridded) {
        values = regridded(std::move(values), batch);
        if (!batch.regridded) {
            return {};
        }
    }
    Batch& of = batch.on_case_grid();
    const auto wanted = [&](Tensor own) {
        return is_regridded ? std::move(own) : stream_->where_wanted(std::move(own), batch.count(), set);
    };
    BatchFields result{stream_->cases_with_fields(batch.whole)};
    result.active =
        shared_field(wanted(is_regridded ? std::move(of.active) : stream_->shard(set).own_cells(of.active)));
    for (std::size_t f = 0; f < described().size(); ++f) {
        const auto index = static_cast<std::int64_t>(f);
        const Field field = is_regridded ? as_joined(described()[f]) : described()[f];
        result.named.predicted[field.name] =
            shared_field(wanted(physical_values(values, index, field, of.scales, of.limits, limits_)));
        if (!field.base.empty()) {
            result.named.known[field.name] =
                shared_field(wanted(physical_values(std::as_const(of.base).view(), index, as_it_is(field), of.scales)));
        }
    }
    for (auto& [source, field] : of.carried) {
        result.carried[source] = std::make_shared<Tensor>(wanted(std::move(field)));
    }
    return result;
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
    return uploaded(backend, regridded(std::move(values), batch));
}

}  // namespace plumecast
