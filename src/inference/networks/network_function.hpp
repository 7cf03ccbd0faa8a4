#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/architectures/network.hpp>
#include <plumecast/inference/predicted_arrays.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast {

/// Where derivatives of a weighted sum of predictions go, float32 or float64.
struct NetworkGradients {
    std::optional<OutputArray> channels = std::nullopt;  ///< [B, space..., T, C]
    std::map<std::string, OutputArray> weights = {};     ///< by the names of trainable weights, in their shapes
};

/// A network as a function from channels [B, space..., T, C] to predictions [B, space..., T, F], with its
/// vector-Jacobian product, by plans of the passes of a training step. The weights may be changed between two calls.
/// Keeps the plans of the latest shapes; any number of threads may call it at once, but for forward() in training,
/// which moves running statistics. Of one rank.
class NetworkFunction {
   public:
    /// The network must outlive it.
    explicit NetworkFunction(const Network& network) : network_(&network) {}
    NetworkFunction(const NetworkFunction&) = delete;
    NetworkFunction& operator=(const NetworkFunction&) = delete;

    /// Predicts, into float32 or float64. In training batch norms use the statistics of the batch, and their running
    /// ones move. Channels may be of any real type. Throws InvalidInput for shapes and arrays that do not fit,
    /// OutOfMemory.
    void forward(const ArrayView& channels, const OutputArray& prediction, ExecutionMode mode);
    /// Derivatives of the sum of cotangent times prediction, both [B, space..., T, F]. Computes the prediction once
    /// more; running statistics stay. Throws as forward() does, and for names of no trainable weight.
    void vjp(const ArrayView& channels, const ArrayView& cotangent, const NetworkGradients& gradients,
             ExecutionMode mode);

   private:
    struct Known {
        std::string key;
        std::shared_ptr<const Plan> plan;
    };

    std::vector<std::int64_t> prediction_extents(const ArrayView& channels) const;
    std::shared_ptr<const Plan> plan(const std::string& key, const std::function<Graph()>& graph);

    const Network* network_;
    std::mutex mutex_;
    std::list<Known> known_;  // the latest few, the last one used first
};

}  // namespace plumecast
