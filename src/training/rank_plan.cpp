#include "training/rank_plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <plumecast/inference/loss.hpp>
#include <plumecast/training/optimizer.hpp>

#include "inference/planned_rank.hpp"
#include "training/run/averaged_weights.hpp"
#include "training/training_pass.hpp"

namespace plumecast {
namespace {

/// What a step of training does and sends. Two steps: from the second on, the gradients of the weights are there before
/// the forward pass, and what ranks compare but once has been compared.
PlannedWork train(PlannedRank& rank, const PlanOptions& options) {
    RankShard& shard = rank.shard();
    rank.network().parameters().freeze(options.freeze);
    Adam adam(rank.network().parameters(), {});
    std::optional<AveragedWeights> average;
    if (options.averages) {
        average.emplace(rank.network().parameters(), 0.5);
    }
    const std::vector<Tensor> distances = equal_distances(rank.network(), shard, options.loss.kind);
    TrainingPass pass(rank.network(), options.loss, options.recompute_blocks);
    Traffic before;
    for (int step = 0; step < 2; ++step) {
        before = rank.grid().traffic();
        const LossTarget target =
            target_of_ones(rank.network(), shard, static_cast<std::int64_t>(rank.input().cases.size()),
                           rank.extents()[-1], views_of(distances));
        StartedLoss loss = pass.run(rank.input(), target, {&shard, rank.batch(), rank.batch()});
        double value = loss.wait();
        if (shard.groups() != nullptr) {
            shard.groups()->sum(std::span(&value, 1));
        }
        adam.step(1.0);
        shard.agreed(false);
        shard.agreed(false);
    }
    return {rank.sent_since(before), work_of(*pass.latest_plan(), rank.backend())};
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
    const auto first = [&] { return ProcessGrid::planned(grid, 0, options.route); };
    PlannedRank training(description, extents, batch, first(), options.precision, options.device, options.threads,
                         options.spectral, options.loss.kind);
    PlannedWork step = train(training, options);
    plan.step = step.sent;
    plan.step_work = std::move(step.ops);
    plan.memory.training = training.peak_bytes();
    plan.largest_share = training.share_of_work();
    PlannedRank inference(description, extents, batch, first(), options.precision, options.device, options.threads,
                          options.spectral);
    plan.memory.weights = inference.peak_bytes();
    PlannedWork pass = inference.predict();
    plan.pass = pass.sent;
    plan.pass_work = std::move(pass.ops);
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

}  // namespace plumecast
