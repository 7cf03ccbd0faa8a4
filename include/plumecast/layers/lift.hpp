#pragma once

#include <string>
#include <vector>

#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// Input channels that vary along the same axes: values [B|1, space|1..., T|1, C] with extent 1 along the others.
struct LiftInput {
    std::vector<std::int64_t> channels;  ///< rows of the lift's weight, one per channel of `values`
    Variable values;
};

/// Pointwise linear map of the input channels to `width` channels on the padded grid. Every group is mapped where it
/// varies and broadcast in the sum, so nothing constant is ever repeated over time. Where padding is zero all input
/// channels are, so only the bias remains.
struct Lift {
    Variable weight;  ///< [C, width]
    Variable bias;    ///< [width]

    Lift(const Scope& scope, std::int64_t channels, std::int64_t width);
    /// Result [B, padded..., T padded, width]; `extents` are the padded space extents and T.
    Variable operator()(const std::vector<LiftInput>& inputs, std::int64_t batch, const Padding& padding,
                        const Shape& extents) const;
};

/// The cells [0, extent) of every space axis and time: [B, padded..., C] -> [B, extents..., C].
Variable crop(const Variable& x, const Shape& extents);

}  // namespace plumecast
