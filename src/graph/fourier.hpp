#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/graph/graph.hpp>

/// The truncated real Fourier transform of fields [B, space..., T, C] over space and time, which only ever computes the
/// kept modes: one product with a small matrix per axis. Cosine and sine sums are kept apart along every axis of space,
/// so all arithmetic stays real, and combined to signed frequencies at the end, where little is left. `modes`: m of
/// each axis of space, which keeps the frequencies 0..m-1, -m..-1, then mt of time, which keeps 0..mt-1. An axis of one
/// point may have 0 modes: it is not transformed, spectra lack it, and the last axis that is transformed is the one
/// that time is otherwise. Conventions: docs/conventions.md. Both throw InvalidInput for counts that the grid does not
/// hold.
namespace plumecast {

/// Unscaled kept modes [B, 2 m per axis of space..., 2 mt, C]: along time the real parts, then the imaginary parts.
Value truncated_fourier(const Value& field, const std::vector<std::int64_t>& modes);

/// The real field of extents [space..., T] of such a spectrum, scaled by 1 / cells, or its first cells where `box` says
/// how many; modes that are not kept are zero. As numpy.fft.irfftn it takes the real part of what no real field has.
Value inverse_truncated_fourier(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents,
                                const Shape& box = {}, DType type = DType::float32);

/// The unscaled forward transform of those of the axes [space..., T], all with modes, that are transformed at once
/// where a library does it: the last ones, up to three.
FourierGeometry fft_of(const Shape& extents, const std::vector<std::int64_t>& modes);
/// The same two transforms by Backend::forward_fft() and inverse_fft() over the axes of fft_of(); one of space before
/// them is a product as above. Axes that are not transformed are taken away and given back by reshapes.
Value truncated_fft(const Value& field, const std::vector<std::int64_t>& modes);
Value inverse_truncated_fft(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents,
                            const Shape& box = {}, DType type = DType::float32);

}  // namespace plumecast
