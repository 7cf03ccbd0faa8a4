#pragma once

#include <span>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/loss.hpp>
#include <plumecast/training/optimizer.hpp>
#include <plumecast/training/recipe.hpp>

#include "training/training_pass.hpp"

namespace plumecast::bench {

/// What a training run repeats: forward, masked loss, backward, Adam.
class TrainingStep {
   public:
    /// The network must outlive it. `r_edges` [R+1] [m] are the cell edges of the grid.
    TrainingStep(const FieldNetwork& network, const Recipe& recipe, std::span<const double> r_edges);

    /// Forward and backward pass: the loss, and gradients in the parameters, which keep their values.
    double pass(const Batch& batch);
    /// One step at the recipe's initial learning rate; the loss before it.
    double run(const Batch& batch);
    /// The ops of one without Adam, each timed so often.
    std::vector<ExplainedOp> explain(const Batch& batch, int repeats);

   private:
    Tensor uploaded(ConstView host) const;
    LossTarget target_of(const Batch& batch) const;

    const FieldNetwork& network_;
    TrainingPass pass_;
    double learning_rate_;
    Adam adam_;
    Tensor distances_;
};

}  // namespace plumecast::bench
