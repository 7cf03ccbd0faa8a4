#include <plumecast/training/memory_plan.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <plumecast/data/batch.hpp>
#include <plumecast/training/loss.hpp>
#include <plumecast/training/optimizer.hpp>

#include "training/rank_shard.hpp"
#include "training/run/averaged_weights.hpp"

namespace plumecast {
namespace {

/// One input group per variation, as a data set gives them, with the channels split evenly; only sizes matter.
Batch planned_batch(const NetworkDescription& description, const Shape& extents, std::int64_t batch) {
    Batch result;
    result.cases.resize(static_cast<std::size_t>(batch));
    const std::int64_t time = extents[-1];
    Shape map{batch};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
    }
    std::vector<std::string> maps, rest, varying;
    for (const Channel& channel : description.channels) {
        const Variation variation = variation_of(channel.source);
        auto& group = variation == Variation::time ? rest : variation == Variation::field ? varying : maps;
        group.push_back(channel.name);
    }
    if (!maps.empty()) {
        const Shape shape = map.append(1).append(static_cast<std::int64_t>(maps.size()));
        result.inputs.push_back({maps, host_zeros(shape)});
    }
    if (!rest.empty()) {
        Shape shape{1};
        for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
            shape = shape.append(1);
        }
        result.inputs.push_back({rest, host_zeros(shape.append(time).append(static_cast<std::int64_t>(rest.size())))});
    }
    const Shape whole = map.append(time);
    if (!varying.empty()) {
        result.inputs.push_back({varying, host_zeros(whole.append(static_cast<std::int64_t>(varying.size())))});
    }
    if (std::ranges::any_of(description.fields, [](const Field& field) { return !field.base.empty(); })) {
        result.base = host_zeros(whole.append(description.network.fields));
        result.correction = host_zeros(whole.append(description.network.fields));
    }
    result.active = host_zeros(map);
    return result;
}

/// What one rank of a planned job does, on a backend that only counts.
class PlannedRank {
   public:
    PlannedRank(const NetworkDescription& description, const Shape& extents, std::int64_t batch, const GridShape& shape,
                const PlanOptions& options)
        : extents_(extents),
          batch_(batch),
          grid_(ProcessGrid::planned(shape, 0, options.route)),
          backend_(make_planning_backend(options.precision)),
          network_(*backend_, description, 0, &grid_),
          share_(network_, extents),
          averages_(options.averages) {
        network_.parameters().freeze(options.freeze);
        Batch whole = planned_batch(description, extents, grid_.cases(batch).cells());
        const auto source = share_.source(std::make_unique<OneBatch>(std::move(whole), extents));
        input_ = source->load({});
    }

    Traffic train();
    Traffic predict();
    std::size_t peak_bytes() const { return backend_->peak_bytes(); }
    double share_of_work() const {
        const Shape padded = network_.network().config().padded(extents_);
        const Box held = grid_.partition(padded.slice(0, padded.rank() - 1)).held();
        return static_cast<double>(held.count() * grid_.cases(batch_).cells()) /
               static_cast<double>(padded.count(0, padded.rank() - 1) * batch_);
    }

   private:
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
            for (const InputGroup& group : batch_.inputs) {
                copy.inputs.push_back({group.channels, host_zeros(group.values.shape())});
            }
            if (batch_.base.shape().rank() > 0) {
                copy.base = host_zeros(batch_.base.shape());
                copy.correction = host_zeros(batch_.correction.shape());
            }
            copy.active = host_zeros(batch_.active.shape());
            return copy;
        }

       private:
        Batch batch_;
        Shape extents_;
    };
    Tensor planned(const Shape& shape) const { return Tensor(backend_->memory(), shape, backend_->compute_type()); }
    Traffic sent_since(Traffic before) const {
        const Traffic now = grid_.traffic();
        return {now.bytes - before.bytes, now.messages - before.messages};
    }

    Shape extents_;
    std::int64_t batch_;
    ProcessGrid grid_;
    std::unique_ptr<Backend> backend_;
    FieldNetwork network_;
    RankShard share_;
    bool averages_;
    Batch input_;
};

