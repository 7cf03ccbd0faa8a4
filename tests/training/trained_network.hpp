#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/training/optimizer.hpp>

#include "inference/rank_shard.hpp"
#include "training/training_pass.hpp"

namespace plumecast::testing {

/// Cases in float64 on a grid [space..., T] with channels that vary everywhere; with physics to correct where wanted.
Batch random_cases(const NetworkDescription& network, const Shape& extents, const std::string& seed,
                   std::int64_t cases = 2);

/// A network, of one rank or of one of several, and what training passes leave of it.
class TrainedNetwork {
   public:
    TrainedNetwork(std::unique_ptr<Backend> backend, const NetworkDescription& description,
                   const std::vector<std::string>& frozen = {}, const ProcessGrid* grid = nullptr,
                   int recompute_blocks = 0, const LossOptions& loss = {});

    const FieldNetwork& network() const { return network_; }
    Backend& backend() { return *backend_; }
    /// A pass over whole cases, of which a rank takes its part; `of_step` counts the cases of the step.
    void run(const Batch& batch, std::int64_t of_step = 2, bool is_last = true);
    /// The ops of a pass of one rank.
    std::vector<ExplainedOp> explain(const Batch& batch);
    /// The loss of fields that were predicted for whole cases.
    double loss_of(const Tensor& fields, const Batch& batch) const;
    /// One step of Adam with the gradients that are there.
    void step(double rate);
    /// The losses so far, of all ranks.
    const std::vector<double>& losses() const { return losses_; }
    /// Loss, all gradients together, statistics and weights together as those of another network, of which a rank holds
    /// its part, to a relative tolerance.
    void expect_same(const TrainedNetwork& other, double tolerance) const;

   private:
    std::vector<Tensor> distances_on_backend(const Batch& batch) const;
    LossTarget target_of(const Batch& batch, const std::vector<Tensor>& inverse_distances) const;

    std::unique_ptr<Backend> backend_;
    FieldNetwork network_;
    LossOptions loss_;
    TrainingPass pass_;
    Adam adam_;
    std::vector<double> losses_;
};

}  // namespace plumecast::testing
