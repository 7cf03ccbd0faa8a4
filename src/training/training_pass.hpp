#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/layers/loss.hpp>
#include <plumecast/plan/plan.hpp>

#include "training/training_graph.hpp"

namespace plumecast {

/// Forward pass, loss and backward pass of batches, which add their gradients to those that the parameters hold and
/// move running statistics. One rank runs plans; ranks that share the work go through layers and tape together.
/// A batch is start() and finish(), with time between them to read the losses of earlier ones.
class TrainingPass {
   public:
    /// The network must outlive it.
    TrainingPass(const FieldNetwork& network, const LossOptions& loss) : network_(&network), loss_(loss) {}

    /// Prediction and loss of a host batch, the loss under way. Where ranks cut space, `with_neighbours` fetches the
    /// cells of the prediction that the loss needs besides. Throws OutOfMemory.
    StartedLoss start(const Batch& batch, const LossTarget& target,
                      const std::function<Variable(const Variable& prediction)>& with_neighbours = {});
    /// Its gradients. Where ranks share the work, `gradient_done` hears of each weight whose gradient is complete.
    void finish(const std::function<void(const Variable&)>& gradient_done = {});

   private:
    StartedLoss run(const FieldInput& input, const LossTarget& target);

    struct Known {
        std::string shapes;
        StepOptions options;
        std::shared_ptr<const Plan> plan;
    };
    std::shared_ptr<const Plan> plan(const FieldInput& input, const StepOptions& options);

    const FieldNetwork* network_;
    LossOptions loss_;
    std::list<Known> known_;  // the latest few, the last one used first
    Variable prediction_;     // of layers and tape, between start() and finish()
    Tensor gradient_;
};

}  // namespace plumecast
