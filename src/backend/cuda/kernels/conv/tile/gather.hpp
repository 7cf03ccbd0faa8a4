#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/cuda/kernels/conv/part.hpp"

namespace plumecast::cuda::tile {

/// One axis of a convolution, as ConvPart states it, in numbers of 32 bits.
struct Axis {
    int coarse, fine, taps, stride, padding;
};

/// One axis of a gather: output cell out_first + i out_step takes, for each j in [0, taps), input cell
/// i step + lowest + j through tap first_tap + j tap_step of the weight.
struct GatherAxis {
    int outputs;  ///< values of i
    int inputs;   ///< cells of the input
    int step, lowest;
    int taps, first_tap, tap_step;
    int out_first, out_step;

    /// Input cells that `cells` neighbouring outputs take.
    constexpr int halo(int cells) const { return (cells - 1) * step + (taps > 0 ? taps : 1); }
    constexpr int tap(int j) const { return first_tap + j * tap_step; }
};

/// Coarse cells from fine ones.
constexpr GatherAxis to_coarse(const Axis& axis) {
    return {axis.coarse, axis.fine, axis.stride, -axis.padding, axis.taps, 0, 1, 0, 1};
}

/// Fine cells r, r + stride, ... from coarse ones: every tap k with r + padding - k divisible by the stride, from the
/// last to the first, so that input cells ascend.
constexpr GatherAxis to_fine(const Axis& axis, int r) {
    const int first = (r + axis.padding) % axis.stride, reach = (r + axis.padding) / axis.stride;
    const int taps = first < axis.taps ? (axis.taps - first + axis.stride - 1) / axis.stride : 0;
    const int outputs = r < axis.fine ? (axis.fine - r + axis.stride - 1) / axis.stride : 0;
    return {outputs,      axis.coarse, 1,          reach - taps + 1, taps, first + axis.stride * (taps - 1),
            -axis.stride, r,           axis.stride};
}

using GatherAxes = std::array<GatherAxis, 3>;

constexpr int taps_of(const GatherAxes& axes) { return axes[0].taps * axes[1].taps * axes[2].taps; }

/// One direction of a convolution as gathers: one from fine to coarse cells, and from coarse to fine cells one for each
/// remainder of the stride, a class, whose outputs all take the same taps.
struct Gather {
    std::array<Axis, 3> axes{};
    int batch = 0;
    bool makes_fine = false;
    int coarse_channels = 0, fine_channels = 0;

    Gather() = default;
    /// The part holds all channels.
    Gather(const ConvPart& part, bool fine_from_coarse)
        : axes{axis(part, 0), axis(part, 1), axis(part, 2)},
          batch(static_cast<int>(part.coarse[0])),
          makes_fine(fine_from_coarse),
          coarse_channels(static_cast<int>(part.coarse[4])),
          fine_channels(static_cast<int>(part.fine[4])) {}

    constexpr int in_channels() const { return makes_fine ? coarse_channels : fine_channels; }
    constexpr int out_channels() const { return makes_fine ? fine_channels : coarse_channels; }
    constexpr int classes() const { return makes_fine ? axes[0].stride * axes[1].stride * axes[2].stride : 1; }
    constexpr GatherAxes of_class(int number) const {
        if (!makes_fine) {
            return {to_coarse(axes[0]), to_coarse(axes[1]), to_coarse(axes[2])};
        }
        const int s2 = axes[1].stride, s3 = axes[2].stride;
        return {to_fine(axes[0], number / s3 / s2), to_fine(axes[1], number / s3 % s2), to_fine(axes[2], number % s3)};
    }
    /// The most outputs that a class has along an axis, and the most taps that it has in all.
    constexpr int most_outputs(std::size_t axis) const {
        const Axis& of = axes[axis];
        return makes_fine ? (of.fine + of.stride - 1) / of.stride : of.coarse;
    }
    constexpr int most_taps() const {
        int most = 0;
        for (int number = 0; number < classes(); ++number) {
            const int taps = taps_of(of_class(number));
            most = taps > most ? taps : most;
        }
        return most;
    }
    /// Position in the weight [C, k1, k2, k3, F] of what couples an input channel to an output channel through taps
    /// j1, j2, j3 of a class.
    constexpr int weight(const GatherAxes& of, int j1, int j2, int j3, int in, int out) const {
        const int tap = (of[0].tap(j1) * axes[1].taps + of[1].tap(j2)) * axes[2].taps + of[2].tap(j3);
        const int c = makes_fine ? in : out, f = makes_fine ? out : in;
        return (c * axes[0].taps * axes[1].taps * axes[2].taps + tap) * fine_channels + f;
    }

    /// Number of an output cell among all of the field.
    constexpr std::int64_t output_cell(const GatherAxes& of, int b, int i1, int i2, int i3) const {
        const auto extent = [&](std::size_t a) { return makes_fine ? axes[a].fine : axes[a].coarse; };
        const auto at = [&](std::size_t a, int i) { return of[a].out_first + i * of[a].out_step; };
        return ((static_cast<std::int64_t>(b) * extent(0) + at(0, i1)) * extent(1) + at(1, i2)) * extent(2) + at(2, i3);
    }

   private:
    static Axis axis(const ConvPart& part, std::size_t a) {
        const int at = static_cast<int>(a) + 1;
        return {static_cast<int>(part.coarse[at]), static_cast<int>(part.fine[at]),
                static_cast<int>(part.geometry.kernel[a]), static_cast<int>(part.geometry.stride[a]),
                static_cast<int>(part.geometry.padding_low[a])};
    }
};

}  // namespace plumecast::cuda::tile
