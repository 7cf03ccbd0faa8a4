#pragma once

#include <functional>
#include <map>
#include <string>

#include <plumecast/graph/graph.hpp>

#include "onnx/host_weights.hpp"

namespace plumecast {

/// A graph as a file of the Open Neural Network Exchange (onnx.ai, operator set 13), for any number of cases: inputs
/// and outputs keep names and shapes but for the first axis, the batch, of which the graph has one. Arrays stay
/// channels-last. Truncated Fourier transforms are products with real matrices, so no runtime needs transforms or
/// complex numbers. Metadata goes along as pairs of text. What
/// depends on weights alone must have become constants (fold_constants()), and nothing be fused. Throws InvalidInput
/// for an op that ONNX lacks: convolutions over three axes of space and time at once, and what only training needs.
std::string onnx_file(const Graph& graph, const HostWeights& weights,
                      const std::map<std::string, std::string>& metadata);

}  // namespace plumecast
