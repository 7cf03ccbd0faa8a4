#include <plumecast/inference/explained_network.hpp>

#include <array>
#include <string>

#include "inference/field_plan.hpp"
#include "inference/planned_rank.hpp"

namespace plumecast {
namespace {

/// What a plan and the network that it is of hold.
ExplainedNetwork memory_of(const FieldNetwork& network, const Plan& plan) {
    ExplainedNetwork explained;
    explained.workspace_bytes = plan.workspace_bytes();
    explained.constant_bytes = plan.constant_bytes();
    for (const Parameter& parameter : network.parameters().all()) {
        const ConstView weights = parameter.weight.value();
        explained.weight_bytes += static_cast<std::size_t>(weights.shape.count()) * size_of(weights.type);
    }
    return explained;
}

void check(const RankPlace& place, std::int64_t batch) {
    if (place.rank < 0 || place.rank >= place.grid.ranks()) {
        throw InvalidInput("rank " + std::to_string(place.rank) + " (process grid " + place.grid.text() +
                           " has the ranks 0 to " + std::to_string(place.grid.ranks() - 1) + "); name one of these");
    }
    if (place.grid.groups > batch) {
        throw InvalidInput("process grid " + place.grid.text() + " (groups of ranks without a case in a batch of " +
                           std::to_string(batch) + "); use fewer groups or a larger batch");
    }
}

}  // namespace

ExplainedNetwork explain_network(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats) {
    Backend& backend = network.backend();
    const Batch zeros = planned_batch(network.description(), extents, batch);
    FieldInput input = network.input_for(zeros);
    upload(backend, zeros, input);
    FieldPlans plans(network);
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(backend);
    ExplainedNetwork explained = memory_of(network, *pass.plan);
    explained.ops = explain(backend, *pass.plan, *pass.workspace, feed_of(input), std::array{fields.view()}, repeats);
    explained.ceilings = measure_ceilings(backend);
    return explained;
}

ExplainedNetwork explain_rank(const FieldNetwork& network, const Shape& extents, std::int64_t batch,
                              const RankPlace& place, const Ceilings& ceilings) {
    check(place, batch);
    const Backend& backend = network.backend();
    PlannedRank rank(network.description(), extents, batch, ProcessGrid::planned(place.grid, place.rank, place.route),
                     backend.field_type() == DType::bfloat16 ? Precision::bf16 : Precision::fp32,
                     backend.shares_host_memory() ? PlannedDevice::cpu : PlannedDevice::cuda);
    const FieldInput input = rank.network().input_for(rank.input());
    FieldPlans plans(rank.network());
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(rank.backend());
    ExplainedNetwork explained = memory_of(rank.network(), *pass.plan);
    explained.ops = explain_messages(rank.backend(), *pass.plan, *pass.workspace, feed_of(input),
                                     std::array{fields.view()}, [&] { return rank.grid().traffic(); });
    explained.ceilings = ceilings;
    return explained;
}

}  // namespace plumecast
