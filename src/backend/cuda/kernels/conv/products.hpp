#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "backend/cuda/kernels/conv/part.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"

/// The kernels behind conv.hpp: plain gathers, for convolutions no library takes.
namespace plumecast::cuda::kernel {

/// Stands for a cell outside a field.
template <class Position>
inline constexpr Position no_cell = static_cast<Position>(-1);

/// One axis of a convolution.
struct ConvAxis {
    Divisor coarse, fine, stride;
    std::int64_t taps, padding;

    constexpr ConvAxis(std::int64_t coarse_cells, std::int64_t fine_cells, std::int64_t taps_, std::int64_t stride_,
                       std::int64_t padding_)
        : coarse(coarse_cells), fine(fine_cells), stride(stride_), taps(taps_), padding(padding_) {}

    /// The farthest cell that is counted on the way, counted from the first of the padding.
    constexpr std::int64_t reach() const {
        return std::max(coarse.value() * stride.value() + taps, fine.value() + padding);
    }

    /// Fine cell of a coarse cell and a tap, or no_cell outside the field.
    template <class Position>
    constexpr Position fine_cell(Position q, Position tap) const {
        const Position reach = q * static_cast<Position>(stride.value()) + tap, low = static_cast<Position>(padding);
        return reach >= low && reach - low < static_cast<Position>(fine.value()) ? reach - low : no_cell<Position>;
    }
    /// Coarse cell that reads a fine cell through a tap, or no_cell when none does.
    template <class Position>
    constexpr Position coarse_cell(Position p, Position tap) const {
        const Position from = p + static_cast<Position>(padding);
        if (from < tap) {
            return no_cell<Position>;
        }
        const Position q = stride.quotient(from - tap);
        const bool meets = q * static_cast<Position>(stride.value()) == from - tap;
        return meets && q < static_cast<Position>(coarse.value()) ? q : no_cell<Position>;
    }
};

/// A cell of a field and one of its channels.
template <class Position>
struct FieldElement {
    Position b, cell1, cell2, cell3, channel;
};

/// Where the numbers of a ConvPart lie.
struct ConvIndex {
    ConvAxis axis1, axis2, axis3;
    Divisor coarse_channels, fine_channels;
    std::int64_t batch, weight_channels, first_fine, weights;

    explicit ConvIndex(const ConvPart& part)
        : axis1(axis(part, 0)),
          axis2(axis(part, 1)),
          axis3(axis(part, 2)),
          coarse_channels(part.coarse[4]),
          fine_channels(part.fine[4]),
          batch(part.coarse[0]),
          weight_channels(part.weight[4]),
          first_fine(part.first_fine),
          weights(part.weight.count()) {}

    /// The most elements that a field or the weight has, or cells on the way to them.
    constexpr std::int64_t positions() const {
        const std::int64_t coarse_cells = axis1.coarse.value() * axis2.coarse.value() * axis3.coarse.value();
        const std::int64_t fine_cells = axis1.fine.value() * axis2.fine.value() * axis3.fine.value();
        return std::max({batch * coarse_cells * coarse_channels.value(), batch * fine_cells * fine_channels.value(),
                         weights, axis1.reach(), axis2.reach(), axis3.reach()});
    }
    template <class Position>
    constexpr FieldElement<Position> coarse_element(Position i) const {
        return element(i, coarse_channels, axis1.coarse, axis2.coarse, axis3.coarse);
    }
    template <class Position>
    constexpr FieldElement<Position> fine_element(Position i) const {
        return element(i, fine_channels, axis1.fine, axis2.fine, axis3.fine);
    }
    /// Start of a cell's channels, or of a tap's weights for the part's coarse channel c.
    template <class Position>
    constexpr Position coarse(Position b, Position q1, Position q2, Position q3) const {
        return (((b * as<Position>(axis1.coarse) + q1) * as<Position>(axis2.coarse) + q2) * as<Position>(axis3.coarse) +
                q3) *
               as<Position>(coarse_channels);
    }
    template <class Position>
    constexpr Position fine(Position b, Position p1, Position p2, Position p3) const {
        return (((b * as<Position>(axis1.fine) + p1) * as<Position>(axis2.fine) + p2) * as<Position>(axis3.fine) + p3) *
               as<Position>(fine_channels);
    }
    template <class Position>
    constexpr Position weight(Position c, Position k1, Position k2, Position k3) const {
        return (((c * static_cast<Position>(axis1.taps) + k1) * static_cast<Position>(axis2.taps) + k2) *
                    static_cast<Position>(axis3.taps) +
                k3) *
                   static_cast<Position>(weight_channels) +
               static_cast<Position>(first_fine);
    }
    /// Calls use(k1, k2, k3) for every tap.
    template <class Position, class Use>
    constexpr void each_tap(const Use& use) const {
        for (Position k1 = 0; k1 < static_cast<Position>(axis1.taps); ++k1) {
            for (Position k2 = 0; k2 < static_cast<Position>(axis2.taps); ++k2) {
                for (Position k3 = 0; k3 < static_cast<Position>(axis3.taps); ++k3) {
                    use(k1, k2, k3);
                }
            }
        }
    }

