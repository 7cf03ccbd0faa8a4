#pragma once

#include <span>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/layers/loss.hpp>
#include <plumecast/training/optimizer.hpp>
#include <plumecast/training/recipe.hpp>

#include "training/training_pass.hpp"

namespace plumecast::bench {

/// What a training run repeats: forward, masked loss, backward, Adam.
class TrainingStep {
   public:
    /// The network must outlive it. `r_edges` [R+1] [m] are the cell edges of the grid.
    TrainingStep(const FieldNetwork& network, const Recipe& recipe, std::span<const double> r_edges);

    /// One step at the recipe's initial learning rate; the loss before it.
    double run(const Batch& batch);

   private:
    Tensor uploaded(ConstView host) const;

    const FieldNetwork& network_;
    TrainingPass pass_;
    double learning_rate_;
    Adam adam_;
    Tensor distances_;
};

}  // namespace plumecast::bench
