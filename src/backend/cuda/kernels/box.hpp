#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/extents.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
namespace kernel {

/// A Padding as kernels take it; axis a of the padding is axis a + 1 of the field.
struct PaddedAxes {
    Index inside{};
    std::array<bool, Shape::max_rank> silent{};  ///< beyond the inside, terms show nothing
    int count = 0;

    explicit PaddedAxes(const Padding& padding) : count(static_cast<int>(padding.axes.size())) {
        expects(count + 2 <= Shape::max_rank, "padding of as many axes as a field can have");
        for (std::size_t a = 0; a < padding.axes.size(); ++a) {
            inside[a] = padding.axes[a].inside;
            silent[a] = padding.axes[a].edge == Padding::Edge::zero;
        }
    }
};

/// One term of a padded sum.
struct PaddedTerm {
    const float* wide = nullptr;       ///< elements of float32, or
    const bfloat16* narrow = nullptr;  ///< of bfloat16: terms differ, so each says it at run time
    Extents extents;

    PaddedTerm() = default;
    explicit PaddedTerm(ConstView term) : extents(term.shape) {
        term.type == DType::bfloat16 ? void(narrow = term.as<bfloat16>()) : void(wide = term.as<float>());
    }
    constexpr float value(std::int64_t i) const { return narrow != nullptr ? number(narrow[i]) : wide[i]; }

    /// Row (all axes but the channels) that a cell of the padded field shows, or -1 where a zero edge silences it.
    constexpr std::int64_t shown_row(const Index& cell, const PaddedAxes& padding) const {
        std::int64_t row = extents[0] == 1 ? 0 : cell[0];
        bool silenced = false;
        each_axis(padding.count + 1, [&](std::size_t a) {
            if (a > 0) {
                const std::int64_t inside = padding.inside[a - 1], extent = extents.axes[a];
                silenced = silenced || (cell[a] >= inside && padding.silent[a - 1]);
                row = row * extent + (extent == 1 ? 0 : std::min(cell[a], inside - 1));
            }
        });
        return silenced ? -1 : row;
    }
};

/// One element of y = bias + the terms; without a bias, of y += the terms.
template <class T>
struct PaddedSum {
    static constexpr std::size_t most_terms = 8;

    Extents padded;
    PaddedAxes padding;
    std::array<PaddedTerm, most_terms> terms{};
    std::size_t count = 0;
    const float* bias;
    T* y;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t channels = padded.channels(), channel = i % channels;
        const Index cell = padded.index(i);
        float value = bias != nullptr ? bias[channel] : number(y[i]);
        for (std::size_t t = 0; t < count; ++t) {
            const std::int64_t row = terms[t].shown_row(cell, padding);
            value += row >= 0 ? terms[t].value(row * channels + channel) : 0.0f;
        }
        y[i] = static_cast<T>(value);
    }
};

/// The cells of a padded field that show one cell of a term.
struct ShownBox {
    Index begin{}, extents{};
    std::int64_t count = 1;

    constexpr ShownBox(const Index& cell, const Extents& term, const Extents& padded, const PaddedAxes& padding) {
        set(0, term[0] == 1 ? 0 : cell[0], term[0] == 1 ? padded[0] : cell[0] + 1);
        each_axis(padding.count + 1, [&](std::size_t a) {
            if (a == 0) {
                return;
            }
            const std::int64_t inside = padding.inside[a - 1], here = cell[a];
            const std::int64_t end = padding.silent[a - 1] ? std::min(inside, padded.axes[a]) : padded.axes[a];
            if (term.axes[a] == 1) {
                set(a, 0, end);
            } else {
                set(a, here, here + 1 == inside ? end : here + 1);
            }
        });
    }

    /// Row of the padded field that is the n-th of the box.
    constexpr std::int64_t row(std::int64_t n, const Extents& padded) const {
        std::int64_t position = 0, stride = 1;
        each_axis_from_the_last(padded.rank - 1, [&](std::size_t a) {
            position += (begin[a] + n % extents[a]) * stride;
            n /= extents[a];
            stride *= padded.axes[a];
        });
        return position;
    }

