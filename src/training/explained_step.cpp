#include "training/explained_step.hpp"

#include <utility>
#include <vector>

#include "inference/planned_rank.hpp"
#include "training/training_pass.hpp"

namespace plumecast {
ExplainedNetwork explain_step(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats) {
    const RankShard whole(network, extents);
    const std::vector<Tensor> inverse = equal_distances(network, whole, {});
    ExplainedPass pass = TrainingPass(network, {})
                             .explain(planned_batch(network.description(), extents, batch),
                                      target_of_ones(network, whole, batch, extents[-1], views_of(inverse)), repeats);
    return explained_plan(network, *pass.plan, std::move(pass.ops), measure_ceilings(network.backend()));
}

ExplainedNetwork explain_step(const FieldNetwork& network, const Shape& extents, std::int64_t batch,
                              const RankPlace& place, const Ceilings& ceilings) {
    PlannedRank rank(network, extents, batch, place);
    const std::vector<Tensor> inverse = equal_distances(rank.network(), rank.shard(), {});
    const auto own = static_cast<std::int64_t>(rank.input().cases.size());
    ExplainedPass pass =
        TrainingPass(rank.network(), {})
            .explain_messages(rank.input(),
                              target_of_ones(rank.network(), rank.shard(), own, extents[-1], views_of(inverse)),
                              {&rank.shard(), batch, batch});
    return explained_plan(rank.network(), *pass.plan, std::move(pass.ops), ceilings);
}

}  // namespace plumecast
