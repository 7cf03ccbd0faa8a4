#pragma once

#include <cstdint>

#include <plumecast/graph/layers.hpp>

/// Layers that work along one axis of a field at a time. They need all its cells: ranks that share the work refuse
/// them.
namespace plumecast {

/// A spectral convolution along one axis alone (Tran et al., ICLR 2023): weight [modes, 2 (re, im), C, C], of the
/// frequencies 0..modes-1. Throws InvalidInput for counts that the axis does not hold.
Value spectral_conv_along(const Value& x, int axis, std::int64_t modes, const LayerPath& at);

/// The field at so many cells of an axis, by its Fourier series up to what both grids hold; a field of low frequencies
/// keeps its values.
Value resampled(const Value& x, int axis, std::int64_t cells);

}  // namespace plumecast