   private:
    constexpr void set(std::size_t a, std::int64_t first, std::int64_t end) {
        begin[a] = first;
        extents[a] = end - first;
        count *= end - first;
    }
};

/// Gradient of one element of a term over every `pieces`-th cell that shows it: partial [pieces, elements of the term].
template <class T>
struct ShownSums {
    Extents term, padded;
    PaddedAxes padding;
    const T* g;
    double* partial;
    std::int64_t elements, pieces;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t channels = term.channels(), channel = i % channels;
        const ShownBox box(term.index(i % elements), term, padded, padding);
        double sum = 0.0;
        for (std::int64_t n = i / elements; n < box.count; n += pieces) {
            sum += static_cast<double>(number(g[box.row(n, padded) * channels + channel]));
        }
        partial[i] = sum;
    }
};

/// One element of y[y_low + i] = x[x_low + i] + beta y[y_low + i].
template <class T>
struct CopyBox {
    Extents box, x_extents, y_extents;
    Index x_low{}, y_low{};
    const T* x;
    T* y;
    float beta;

    constexpr void operator()(std::int64_t i) const {
        const Index at = box.index(i);
        Index from = at, to = at;
        each_axis(box.rank, [&](std::size_t a) {
            from[a] += x_low[a];
            to[a] += y_low[a];
        });
        T& value = y[y_extents.position(to)];
        const T moved = x[x_extents.position(from)];
        value = beta == 0.0f ? moved : static_cast<T>(number(moved) + beta * number(value));
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding,
                                         View y) {
    std::size_t done = 0;
    const auto add_some = [&](auto* to) {
        using Sum = kernel::PaddedSum<Element<decltype(to)>>;
        Sum sum{Extents(y.shape), kernel::PaddedAxes(padding), {}, 0, done == 0 ? bias.as<float>() : nullptr, to};
        while (sum.count < Sum::most_terms && done < terms.size()) {
            sum.terms[sum.count++] = kernel::PaddedTerm(terms[done++]);
        }
        executor_.run(y.shape.count(), sum);
    };
    do {
        with_elements(add_some, y);
    } while (done < terms.size());
}

template <class Executor>
void KernelBackend<Executor>::padded_sum_gradient(ConstView gradient_y, const Padding& padding,
                                                  OutputRef gradient_term) {
    const Shape& term = gradient_term.view.shape;
    const std::int64_t elements = term.count();
    if (elements == 0) {
        return;
    }
    const std::int64_t pieces = piece_count(gradient_y.shape.count() / elements, elements);
    Tensor partial(memory(), {pieces, elements}, DType::float64);
    with_elements(
        [&](auto* g) {
            executor_.run(pieces * elements, kernel::ShownSums<Element<decltype(g)>>{
                                                 Extents(term), Extents(gradient_y.shape), kernel::PaddedAxes(padding),
                                                 g, partial.view().template as<double>(), elements, pieces});
        },
        gradient_y);
    const Tensor total = summed_rows(executor_, std::move(partial));
    with_elements(
        [&](auto* to) {
            executor_.run(elements, kernel::AddSums<Element<decltype(to)>>{total.view().template as<double>(), to,
                                                                           gradient_term.beta});
        },
        gradient_term.view);
}

template <class Executor>
void KernelBackend<Executor>::copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low,
                                       const Shape& extents) {
    with_elements(
        [&](auto* to) {
            using T = Element<decltype(to)>;
            executor_.run(extents.count(), kernel::CopyBox<T>{Extents(extents), Extents(x.shape), Extents(y.view.shape),
                                                              Extents(x_low).axes, Extents(y_low).axes, x.as<T>(), to,
                                                              static_cast<float>(y.beta)});
        },
        y.view);
}

}  // namespace plumecast::cuda
