#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

using Index = std::array<std::int64_t, Shape::max_rank>;

/// Index of a row (everything but the last axis) of an array.
Index row_index(const Shape& shape, std::int64_t row) {
    Index index{};
    for (int axis = shape.rank() - 2; axis >= 0; --axis) {
        index[static_cast<std::size_t>(axis)] = row % shape[axis];
        row /= shape[axis];
    }
    return index;
}

/// Row of a term that a padded cell shows, or -1 where a zero edge silences it. Axis 0 is the batch.
std::int64_t source_row(const Index& cell, const Shape& term, const Padding& padding) {
    std::int64_t row = term[0] == 1 ? 0 : cell[0];
    for (std::size_t a = 0; a < padding.axes.size(); ++a) {
        const Padding::Axis& axis = padding.axes[a];
        const std::int64_t at = cell[a + 1];
        if (at >= axis.inside && axis.edge == Padding::Edge::zero) {
            return -1;
        }
        const std::int64_t extent = term[static_cast<int>(a) + 1];
        row = row * extent + (extent == 1 ? 0 : std::min(at, axis.inside - 1));
    }
    return row;
}

/// Cells of one padded axis that show cell `at` of a term.
struct Span {
    std::int64_t begin, end;
};

Span shown_by(const Padding::Axis& axis, std::int64_t term_extent, std::int64_t at, std::int64_t padded) {
    const std::int64_t end = axis.edge == Padding::Edge::zero ? std::min(axis.inside, padded) : padded;
    if (term_extent == 1) {
        return {0, end};
    }
    return {at, at + 1 == axis.inside ? end : at + 1};
}

/// Adds all rows of g in a box, in order.
void add_box(const float* g, const Shape& shape, std::span<const Span> box, int axis, std::int64_t row,
             std::vector<double>& sums) {
    if (axis == static_cast<int>(box.size())) {
        const float* values = g + row * shape[-1];
        for (std::size_t c = 0; c < sums.size(); ++c) {
            sums[c] += static_cast<double>(values[c]);
        }
        return;
    }
    for (std::int64_t at = box[static_cast<std::size_t>(axis)].begin; at < box[static_cast<std::size_t>(axis)].end;
         ++at) {
        add_box(g, shape, box, axis + 1, row * shape[axis] + at, sums);
    }
}

}  // namespace

void CpuBackend::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) {
    const std::int64_t channels = y.shape[-1], rows = y.shape.count() / channels;
    const float* constant = bias.as<float>();
    float* out = y.as<float>();
    parallel_ranges(threads_, rows, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const Index cell = row_index(y.shape, row);
            float* values = out + row * channels;
            std::copy_n(constant, channels, values);
            for (const ConstView& term : terms) {
                const std::int64_t source = source_row(cell, term.shape, padding);
                if (source < 0) {
                    continue;
                }
                const float* from = term.as<float>() + source * channels;
                for (std::int64_t c = 0; c < channels; ++c) {
                    values[c] += from[c];
                }
            }
        }
    });
}

void CpuBackend::padded_sum_gradient(ConstView gradient_y, const Padding& padding, Target gradient_term) {
    const Shape& term = gradient_term.view.shape;
    const Shape& shape = gradient_y.shape;
    const std::int64_t channels = term[-1], rows = term.count() / channels;
    const float* g = gradient_y.as<float>();
    float* out = gradient_term.view.as<float>();
    parallel_ranges(threads_, rows, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> sums(static_cast<std::size_t>(channels));
        for (std::int64_t row = begin; row < end; ++row) {
            const Index at = row_index(term, row);
            std::vector<Span> box{term[0] == 1 ? Span{0, shape[0]} : Span{at[0], at[0] + 1}};
            for (std::size_t a = 0; a < padding.axes.size(); ++a) {
                const int axis = static_cast<int>(a) + 1;
                box.push_back(shown_by(padding.axes[a], term[axis], at[a + 1], shape[axis]));
            }
            std::fill(sums.begin(), sums.end(), 0.0);
            add_box(g, shape, box, 0, 0, sums);
            for (std::int64_t c = 0; c < channels; ++c) {
                float& value = out[row * channels + c];
                const double before = gradient_term.beta != 0.0 ? gradient_term.beta * static_cast<double>(value) : 0.0;
                value = static_cast<float>(before + sums[static_cast<std::size_t>(c)]);
            }
        }
    });
}

void CpuBackend::copy_box(ConstView x, const Shape& x_low, Target y, const Shape& y_low, const Shape& extents) {
    int last = extents.rank() - 1;  // first axis of the run: from here on both boxes are contiguous
    while (last > 0 && extents[last] == x.shape[last] && extents[last] == y.view.shape[last]) {
        --last;
    }
    const std::int64_t run = extents.count(last, extents.rank());
    const std::int64_t rows = run == 0 ? 0 : extents.count() / run;
    const Shape outer = extents.slice(0, last).append(1);
    const float* from = x.as<float>();
    float* to = y.view.as<float>();
    const auto start_of = [&](const Shape& shape, const Shape& low, const Index& cell) {
        std::int64_t at = 0;
        for (int axis = 0; axis <= last; ++axis) {
            at = at * shape[axis] + low[axis] + (axis < last ? cell[static_cast<std::size_t>(axis)] : 0);
        }
        return at * shape.count(last + 1, shape.rank());
    };
    const auto beta = static_cast<float>(y.beta);
    parallel_ranges(threads_, rows, std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, run)),
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t row = begin; row < end; ++row) {
                            const Index cell = row_index(outer, row);
                            const float* source = from + start_of(x.shape, x_low, cell);
                            float* target = to + start_of(y.view.shape, y_low, cell);
                            if (beta == 0.0F) {
                                std::copy_n(source, run, target);
                            } else {
                                std::transform(source, source + run, target, target,
                                               [beta](float value, float before) { return value + beta * before; });
                            }
                        }
                    });
}

}  // namespace plumecast::cpu