   private:
    template <class Position>
    static constexpr Position as(const Divisor& extent) {
        return static_cast<Position>(extent.value());
    }
    template <class Position>
    static constexpr FieldElement<Position> element(Position i, const Divisor& channels, const Divisor& extent1,
                                                    const Divisor& extent2, const Divisor& extent3) {
        const Position cell = channels.quotient(i), row = extent3.quotient(cell), plane = extent2.quotient(row);
        const Position b = extent1.quotient(plane);
        return {b, plane - b * as<Position>(extent1), row - plane * as<Position>(extent2),
                cell - row * as<Position>(extent3), i - cell * as<Position>(channels)};
    }
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

    constexpr std::int64_t positions() const { return at.positions(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const FieldElement<Position> to = at.coarse_element(i);
        const auto channels = static_cast<Position>(at.fine_channels.value());
        float sum = 0.0f;
        at.each_tap<Position>([&](Position k1, Position k2, Position k3) {
            const Position p1 = at.axis1.fine_cell(to.cell1, k1), p2 = at.axis2.fine_cell(to.cell2, k2),
                           p3 = at.axis3.fine_cell(to.cell3, k3);
            if (p1 == no_cell<Position> || p2 == no_cell<Position> || p3 == no_cell<Position>) {
                return;
            }
            const T* x = fine + at.fine(to.b, p1, p2, p3);
            const float* w = weight + at.weight(to.channel, k1, k2, k3);
            for (Position f = 0; f < channels; ++f) {
                sum += number(x[f]) * w[f];
            }
        });
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

    constexpr std::int64_t positions() const { return at.positions(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const FieldElement<Position> to = at.fine_element(i);
        const auto channels = static_cast<Position>(at.coarse_channels.value());
        const Position next = at.weight<Position>(1, 0, 0, 0) - at.weight<Position>(0, 0, 0, 0);
        float sum = 0.0f;
        at.each_tap<Position>([&](Position k1, Position k2, Position k3) {
            const Position q1 = at.axis1.coarse_cell(to.cell1, k1), q2 = at.axis2.coarse_cell(to.cell2, k2),
                           q3 = at.axis3.coarse_cell(to.cell3, k3);
            if (q1 == no_cell<Position> || q2 == no_cell<Position> || q3 == no_cell<Position>) {
                return;
            }
            const T* y = coarse + at.coarse(to.b, q1, q2, q3);
            const float* w = weight + at.weight<Position>(0, k1, k2, k3) + to.channel;
            for (Position c = 0; c < channels; ++c) {
                sum += number(y[c]) * w[c * next];
            }
        });
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

    constexpr std::int64_t positions() const { return std::max(at.positions(), pieces); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const auto channels = static_cast<Position>(at.coarse_channels.value());
        const Position tap3 = at.fine_channels.quotient(i), f = i - tap3 * extent<Position>(at.fine_channels.value());
        const Divided in3(tap3, at.axis3.taps), in2(in3.quotient, at.axis2.taps), in1(in2.quotient, at.axis1.taps);
        const Position piece = at.coarse_channels.quotient(in1.quotient), c = in1.quotient - piece * channels;
        const Position cells =
            extent<Position>(at.batch * at.axis1.coarse.value() * at.axis2.coarse.value() * at.axis3.coarse.value());
        double sum = 0.0;
        for (Position cell = piece; cell < cells; cell += extent<Position>(pieces)) {
            const FieldElement<Position> from = at.coarse_element(cell * channels);
            const Position p1 = at.axis1.fine_cell(from.cell1, in1.rest), p2 = at.axis2.fine_cell(from.cell2, in2.rest),
                           p3 = at.axis3.fine_cell(from.cell3, in3.rest);
            if (p1 == no_cell<Position> || p2 == no_cell<Position> || p3 == no_cell<Position>) {
                continue;
            }
            const float x = number(fine[at.fine(from.b, p1, p2, p3) + f]);
            sum += static_cast<double>(number(coarse[cell * channels + c])) * static_cast<double>(x);
        }
        partial[i] = sum;
    }

   private:
    template <class Position>
    static constexpr Position extent(std::int64_t value) {
        return static_cast<Position>(value);
    }
};

}  // namespace plumecast::cuda::kernel
