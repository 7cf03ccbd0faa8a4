#pragma once

#include <plumecast/backend/ops.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast::bench {

/// A strided convolution as one form in three arrays: sum of large[s q + k - p, l] weight[m, k, l] small[q, m] over all
/// cells q of the smaller grid, taps k and channels. A convolution reads `large` and writes `small`, a transposed one
/// the other way round; so do their gradients. Arrays are [1, axes..., C], the weight [M, k1, k2, k3, L], float32 on
/// the host.
struct ConvForm {
    ConvGeometry geometry;
    ConstView large, weight, small;

    /// True when `small`, `large` or `weight` holds, at places drawn at random, what the two other arrays give.
    bool proves_small() const;
    bool proves_large() const;
    bool proves_weight() const;
};

}  // namespace plumecast::bench
