#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <plumecast/backend/ops.hpp>

#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/grid.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"

/// The kernels of padded sums and their gradients.
namespace plumecast::cuda::kernel {

/// A Padding as kernels take it, with entries for all axes of a field.
template <int rank>
struct PaddedAxes {
    std::array<std::int64_t, static_cast<std::size_t>(rank)> inside{};
    std::array<bool, static_cast<std::size_t>(rank)> is_padded{};
    std::array<bool, static_cast<std::size_t>(rank)> silent{};  ///< beyond the inside, terms show nothing

    /// Axis a of the padding is axis a + 1 of a field of `field_rank` axes, which has channels behind them.
    PaddedAxes(const Padding& padding, int field_rank) {
        expects(static_cast<int>(padding.axes.size()) + 2 == field_rank,
                "padding of all axes between batch and channels");
        const auto first = static_cast<std::size_t>(rank - field_rank + 1);
        for (std::size_t a = 0; a < padding.axes.size(); ++a) {
            inside[first + a] = padding.axes[a].inside;
            is_padded[first + a] = true;
            silent[first + a] = padding.axes[a].edge == Padding::Edge::zero;
        }
    }
};

/// One term of a padded sum, in packs of n elements.
template <int rank, int n>
struct PaddedTerm {
    const Pack<float, n>* wide = nullptr;       ///< elements of float32, or
    const Pack<bfloat16, n>* narrow = nullptr;  ///< of bfloat16: terms differ, so each says it at run time
    std::array<std::int64_t, static_cast<std::size_t>(rank)> extents{};

    PaddedTerm() = default;
    explicit PaddedTerm(ConstView term) : extents(from_the_last<rank, std::int64_t>(term.shape, 1)) {
        term.type == DType::bfloat16 ? void(narrow = as_packs<n>(term.as<bfloat16>()))
                                     : void(wide = as_packs<n>(term.as<float>()));
    }

    /// Adds what a cell of the padded field shows of the term: nothing where a zero edge silences it.
    template <class Position>
    constexpr void add_to(std::array<float, n>& sums, const Cell<rank, Position>& cell, Position packs,
                          const PaddedAxes<rank>& padding) const {
        Position row = 0;
        bool silenced = false;
        each_axis_of<rank - 1>([&]<std::size_t a>() {
            const auto inside = static_cast<Position>(padding.inside[a]), extent = static_cast<Position>(extents[a]);
            silenced = silenced || (padding.silent[a] && cell[a] >= inside);
            const Position shown =
                padding.is_padded[a] ? std::min(cell[a], static_cast<Position>(inside - 1)) : cell[a];
            row = row * extent + (extent == 1 ? 0 : shown);
        });
        if (!silenced) {
            const Position at = row * packs + cell[static_cast<std::size_t>(rank - 1)];
            narrow != nullptr ? add(sums, narrow[at]) : add(sums, wide[at]);
        }
    }

   private:
    template <class T>
    static constexpr void add(std::array<float, n>& sums, const Pack<T, n>& read) {
        each_axis_of<n>([&]<std::size_t k>() { sums[k] += number(read.values[k]); });
    }
};

/// n channels of y = bias + the terms; without a bias, of y += the terms.
template <int rank, int n, class T>
struct PaddedSum {
    static constexpr std::size_t most_terms = 8;

    Grid<rank> padded;  ///< of packs
    PaddedAxes<rank> padding;
    std::array<PaddedTerm<rank, n>, most_terms> terms{};
    std::size_t count = 0;
    const float* bias;
    Pack<T, n>* y;

    /// Terms are no larger than the sum.
    constexpr std::int64_t positions() const { return padded.count() * n; }

    template <class Position>
    constexpr void operator()(Position i) const {
        constexpr auto last = static_cast<std::size_t>(rank - 1);
        const Cell<rank, Position> cell = padded.cell(i);
        const auto packs = static_cast<Position>(padded.template extent<last>());
        std::array<float, n> sums{};
        if (bias != nullptr) {
            each_axis_of<n>([&]<std::size_t k>() { sums[k] = bias[cell[last] * n + k]; });
        } else {
            const Pack<T, n> before = y[i];
            each_axis_of<n>([&]<std::size_t k>() { sums[k] = number(before.values[k]); });
        }
        for (std::size_t t = 0; t < count; ++t) {
            terms[t].add_to(sums, cell, packs, padding);
        }
        Pack<T, n> result{};
        each_axis_of<n>([&]<std::size_t k>() { result.values[k] = static_cast<T>(sums[k]); });
        y[i] = result;
    }
};

/// The cells of a padded field that show one cell of a term.
template <int rank, class Position>
struct ShownBox {
    Cell<rank, Position> begin{}, extents{};
    Position count = 1;

    constexpr ShownBox(const Cell<rank, Position>& cell, const Grid<rank>& term, const Grid<rank>& padded,
                       const PaddedAxes<rank>& padding) {
        each_axis_of<rank - 1>([&]<std::size_t a>() {
            const auto inside = static_cast<Position>(padding.inside[a]);
            const auto all = static_cast<Position>(padded.template extent<a>());
            const Position end = padding.silent[a] ? std::min(inside, all) : all;
            const bool shows_all = term.template extent<a>() == 1;
            const Position next = cell[a] + 1, beyond = padding.is_padded[a] && next == inside ? end : next;
            begin[a] = shows_all ? 0 : cell[a];
            extents[a] = (shows_all ? end : beyond) - begin[a];
            count *= extents[a];
        });
    }

    /// Row of the padded field that is the n-th of the box.
    constexpr Position row(Position n, const Grid<rank>& padded) const {
        Position position = 0, stride = 1;
        each_axis_of_from_the_last<rank - 1>([&]<std::size_t a>() {
            position += (begin[a] + n % extents[a]) * stride;
            n /= extents[a];
            stride *= static_cast<Position>(padded.template extent<a>());
        });
        return position;
    }
};

/// Gradient of one element of a term over every `pieces`-th cell that shows it: partial [pieces, elements of the term].
template <int rank, class T>
struct ShownSums {
    Grid<rank> term, padded;
    PaddedAxes<rank> padding;
    const T* g;
    double* partial;
    Divisor elements, channels;
    std::int64_t pieces;

    constexpr std::int64_t positions() const { return padded.count(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position piece = elements.quotient(i), element = i - piece * static_cast<Position>(elements.value());
        const Position channel = channels.rest(element);
        const ShownBox<rank, Position> box(term.cell(element), term, padded, padding);
        double sum = 0.0;
        for (Position n = piece; n < box.count; n += static_cast<Position>(pieces)) {
            sum +=
                static_cast<double>(number(g[box.row(n, padded) * static_cast<Position>(channels.value()) + channel]));
        }
        partial[i] = sum;
    }
};

}  // namespace plumecast::cuda::kernel
