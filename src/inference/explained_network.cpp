#include <plumecast/inference/explained_network.hpp>

#include <array>

#include "inference/field_plan.hpp"
#include "inference/planned_rank.hpp"

namespace plumecast {

ExplainedNetwork explain_network(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats) {
    Backend& backend = network.backend();
    const Batch zeros = planned_batch(network.description(), extents, batch);
    FieldInput input = network.input_for(zeros);
    upload(backend, zeros, input);
    FieldPlans plans(network);
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(backend);
    ExplainedNetwork explained;
    explained.ops = explain(backend, *pass.plan, *pass.workspace, feed_of(input), std::array{fields.view()}, repeats);
    explained.ceilings = measure_ceilings(backend);
    explained.workspace_bytes = pass.plan->workspace_bytes();
    explained.constant_bytes = pass.plan->constant_bytes();
    for (const Parameter& parameter : network.parameters().all()) {
        const ConstView weights = parameter.weight.value();
        explained.weight_bytes += static_cast<std::size_t>(weights.shape.count()) * size_of(weights.type);
    }
    return explained;
}

}  // namespace plumecast