/// Two steps: from the second on, the gradients of the weights are there before the forward pass, and what ranks
/// compare but once has been compared.
Traffic PlannedRank::train() {
    Adam adam(network_.parameters(), {});
    std::optional<AveragedWeights> average;
    if (averages_) {
        average.emplace(network_.parameters(), 0.5);
    }
    const Shape space = share_.targets().extents();
    const Tensor inverse_distance = planned({space[-1]});
    Shape map{static_cast<std::int64_t>(input_.cases.size())};
    for (const std::int64_t extent : space.extents()) {
        map = map.append(extent);
    }
    Traffic before;
    for (int step = 0; step < 2; ++step) {
        before = grid_.traffic();
        const LossTarget target{planned(map.append(extents_[-1]).append(network_.description().network.fields)),
                                planned(map), inverse_distance.view(), share_.space(), batch_};
        const Variable prediction = share_.with_neighbours(network_.forward(input_, ExecutionMode::training));
        StartedLoss loss(prediction, target, {}, true);
        Tensor gradient = loss.take_gradient();
        double value = loss.wait().value;
        if (share_.groups() != nullptr) {
            share_.groups()->sum(std::span(&value, 1));
        }
        backward(prediction, std::move(gradient), adam.as_gradients_come());
        adam.step(1.0);
        share_.agreed(false);
        share_.agreed(false);
    }
    return sent_since(before);
}

Traffic PlannedRank::predict() {
    network_.parameters().set_trainable(false);
    network_.forward(input_, ExecutionMode::evaluation);
    const Traffic before = grid_.traffic();
    network_.forward(input_, ExecutionMode::evaluation);
    return sent_since(before);
}

constexpr double bytes_per_message = 20e3;

double cost_of(const Traffic& traffic) {
    return static_cast<double>(traffic.bytes) + bytes_per_message * static_cast<double>(traffic.messages);
}

}  // namespace

RankPlan plan_rank(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                   const GridShape& grid, const PlanOptions& options) {
    RankPlan plan;
    plan.grid = grid;
    PlannedRank training(description, extents, batch, grid, options);
    plan.step = training.train();
    plan.memory.training = training.peak_bytes();
    plan.largest_share = training.share_of_work();
    PlannedRank inference(description, extents, batch, grid, options);
    plan.memory.weights = inference.peak_bytes();
    plan.pass = inference.predict();
    plan.memory.inference = inference.peak_bytes();
    return plan;
}

std::vector<RankPlan> plan_grids(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                                 int ranks, std::size_t memory, GridPurpose purpose, const PlanOptions& options) {
    const Shape padded = description.network.padded(extents);
    std::vector<RankPlan> plans;
    for (int groups = 1; groups <= ranks; ++groups) {
        for (int x = 1; ranks % groups == 0 && x <= ranks / groups; ++x) {
            const GridShape grid{groups, x, ranks / groups / x};
            const bool fits = grid.ranks() == ranks && groups <= batch && x <= padded[-2] &&
                              (grid.y == 1 || (padded.rank() > 3 && grid.y <= padded[-3]));
            if (fits) {
                plans.push_back(plan_rank(description, extents, batch, grid, options));
            }
        }
    }
    const bool trains = purpose == GridPurpose::training;
    const auto fits_memory = [&](const RankPlan& plan) {
        return (trains ? plan.memory.training : plan.memory.inference) <= memory;
    };
    const auto cost = [&](const RankPlan& plan) { return cost_of(trains ? plan.step : plan.pass); };
    std::ranges::stable_sort(plans, [&](const RankPlan& a, const RankPlan& b) {
        const bool a_fits = fits_memory(a), b_fits = fits_memory(b);
        if (a_fits != b_fits) {
            return a_fits;
        }
        // Shares closer than a percent are equal: what is sent then matters more.
        const double a_share = std::round(100.0 * a.largest_share), b_share = std::round(100.0 * b.largest_share);
        return a_share != b_share ? a_share < b_share : cost(a) < cost(b);
    });
    return plans;
}

MemoryPlan plan_memory(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                       Precision precision) {
    return plan_rank(description, extents, batch, {}, {.precision = precision}).memory;
}

InferencePlan plan_inference(const NetworkDescription& description, const Shape& extents, Precision precision) {
    std::size_t peaks[2]{};
    for (std::int64_t batch = 1; batch <= 2; ++batch) {
        PlannedRank rank(description, extents, batch, {}, {.precision = precision});
        rank.predict();
        peaks[batch - 1] = rank.peak_bytes();
    }
    const std::size_t per_case = peaks[1] > peaks[0] ? peaks[1] - peaks[0] : 0;
    return {peaks[0] - std::min(per_case, peaks[0]), per_case};
}

std::size_t host_memory_size() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void require_memory(std::size_t needed, std::int64_t batch, std::size_t present) {
    if (needed > present) {
        throw DeviceError("batches of " + std::to_string(batch) + " cases need " + std::to_string(needed >> 20) +
                          " MiB (there are " + std::to_string(present >> 20) +
                          " MiB); use a smaller batch_size, width or modes");
    }
}

}  // namespace plumecast
