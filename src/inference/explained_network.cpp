#include "inference/explained_network.hpp"

#include <array>
#include <utility>

#include "inference/planned_rank.hpp"
#include "inference/prediction/latest_plans.hpp"

namespace plumecast {

ExplainedNetwork explained_plan(const FieldNetwork& network, const Plan& plan, std::vector<ExplainedOp> ops,
                                const Ceilings& ceilings) {
    ExplainedNetwork explained{std::move(ops), ceilings, plan.workspace_bytes(), plan.constant_bytes()};
    for (const Parameter& parameter : network.parameters().all()) {
        const ConstView weights = parameter.weight.value();
        explained.weight_bytes += static_cast<std::size_t>(weights.shape.count()) * size_of(weights.type);
    }
    return explained;
}

ExplainedNetwork explain_network(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats) {
    Backend& backend = network.backend();
    const Batch zeros = planned_batch(network.description(), extents, batch);
    FieldInput input = network.input_for(zeros);
    upload(backend, zeros, input);
    FieldPlans plans(network);
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(backend);
    return explained_plan(
        network, *pass.plan,
        explain(backend, *pass.plan, *pass.workspace, feed_of(input), std::array{fields.view()}, repeats),
        measure_ceilings(backend));
}

ExplainedNetwork explain_rank(const FieldNetwork& network, const Shape& extents, std::int64_t batch,
                              const RankPlace& place, const Ceilings& ceilings) {
    PlannedRank rank(network, extents, batch, place);
    const FieldInput input = rank.network().input_for(rank.input());
    FieldPlans plans(rank.network());
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(rank.backend());
    return explained_plan(rank.network(), *pass.plan,
                          explain_messages(rank.backend(), *pass.plan, *pass.workspace, feed_of(input),
                                           std::array{fields.view()}, [&] { return rank.grid().traffic(); }),
                          ceilings);
}

}  // namespace plumecast
