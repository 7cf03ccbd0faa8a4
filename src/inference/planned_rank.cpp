#include "inference/planned_rank.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "inference/field_plan.hpp"
#include "plan/explain.hpp"

namespace plumecast {
namespace {

Tensor zeros(const Shape& shape) { return {zero_memory(), shape, DType::float32}; }

/// Hands out copies of one batch of zeros.
class OneBatch final : public BatchSource {
   public:
    OneBatch(Batch batch, Shape extents) : batch_(std::move(batch)), extents_(extents) {}
    std::int64_t cases() const override { return static_cast<std::int64_t>(batch_.cases.size()); }
    Shape extents() const override { return extents_; }
    std::vector<std::string> channels() const override { return {}; }
    Batch load(std::span<const std::int64_t>) const override {
        Batch copy;
        copy.cases = batch_.cases;
        copy.extents = extents_;
        for (const InputGroup& group : batch_.inputs) {
            copy.inputs.push_back({group.channels, zeros(group.values.shape()), group.same_for_all});
        }
        if (batch_.base.shape().rank() > 0) {
            copy.base = zeros(batch_.base.shape());
            copy.correction = zeros(batch_.correction.shape());
        }
        copy.active = zeros(batch_.active.shape());
        return copy;
    }

   private:
    Batch batch_;
    Shape extents_;
};

/// The grid of ranks as the one of a place sees it.
ProcessGrid grid_of(const RankPlace& place, std::int64_t batch) {
    if (place.rank < 0 || place.rank >= place.grid.ranks()) {
        throw InvalidInput("rank " + std::to_string(place.rank) + " (process grid " + place.grid.text() +
                           " has the ranks 0 to " + std::to_string(place.grid.ranks() - 1) + "); name one of these");
    }
    if (place.grid.groups > batch) {
        throw InvalidInput("process grid " + place.grid.text() + " (groups of ranks without a case in a batch of " +
                           std::to_string(batch) + "); use fewer groups or a larger batch");
    }
    return ProcessGrid::planned(place.grid, place.rank, place.route);
}

}  // namespace

Batch planned_batch(const NetworkDescription& description, const Shape& extents, std::int64_t batch) {
    Batch result;
    result.cases.resize(static_cast<std::size_t>(batch));
    result.extents = extents;
    const std::int64_t time = extents[-1];
    Shape map{batch};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
    }
    std::vector<std::string> maps, rest, series, varying;
    for (const Channel& channel : description.channels) {
        const Variation variation = variation_of(channel.source);
        auto& group = variation == Variation::time     ? rest
                      : variation == Variation::series ? series
                      : variation == Variation::field  ? varying
                                                       : maps;
        group.push_back(channel.name);
    }
    if (!maps.empty()) {
        const Shape shape = map.append(1).append(static_cast<std::int64_t>(maps.size()));
        result.inputs.push_back({maps, zeros(shape)});
    }
    const auto of_times = [&](std::int64_t cases, const std::vector<std::string>& names) {
        Shape shape{cases};
        for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
            shape = shape.append(1);
        }
        return zeros(shape.append(time).append(static_cast<std::int64_t>(names.size())));
    };
    if (!rest.empty()) {
        result.inputs.push_back({rest, of_times(1, rest), true});
    }
    if (!series.empty()) {
        result.inputs.push_back({series, of_times(batch, series)});
    }
    const Shape whole = map.append(time);
    if (!varying.empty()) {
        result.inputs.push_back({varying, zeros(whole.append(static_cast<std::int64_t>(varying.size())))});
    }
    if (description.has_base()) {
        result.base = zeros(whole.append(description.network.fields));
        result.correction = zeros(whole.append(description.network.fields));
    }
    result.active = zeros(map);
    return result;
}

PlannedRank::PlannedRank(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                         ProcessGrid grid, Precision precision, PlannedDevice device, int threads, SpectralWay spectral,
                         LossKind compared)
    : extents_(extents),
      batch_(batch),
      grid_(std::move(grid)),
      backend_(make_planning_backend(precision, device, threads, spectral)),
      network_(*backend_, description, std::nullopt, &grid_),
      shard_(network_, extents, compared) {
    Batch whole = planned_batch(description, extents, grid_.cases(batch).cells());
    input_ = shard_.source(std::make_unique<OneBatch>(std::move(whole), extents))->load({});
}

PlannedRank::PlannedRank(const FieldNetwork& network, const Shape& extents, std::int64_t batch, const RankPlace& place)
    : PlannedRank(network.description(), extents, batch, grid_of(place, batch),
                  network.backend().field_type() == DType::bfloat16 ? Precision::bf16 : Precision::fp32,
                  network.backend().shares_host_memory() ? PlannedDevice::cpu : PlannedDevice::cuda,
                  network.backend().host_threads(), network.backend().spectral_way()) {}

PlannedWork PlannedRank::predict() {
    std::optional<PlannedPass> planned;
    const auto pass = [&](const FieldInput& input) {
        if (!planned) {
            const auto plan = std::make_shared<const Plan>(plan_of(network_, input));
            planned = {plan, std::make_shared<Tensor>(plan->make_workspace())};
        }
        return *planned;
    };
    predicted_by(network_, input_, pass);
    const Traffic before = grid_.traffic();
    predicted_by(network_, input_, pass);
    return {sent_since(before), work_of(*planned->plan, *backend_)};
}

Traffic PlannedRank::sent_since(Traffic before) const {
    const Traffic now = grid_.traffic();
    return {now.bytes - before.bytes, now.messages - before.messages};
}

double PlannedRank::share_of_work() const {
    const Shape padded = network_.network().config().padded(extents_);
    const Box held = grid_.partition(padded.slice(0, padded.rank() - 1)).held();
    return static_cast<double>(held.count() * grid_.cases(batch_).cells()) /
           static_cast<double>(padded.count(0, padded.rank() - 1) * batch_);
}

}  // namespace plumecast
