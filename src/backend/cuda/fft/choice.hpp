#pragma once

#include <string>

#include <plumecast/backend/backend.hpp>

/// How a device takes spectral transforms, where SpectralWay::automatic leaves the choice.
namespace plumecast::cuda {

/// Without a measurement: cuFFT where the last axis of space, whose product is the largest, keeps at least so many
/// modes. By a count of the bytes and operations of both ways on an H200, not measured.
inline constexpr int fft_pays_from_modes = 20, fft_pays_from_modes_on_matrix_units = 70;
bool fft_pays(const FourierGeometry& geometry, Precision precision);

/// Names transforms of a field forward and back by what their time depends on.
std::string fourier_kind(const FourierGeometry& geometry, const Shape& field, DType type);

/// Both transforms of such a field [outer, cells..., C] into memory of their own, through forward_fft() and
/// inverse_fft() or as products; results are of no use. For clocks.
void transform_by_fft(Backend& backend, const FourierGeometry& geometry, const Shape& field, DType type);
void transform_by_products(Backend& backend, const FourierGeometry& geometry, const Shape& field, DType type);

}  // namespace plumecast::cuda
