#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <plumecast/graph/graph.hpp>

/// What networks are described with: each function adds the ops of a layer to the graph of its input, and names its
/// weights under a path, with the initial values that PyTorch gives them. Fields are channels-last, [B, axes..., C].
namespace plumecast {

/// The name of a layer, such as blocks.3.unet.conv1.
struct LayerPath {
    std::string text;

    LayerPath operator/(const std::string& part) const { return {text.empty() ? part : text + "." + part}; }
    LayerPath operator/(std::int64_t index) const { return *this / std::to_string(index); }
};

/// a + b.
Value operator+(const Value& a, const Value& b);
/// a b, element by element.
Value operator*(const Value& a, const Value& b);
/// f(x); x itself under the identity.
Value activate(const Value& x, Activation f);
/// The channels of a, then those of b.
Value concat(const Value& a, const Value& b);
/// The cells [0, extent) of every axis between batch and channels.
Value crop(const Value& x, const Shape& extents);

/// x W^T + b on the channels; weight [outputs, inputs], bias [outputs].
Value linear(const Value& x, std::int64_t outputs, const LayerPath& at);

/// F^-1(W . F(x)): one complex matrix per kept mode (Li et al., ICLR 2021); weight [2 m per axis of space..., mt, 2
/// (re, im), C, C], modes of space ordered 0..m-1, -m..-1. `modes`: m of each axis of space, then mt. Throws
/// InvalidInput for counts that the grid does not hold.
Value spectral_conv(const Value& x, const std::vector<std::int64_t>& modes, const LayerPath& at);

/// A convolution; weight ConvGeometry::weight_shape(), bias [outputs].
Value conv(const Value& x, const ConvGeometry& geometry, std::int64_t outputs, bool with_bias, const LayerPath& at);

/// Where the statistics of a batch norm come from.
enum class Statistics { running, of_batch };

/// The same of each norm of a network, by its path.
using StatisticsOf = std::function<Statistics(const LayerPath& norm)>;

/// Batch normalisation over all axes but the channels (Ioffe and Szegedy 2015). With statistics of the batch, the graph
/// gets the running ones, moved by a tenth, as outputs under their names.
Value batch_norm(const Value& x, Statistics statistics, const LayerPath& at);

/// A loss and where its gradient starts.
struct LossValues {
    Value per_case;  ///< [B] float64
    Value gradient;  ///< of `share` times their sum, like the prediction
};

/// What a loss compares: prediction and target [B, space..., T, F] at the active of the cells [B, space...]. Inverse
/// distances are those of the last axis of space, or for h1 one array for each axis, of its extent.
struct LossInputs {
    Value prediction, target, active;
    std::vector<Value> inverse_distances;
};

/// The loss over active cells that the measure says. Ranks that hold parts of `space` add up their norms.
LossValues field_loss(const LossInputs& compared, const LossMeasure& measure, double share,
                      Communicator* space = nullptr);

/// Input channels that vary along the same axes, [B|1, space|1..., T|1, C].
struct LiftGroup {
    std::vector<std::int64_t> channels;  ///< rows of the lift's weight
    Value values;
};

/// What is zero where the padding of a lift is.
enum class ZeroEdges { inputs, lifted };

/// A linear map of all `channels` to the channels of `padded` [B, axes..., width]. Each group is mapped where it
/// varies; where padding is zero only the bias is left, or nothing. Weight [channels, width], bias [width].
Value lift(const std::vector<LiftGroup>& groups, std::int64_t channels, const Padding& padding, const Shape& padded,
           const LayerPath& at, ZeroEdges edges = ZeroEdges::inputs);

}  // namespace plumecast
