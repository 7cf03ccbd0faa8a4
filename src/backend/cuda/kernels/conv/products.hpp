#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cuda/kernels/conv/part.hpp"
#include "backend/cuda/kernels/elements.hpp"

/// The kernels behind conv.hpp: plain gathers, for convolutions no library takes.
namespace plumecast::cuda::kernel {

/// One axis of a convolution.
struct ConvAxis {
    std::int64_t coarse, fine, taps, stride, padding;

    /// Fine cell of a coarse cell and a tap, or -1 outside the field.
    constexpr std::int64_t fine_cell(std::int64_t q, std::int64_t tap) const {
        const std::int64_t p = q * stride + tap - padding;
        return p < fine ? std::max<std::int64_t>(p, -1) : -1;
    }
    /// Coarse cell that reads a fine cell through a tap, or -1 when none does.
    constexpr std::int64_t coarse_cell(std::int64_t p, std::int64_t tap) const {
        const std::int64_t reach = p + padding - tap;
        return reach >= 0 && reach % stride == 0 && reach / stride < coarse ? reach / stride : -1;
    }
};

/// Where the numbers of a ConvPart lie.
struct ConvIndex {
    ConvAxis axis1, axis2, axis3;
    std::int64_t batch, coarse_channels, fine_channels, weight_channels, first_fine;

    explicit ConvIndex(const ConvPart& part)
        : axis1(axis(part, 0)),
          axis2(axis(part, 1)),
          axis3(axis(part, 2)),
          batch(part.coarse[0]),
          coarse_channels(part.coarse[4]),
          fine_channels(part.fine[4]),
          weight_channels(part.weight[4]),
          first_fine(part.first_fine) {}

    /// Start of a cell's channels, or of a tap's weights for the part's coarse channel c.
    constexpr std::int64_t coarse(std::int64_t b, std::int64_t q1, std::int64_t q2, std::int64_t q3) const {
        return (((b * axis1.coarse + q1) * axis2.coarse + q2) * axis3.coarse + q3) * coarse_channels;
    }
    constexpr std::int64_t fine(std::int64_t b, std::int64_t p1, std::int64_t p2, std::int64_t p3) const {
        return (((b * axis1.fine + p1) * axis2.fine + p2) * axis3.fine + p3) * fine_channels;
    }
    constexpr std::int64_t weight(std::int64_t c, std::int64_t k1, std::int64_t k2, std::int64_t k3) const {
        return (((c * axis1.taps + k1) * axis2.taps + k2) * axis3.taps + k3) * weight_channels + first_fine;
    }

   private:
    static ConvAxis axis(const ConvPart& part, std::size_t a) {
        const int at = static_cast<int>(a) + 1;
        return {part.coarse[at], part.fine[at], part.geometry.kernel[a], part.geometry.stride[a],
                part.geometry.padding_low[a]};
    }
};

/// One element of the coarse field; `weight` starts at the part's first coarse channel.
template <class T>
struct CoarseFromFine {
    ConvIndex at;
    const T* fine;
    const float* weight;
    float* coarse;
    float beta;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t c = i % at.coarse_channels, cell = i / at.coarse_channels;
        const std::int64_t q3 = cell % at.axis3.coarse, q2 = cell / at.axis3.coarse % at.axis2.coarse;
        const std::int64_t q1 = cell / at.axis3.coarse / at.axis2.coarse % at.axis1.coarse;
        const std::int64_t b = cell / at.axis3.coarse / at.axis2.coarse / at.axis1.coarse;
        float sum = 0.0f;
        for (std::int64_t k1 = 0; k1 < at.axis1.taps; ++k1) {
            for (std::int64_t k2 = 0; k2 < at.axis2.taps; ++k2) {
                for (std::int64_t k3 = 0; k3 < at.axis3.taps; ++k3) {
                    const std::int64_t p1 = at.axis1.fine_cell(q1, k1), p2 = at.axis2.fine_cell(q2, k2),
                                       p3 = at.axis3.fine_cell(q3, k3);
                    if (p1 < 0 || p2 < 0 || p3 < 0) {
                        continue;
                    }
                    const T* x = fine + at.fine(b, p1, p2, p3);
                    const float* w = weight + at.weight(c, k1, k2, k3);
                    for (std::int64_t f = 0; f < at.fine_channels; ++f) {
                        sum += number(x[f]) * w[f];
                    }
                }
            }
        }
        coarse[i] = beta != 0.0f ? sum + beta * coarse[i] : sum;
    }
};

