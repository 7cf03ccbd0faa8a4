#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// A spectral convolution (Li et al., ICLR 2021) of a field [B, space..., T, I] by weights [2 m..., mt, 2, I, O]: the
/// truncated Fourier transform, spectral_multiply, and the transform back. It stays one op until passes that partition
/// and crop have seen it.
struct SpectralConvOp {
    static constexpr const char* name = "spectral_conv";
    static constexpr bool chooses_type = true;
    std::vector<std::int64_t> modes;  ///< as truncated_fourier() takes them
    Shape box = {};                   ///< the first cells [space..., T] that are computed; empty for all
    DType type = DType::float32;      ///< of the result
    bool by_fft = false;              ///< whether the transforms are Backend::forward_fft() and inverse_fft()

    std::string text() const;
    /// Throws InvalidInput for modes that the grid does not hold.
    ValueType result(ValueTypes inputs) const;
    SpectralConvOp cropped(const Shape& cells) const { return {modes, cells.slice(1, cells.rank() - 1), type, by_fft}; }
    Value lowered(const std::vector<Value>& inputs) const;
};

}  // namespace plumecast
