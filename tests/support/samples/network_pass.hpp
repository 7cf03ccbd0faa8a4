#pragma once

#include <map>
#include <string>
#include <vector>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/inference/field_network.hpp>

namespace plumecast::testing {

/// The shapes of an input, whose groups are named `input.0`, `input.1`, ...
NetworkShapes shapes_of(const NetworkInput& input);

/// The arrays of an input and of a network's weights by the names of its graph; both must outlive it.
Feed feed_of(const Network& network, const NetworkInput& input);

/// A prediction [B, space..., T, fields] as the description of a network says it, op by op: what plans are judged by.
Tensor described_prediction(const Network& network, const NetworkInput& input,
                            ExecutionMode mode = ExecutionMode::evaluation);
/// The same of the normalised fields for a host batch, with the physics that the network corrects.
Tensor described_fields(const FieldNetwork& network, const Batch& batch);
Tensor described_fields(const FieldNetwork& network, const FieldInput& input);

/// Adds the gradients of output `prediction` times input `cotangent` with respect to all inputs and trainable weights
/// it depends on, as outputs `gradient.NAME`, whose names it returns.
std::vector<std::string> add_gradients(Graph& graph);

/// A prediction and the gradients of <prediction, cotangent()>, in host memory, float64.
struct NetworkPass {
    Tensor prediction;
    std::map<std::string, Tensor> gradients;   ///< of inputs and trainable weights
    std::map<std::string, Tensor> statistics;  ///< that a step of training leaves
};

/// Relative L2 of arrays by name, all together.
double relative_l2_of_all(const std::map<std::string, Tensor>& tried, const std::map<std::string, Tensor>& right);

/// The pass as a plan runs it: before_gradients(), gradients(), after_gradients().
NetworkPass network_pass(const Network& network, const NetworkInput& input, ExecutionMode mode);

}  // namespace plumecast::testing
