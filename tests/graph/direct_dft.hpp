#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <plumecast/core/tensor.hpp>

namespace plumecast::testing {

/// Kept part of a full half-spectrum, straight from the definition: every value is one sum over the whole grid.
class DirectDft {
   public:
    /// Space extents followed by T; kept modes per axis.
    DirectDft(const Shape& extents, const std::vector<std::int64_t>& modes);

    /// Kept modes of fields [B, space..., T, C] float64, unscaled, as [B, K, 2, mt, C] float64. Where a small grid lets
    /// two stored modes mean the same frequency, the one stored last holds it and the others are zero.
    Tensor forward(ConstView field) const;
    /// numpy.fft.irfftn of the half-spectrum with the stored modes written into it, later ones over earlier ones, and
    /// zero elsewhere: [B, K, 2, mt, C] -> [B, space..., T, C] float64.
    Tensor inverse(ConstView spectrum) const;
    /// [K, mt]: how often a stored mode counts in the inverse, 0 where it is overwritten.
    std::vector<double> multiplicities() const;

    const Shape& extents() const { return extents_; }
    /// Number of stored space modes K.
    std::int64_t space_modes() const { return static_cast<std::int64_t>(frequencies_.size()); }
    std::int64_t time_modes() const { return modes_.back(); }

   private:
    using Frequency = std::vector<std::int64_t>;  // one per space axis, 0 <= k < N
    std::int64_t frequency_at(std::size_t axis, std::int64_t stored) const;
    std::complex<double> factor(const Frequency& k, std::int64_t kt, std::int64_t cell) const;

    Shape extents_;
    std::vector<std::int64_t> modes_;
    std::vector<Frequency> frequencies_;  // by stored position
    std::vector<bool> live_;              // false where a later write hits the same frequency
};

}  // namespace plumecast::testing
