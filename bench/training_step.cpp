#include "training_step.hpp"

#include <utility>
#include <vector>

namespace plumecast::bench {

TrainingStep::TrainingStep(const FieldNetwork& network, const Recipe& recipe, std::span<const double> r_edges)
    : network_(network),
      pass_(network, recipe.loss),
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

double TrainingStep::run(const Batch& batch) {
    const LossTarget target{uploaded(batch.targets), uploaded(batch.active), std::as_const(distances_).view()};
    StartedLoss loss = pass_.run(batch, target);
    adam_.step(learning_rate_);
    return loss.wait().value;
}

}  // namespace plumecast::bench
