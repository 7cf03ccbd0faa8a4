#pragma once

#include <map>
#include <string>
#include <vector>

#include <plumecast/graph/graph.hpp>

#include "graph/ops/turn.hpp"
#include "onnx/host_weights.hpp"
#include "onnx/onnx_model.hpp"

namespace plumecast {

/// A row-major matrix of so many rows, transposed.
std::vector<float> transpose_of(const std::vector<float>& matrix, std::int64_t rows);

/// The nodes of a graph, one after the other, as nodes of an ONNX model. The first axis of fields is free; a -1 in a
/// list of extents stands for it, or for what it makes together with axes beside it.
class OnnxTranslation {
   public:
    OnnxTranslation(const Graph& graph, const HostWeights& weights);

    /// The next node. Throws InvalidInput for an op without an ONNX form.
    void add(std::size_t node);
    /// Once, after all nodes.
    std::string finish(const std::map<std::string, std::string>& metadata);

   private:
    void add(const InputOp& op, std::size_t node);
    void add(const WeightOp& op, std::size_t node);
    void add(const ConstantOp& op, std::size_t node);
    void add(const MatMulOp& op, std::size_t node);
    void add(const AxisTransformOp& op, std::size_t node);
    void add(const CombineSignsOp& op, std::size_t node);
    void add(const SpectralMultiplyOp& op, std::size_t node);
    void add(const ConvOp& op, std::size_t node);
    void add(const NormaliseOp& op, std::size_t node);
    void add(const PaddedSumOp& op, std::size_t node);
    void add(const CropOp& op, std::size_t node);
    void add(const ReshapeOp& op, std::size_t node);
    void add(const TurnOp& op, std::size_t node);
    void add(const ConcatOp& op, std::size_t node);
    void add(const AddOp& op, std::size_t node);
    void add(const MultiplyOp& op, std::size_t node);
    void add(const ActivateOp& op, std::size_t node);
    int input_of(std::size_t node, std::size_t which) const;
    const Shape& shape_of(std::size_t node) const { return graph_->nodes()[node].type.shape; }
    const Shape& input_shape(std::size_t node, std::size_t which) const;
    /// Name of an input that is computed or given at each run.
    const std::string& field(std::size_t node, std::size_t which) const;
    /// Numbers of an input that is a weight or constant; throws InvalidInput for others.
    std::vector<float> numbers(std::size_t node, std::size_t which) const;
    std::string name_of_array(std::size_t node, std::size_t which, const std::string& suffix = "") const;
    /// An input that is a weight or constant, as an array of the model; stored once.
    std::string array(std::size_t node, std::size_t which);
    std::string stored(const std::string& name, const Shape& shape, const std::vector<float>& values);
    /// An input of either kind.
    std::string operand(std::size_t node, std::size_t which);
    std::string reshaped(const std::string& x, const std::vector<std::int64_t>& extents);
    std::string transposed_axes(const std::string& x, const std::vector<std::int64_t>& order);
    void give(std::size_t node, std::string name) { names_[node] = std::move(name); }
    /// Extents of a field with the batch free.
    std::vector<std::int64_t> extents(const Shape& shape) const;

    const Graph* graph_;
    const HostWeights* weights_;
    OnnxModel model_;
    std::vector<std::string> names_;  // of the values of nodes, empty for weights and constants
    std::map<std::string, bool> stored_;
};

}  // namespace plumecast
