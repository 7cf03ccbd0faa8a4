#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/grid.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"
#include "backend/cuda/kernels/padding.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
namespace kernel {

/// n channels of y[y_low + i] = x[x_low + i] + beta y[y_low + i].
template <int rank, int n, class T>
struct CopyBox {
    Grid<rank> box, x_extents, y_extents;  ///< of packs
    std::array<std::int64_t, static_cast<std::size_t>(rank)> x_low, y_low;
    const Pack<T, n>* x;
    Pack<T, n>* y;
    float beta;

    constexpr std::int64_t positions() const { return std::max(x_extents.count(), y_extents.count()) * n; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Cell<rank, Position> at = box.cell(i);
        Cell<rank, Position> from = at, to = at;
        each_axis_of<rank>([&]<std::size_t a>() {
            from[a] += static_cast<Position>(x_low[a]);
            to[a] += static_cast<Position>(y_low[a]);
        });
        const Position result = y_extents.position(to);
        Pack<T, n> moved = x[x_extents.position(from)];
        if (beta != 0.0f) {
            const Pack<T, n> before = y[result];
            each_axis_of<n>([&]<std::size_t k>() {
                moved.values[k] = static_cast<T>(number(moved.values[k]) + beta * number(before.values[k]));
            });
        }
        y[result] = moved;
    }
};

}  // namespace kernel

/// Whether the channels of fields come in packs of n elements, and the fields begin where such may.
template <int n>
bool channels_come_in_packs(std::span<const ConstView> fields) {
    return std::ranges::all_of(fields, [](const ConstView& field) {
        return field.shape[-1] % n == 0 &&
               reinterpret_cast<std::uintptr_t>(field.data) % (n * size_of(field.type)) == 0;
    });
}

/// Calls use.template operator()<rank, n>() for fields of alike many channels, which come in packs of n.
template <class Use>
void with_axes_and_packs(std::span<const ConstView> fields, const Use& use) {
    with_axes(fields.front().shape, [&]<int rank>() {
        channels_come_in_packs<4>(fields) ? use.template operator()<rank, 4>() : use.template operator()<rank, 1>();
    });
}

template <class Executor>
void KernelBackend<Executor>::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding,
                                         View y) {
    std::vector<ConstView> fields{y};
    fields.insert(fields.end(), terms.begin(), terms.end());
    std::size_t done = 0;
    const auto add_some = [&]<int rank, int n>(auto* to) {
        using Sum = kernel::PaddedSum<rank, n, Element<decltype(to)>>;
        Sum sum{Grid<rank>(y.shape, n),
                kernel::PaddedAxes<rank>(padding, y.shape.rank()),
                {},
                0,
                done == 0 ? bias.as<float>() : nullptr,
                as_packs<n>(to)};
        while (sum.count < Sum::most_terms && done < terms.size()) {
            sum.terms[sum.count++] = kernel::PaddedTerm<rank, n>(terms[done++]);
        }
        executor_.run(sum.padded.count(), sum);
    };
    do {
        with_axes_and_packs(fields, [&]<int rank, int n>() {
            with_elements([&](auto* to) { add_some.template operator()<rank, n>(to); }, y);
        });
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
    with_axes(term, [&]<int rank>() {
        with_elements(
            [&](auto* g) {
                const kernel::ShownSums<rank, Element<decltype(g)>> shown{
                    Grid<rank>(term),
                    Grid<rank>(gradient_y.shape),
                    kernel::PaddedAxes<rank>(padding, term.rank()),
                    g,
                    partial.view().template as<double>(),
                    Divisor(elements),
                    Divisor(term[-1]),
                    pieces};
                executor_.run(pieces * elements, shown);
            },
            gradient_y);
    });
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
    const auto copy = [&]<int rank, int n>(auto* to) {
        using T = Element<decltype(to)>;
        const auto in_packs = [](const Shape& low) {
            return from_the_last<rank, std::int64_t>(low.with(-1, low[-1] / n), 0);
        };
        const kernel::CopyBox<rank, n, T> moved{
            Grid<rank>(extents, n), Grid<rank>(x.shape, n),    Grid<rank>(y.view.shape, n),
            in_packs(x_low),        in_packs(y_low),           as_packs<n>(x.as<T>()),
            as_packs<n>(to),        static_cast<float>(y.beta)};
        executor_.run(moved.box.count(), moved);
    };
    with_axes(extents, [&]<int rank>() {
        with_elements(
            [&](auto* to) {
                constexpr int most = static_cast<int>(16 / sizeof(*to));
                const auto whole = [](int n, std::initializer_list<std::int64_t> channels) {
                    return std::ranges::all_of(channels, [n](std::int64_t c) { return c % n == 0; });
                };
                const auto possible = [&]<int n>() {
                    return begin_packs<n>(x.as<Element<decltype(to)>>(), to) &&
                           whole(n, {extents[-1], x.shape[-1], y.view.shape[-1], x_low[-1], y_low[-1]});
                };
                possible.template operator()<most>() ? copy.template operator()<rank, most>(to)
                : possible.template operator()<4>()  ? copy.template operator()<rank, 4>(to)
                                                     : copy.template operator()<rank, 1>(to);
            },
            y.view);
    });
}

}  // namespace plumecast::cuda
