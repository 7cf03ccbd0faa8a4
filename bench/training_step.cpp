#include "training_step.hpp"

#include <vector>

namespace plumecast::bench {

TrainingStep::TrainingStep(const FieldNetwork& network, const Recipe& recipe, std::span<const double> r_edges)
    : network_(network),
      pass_(network, recipe.loss, recipe.recompute_blocks),
      learning_rate_(recipe.schedule.learning_rate),
      adam_(network.parameters(), recipe.optimizer) {
    const std::vector<double> inverse = inverse_center_distances(r_edges);
    distances_ = uploaded(host_tensor<double>({static_cast<std::int64_t>(inverse.size())}, inverse));
}

Tensor TrainingStep::uploaded(ConstView host) const {
    Backend& backend = network_.backend();
    Tensor device(backend.memory(), host.shape, backend.compute_type());
    backend.upload(host, device);
    return device;
}

LossTarget TrainingStep::target_of(const Batch& batch) const {
    return {uploaded(batch.targets), uploaded(batch.active), {distances_.view()}};
}

double TrainingStep::pass(const Batch& batch) { return pass_.run(batch, target_of(batch)).wait(); }

double TrainingStep::run(const Batch& batch) {
    const LossTarget target = target_of(batch);
    StartedLoss loss = pass_.run(batch, target);
    adam_.step(learning_rate_);
    return loss.wait();
}

std::vector<ExplainedOp> TrainingStep::explain(const Batch& batch, int repeats) {
    return pass_.explain(batch, target_of(batch), repeats).ops;
}

}  // namespace plumecast::bench