/// One element of the fine field: the transpose of CoarseFromFine.
template <class T>
struct FineFromCoarse {
    ConvIndex at;
    const T* coarse;
    const float* weight;
    float* fine;
    float beta;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t f = i % at.fine_channels, cell = i / at.fine_channels;
        const std::int64_t p3 = cell % at.axis3.fine, p2 = cell / at.axis3.fine % at.axis2.fine;
        const std::int64_t p1 = cell / at.axis3.fine / at.axis2.fine % at.axis1.fine;
        const std::int64_t b = cell / at.axis3.fine / at.axis2.fine / at.axis1.fine;
        float sum = 0.0f;
        for (std::int64_t k1 = 0; k1 < at.axis1.taps; ++k1) {
            for (std::int64_t k2 = 0; k2 < at.axis2.taps; ++k2) {
                for (std::int64_t k3 = 0; k3 < at.axis3.taps; ++k3) {
                    const std::int64_t q1 = at.axis1.coarse_cell(p1, k1), q2 = at.axis2.coarse_cell(p2, k2),
                                       q3 = at.axis3.coarse_cell(p3, k3);
                    if (q1 < 0 || q2 < 0 || q3 < 0) {
                        continue;
                    }
                    const T* y = coarse + at.coarse(b, q1, q2, q3);
                    for (std::int64_t c = 0; c < at.coarse_channels; ++c) {
                        sum += number(y[c]) * weight[at.weight(c, k1, k2, k3) + f];
                    }
                }
            }
        }
        fine[i] = beta != 0.0f ? sum + beta * fine[i] : sum;
    }
};

/// Gradient of one weight over every `pieces`-th coarse cell: partial [pieces, C, k1, k2, k3, F] of the part.
template <class T>
struct WeightSums {
    ConvIndex at;
    const T *coarse, *fine;
    double* partial;
    std::int64_t pieces;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t f = i % at.fine_channels, k3 = i / at.fine_channels % at.axis3.taps;
        const std::int64_t k2 = i / at.fine_channels / at.axis3.taps % at.axis2.taps;
        const std::int64_t k1 = i / at.fine_channels / at.axis3.taps / at.axis2.taps % at.axis1.taps;
        const std::int64_t rest = i / at.fine_channels / at.axis3.taps / at.axis2.taps / at.axis1.taps;
        const std::int64_t c = rest % at.coarse_channels, piece = rest / at.coarse_channels;
        const std::int64_t cells = at.batch * at.axis1.coarse * at.axis2.coarse * at.axis3.coarse;
        double sum = 0.0;
        for (std::int64_t cell = piece; cell < cells; cell += pieces) {
            const std::int64_t p3 = at.axis3.fine_cell(cell % at.axis3.coarse, k3);
            const std::int64_t p2 = at.axis2.fine_cell(cell / at.axis3.coarse % at.axis2.coarse, k2);
            const std::int64_t outer = cell / at.axis3.coarse / at.axis2.coarse;
            const std::int64_t p1 = at.axis1.fine_cell(outer % at.axis1.coarse, k1);
            if (p1 < 0 || p2 < 0 || p3 < 0) {
                continue;
            }
            const float x = number(fine[at.fine(outer / at.axis1.coarse, p1, p2, p3) + f]);
            sum += static_cast<double>(number(coarse[cell * at.coarse_channels + c])) * static_cast<double>(x);
        }
        partial[i] = sum;
    }
};

}  // namespace plumecast::cuda::kernel
