#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/field_chunks.hpp"
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

/// Adds a row, if there is one.
void add_row(const float* row, std::int64_t channels, float* values) {
    for (std::int64_t c = 0; row != nullptr && c < channels; ++c) {
        values[c] += row[c];
    }
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
void add_box(FieldReader& g, const Shape& shape, std::span<const Span> box, int axis, std::int64_t row,
             std::vector<double>& sums) {
    if (axis == static_cast<int>(box.size())) {
        const float* values = g(row * shape[-1], shape[-1]);
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

/// Copies or adds a run of neighbouring numbers of one field to another of its type.
struct RunCopy {
    const SimdKernels* simd;
    ConstView x;
    Target y;
    std::int64_t run;

    void operator()(std::int64_t from, std::int64_t to) const {
        if (y.beta == 0.0) {
            const std::size_t size = size_of(x.type);
            std::memcpy(static_cast<char*>(y.view.data) + static_cast<std::size_t>(to) * size,
                        static_cast<const char*>(x.data) + static_cast<std::size_t>(from) * size,
                        static_cast<std::size_t>(run) * size);
            return;
        }
        const auto beta = static_cast<float>(y.beta);
        FieldReader in(*simd, x, std::min(run, field_chunk));
        FieldWriter out(*simd, y.view, std::min(run, field_chunk));
        for_chunks(0, run, field_chunk, [&](std::int64_t first, std::int64_t count) {
            const float* source = in(from + first, count);
            out(to + first, count, true, [&](float* target) {
                std::transform(source, source + count, target, target,
                               [beta](float value, float before) { return value + beta * before; });
            });
        });
    }
};

}  // namespace

void CpuBackend::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) {
    const std::int64_t channels = y.shape[-1], rows = y.shape.count() / channels;
    const std::int64_t most = rows_in_chunk(channels);
    const float* constant = bias.as<float>();
    parallel_ranges(threads_, rows, 256, [&](std::int64_t begin, std::int64_t end) {
        std::vector<FieldReader> in;
        for (const ConstView& term : terms) {
            in.emplace_back(*simd_, term, channels);
        }
        FieldWriter out(*simd_, y, most * channels);
        for_chunks(begin, end, most, [&](std::int64_t first, std::int64_t count) {
            out(first * channels, count * channels, false, [&](float* values) {
                for (std::int64_t row = first; row < first + count; ++row, values += channels) {
                    const Index cell = row_index(y.shape, row);
                    std::copy_n(constant, channels, values);
                    for (std::size_t term = 0; term < terms.size(); ++term) {
                        const std::int64_t source = source_row(cell, terms[term].shape, padding);
                        add_row(source < 0 ? nullptr : in[term](source * channels, channels), channels, values);
                    }
                }
            });
        });
    });
}

void CpuBackend::padded_sum_gradient(ConstView gradient_y, const Padding& padding, Target gradient_term) {
    const Shape& term = gradient_term.view.shape;
    const Shape& shape = gradient_y.shape;
    const std::int64_t channels = term[-1], rows = term.count() / channels;
    parallel_ranges(threads_, rows, 1, [&](std::int64_t begin, std::int64_t end) {
        FieldReader g(*simd_, gradient_y, channels);
        FieldWriter out(*simd_, gradient_term.view, channels);
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
            const double beta = gradient_term.beta;
            out(row * channels, channels, beta != 0.0, [&](float* values) {
                for (std::int64_t c = 0; c < channels; ++c) {
                    const double before = beta != 0.0 ? beta * static_cast<double>(values[c]) : 0.0;
                    values[c] = static_cast<float>(before + sums[static_cast<std::size_t>(c)]);
                }
            });
        }
    });
}

void CpuBackend::copy_box(ConstView x, const Shape& x_low, Target y, const Shape& y_low, const Shape& extents) {
    expects(x.type == y.view.type, "two fields of one element type in a copy");
    int last = extents.rank() - 1;  // first axis of the run: from here on both boxes are contiguous
    while (last > 0 && extents[last] == x.shape[last] && extents[last] == y.view.shape[last]) {
        --last;
    }
    const std::int64_t run = extents.count(last, extents.rank());
    const std::int64_t rows = run == 0 ? 0 : extents.count() / run;
    const Shape outer = extents.slice(0, last).append(1);
    const auto start_of = [&](const Shape& shape, const Shape& low, const Index& cell) {
        std::int64_t at = 0;
        for (int axis = 0; axis <= last; ++axis) {
            at = at * shape[axis] + low[axis] + (axis < last ? cell[static_cast<std::size_t>(axis)] : 0);
        }
        return at * shape.count(last + 1, shape.rank());
    };
    const RunCopy copy{simd_, x, y, run};
    parallel_ranges(threads_, rows, std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, run)),
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t row = begin; row < end; ++row) {
                            const Index cell = row_index(outer, row);
                            copy(start_of(x.shape, x_low, cell), start_of(y.view.shape, y_low, cell));
                        }
                    });
}

}  // namespace plumecast::cpu
