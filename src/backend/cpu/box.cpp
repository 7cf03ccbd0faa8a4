#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/channel_sums.hpp"

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

/// What a line of cells along the last axis of a padded sum is made of. One per thread.
class PaddedLine {
   public:
    PaddedLine(const SimdKernels& simd, std::span<const ConstView> terms, ConstView bias, const Padding& padding)
        : terms_(terms),
          bias_(bias),
          padding_(&padding),
          inside_(padding.axes.back().inside),
          fixed_(static_cast<std::size_t>(bias.shape[-1])) {
        for (const ConstView& term : terms) {
            in_.emplace_back(simd, term, term.shape[-2] * term.shape[-1]);
        }
    }

    /// The line that starts at `cell`, `extent` rows of it.
    void operator()(const Index& cell, std::int64_t extent, float* values) {
        const std::int64_t channels = bias_.shape[-1], end = std::min(inside_, extent);
        const float* constant = bias_.as<float>();
        std::copy_n(constant, channels, fixed_.data());
        rows_.clear();
        for (std::size_t term = 0; term < terms_.size(); ++term) {
            const std::int64_t row = source_row(cell, terms_[term].shape, *padding_);
            const std::int64_t length = terms_[term].shape[-2];
            if (row >= 0 && length == 1) {
                add_row(in_[term](row * channels, channels), channels, fixed_.data());
            } else if (row >= 0) {
                rows_.push_back(in_[term](row * channels, length * channels));
            }
        }
        for (std::int64_t t = 0; t < end; ++t) {
            std::copy_n(fixed_.data(), channels, values + t * channels);
            for (const float* rows : rows_) {
                add_row(rows + t * channels, channels, values + t * channels);
            }
        }
        const bool is_zero = padding_->axes.back().edge == Padding::Edge::zero;
        for (std::int64_t t = end; t < extent; ++t) {
            std::copy_n(is_zero ? constant : values + (end - 1) * channels, channels, values + t * channels);
        }
    }

   private:
    static void add_row(const float* row, std::int64_t channels, float* values) {
        for (std::int64_t c = 0; c < channels; ++c) {
            values[c] += row[c];
        }
    }

    std::span<const ConstView> terms_;
    ConstView bias_;
    const Padding* padding_;
    std::int64_t inside_;
    std::vector<float> fixed_;        ///< what does not vary along the line
    std::vector<const float*> rows_;  ///< what does
    std::vector<FieldReader> in_;
};

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

/// Adds all rows of a box, in order; rows(row) is where a row lies.
template <class Rows>
void add_box(Rows& rows, const Shape& shape, std::span<const Span> box, int axis, std::int64_t row,
             std::vector<double>& sums) {
    if (axis == static_cast<int>(box.size())) {
        const auto* values = rows(row);
        for (std::size_t c = 0; c < sums.size(); ++c) {
            sums[c] += static_cast<double>(values[c]);
        }
        return;
    }
    for (std::int64_t at = box[static_cast<std::size_t>(axis)].begin; at < box[static_cast<std::size_t>(axis)].end;
         ++at) {
        add_box(rows, shape, box, axis + 1, row * shape[axis] + at, sums);
    }
}

/// term = beta term + for each of its cells the sum of the rows that show it; make_rows() gives a thread its rows.
template <class MakeRows>
void add_boxes(const SimdKernels& simd, int threads, const Shape& shape, const Padding& padding, OutputRef target,
               const MakeRows& make_rows) {
    const Shape& term = target.view.shape;
    const std::int64_t channels = term[-1];
    parallel_ranges(threads, term.count() / channels, 1, [&](std::int64_t begin, std::int64_t end) {
        auto rows = make_rows();
        FieldWriter out(simd, target.view, channels);
        std::vector<double> sums(static_cast<std::size_t>(channels));
        for (std::int64_t row = begin; row < end; ++row) {
            const Index at = row_index(term, row);
            std::vector<Span> box{term[0] == 1 ? Span{0, shape[0]} : Span{at[0], at[0] + 1}};
            for (std::size_t a = 0; a < padding.axes.size(); ++a) {
                const int axis = static_cast<int>(a) + 1;
                box.push_back(shown_by(padding.axes[a], term[axis], at[a + 1], shape[axis]));
            }
            std::fill(sums.begin(), sums.end(), 0.0);
            add_box(rows, shape, box, 0, 0, sums);
            const double beta = target.beta;
            out(row * channels, channels, beta != 0.0, [&](float* values) {
                for (std::int64_t c = 0; c < channels; ++c) {
                    const double before = beta != 0.0 ? beta * static_cast<double>(values[c]) : 0.0;
                    values[c] = static_cast<float>(before + sums[static_cast<std::size_t>(c)]);
                }
            });
        }
    });
}

/// A line of cells along the last axis: the sum of those lines that a term shows which varies along no other axis.
std::vector<double> summed_lines(const SimdKernels& simd, int threads, ConstView g, const Padding& padding) {
    const Shape outer = g.shape.slice(0, g.shape.rank() - 2).append(1);
    const std::int64_t line = g.shape[-2] * g.shape[-1];
    const auto is_shown = [&](std::int64_t row) {
        const Index at = row_index(outer, row);
        for (std::size_t a = 0; a + 1 < padding.axes.size(); ++a) {
            if (padding.axes[a].edge == Padding::Edge::zero && at[a + 1] >= padding.axes[a].inside) {
                return false;
            }
        }
        return true;
    };
    return channel_sums(threads, outer.count(), ChannelPeriod(line), 1, [&] {
        return [&, in = FieldReader(simd, g, line)](std::int64_t first, std::int64_t count, double* sums) mutable {
            for (std::int64_t row = first; row < first + count; ++row) {
                if (is_shown(row)) {
                    simd.fields->add_up(in(row * line, line), line, sums, line);
                }
            }
        };
    });
}

/// Copies or adds a run of neighbouring numbers of one field to another of its type.
struct RunCopy {
    const SimdKernels* simd;
    ConstView x;
    OutputRef y;
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
    const std::int64_t extent = y.shape[-2], line = extent * y.shape[-1];
    const Shape lines = y.shape.slice(0, y.shape.rank() - 2).append(1).append(1);
    parallel_ranges(
        threads_, lines.count(), 1 + 8192 / std::max<std::int64_t>(1, line), [&](std::int64_t begin, std::int64_t end) {
            PaddedLine sum(*simd_, terms, bias, padding);
            FieldWriter out(*simd_, y, line);
            for (std::int64_t at = begin; at < end; ++at) {
                out(at * line, line, false, [&](float* values) { sum(row_index(lines, at), extent, values); });
            }
        });
}

void CpuBackend::padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) {
    const Shape& term = gradient_term.view.shape;
    const Shape& shape = gradient_y.shape;
    const std::int64_t channels = term[-1];
    if (term.count(0, term.rank() - 2) == 1) {
        const std::vector<double> sums = summed_lines(*simd_, threads_, gradient_y, padding);
        Shape line = shape;
        for (int axis = 0; axis + 2 < shape.rank(); ++axis) {
            line = line.with(axis, 1);
        }
        add_boxes(*simd_, threads_, line, padding, gradient_term,
                  [&] { return [&](std::int64_t row) { return sums.data() + row * channels; }; });
        return;
    }
    add_boxes(*simd_, threads_, shape, padding, gradient_term, [&] {
        return [channels, g = FieldReader(*simd_, gradient_y, channels)](std::int64_t row) mutable {
            return g(row * channels, channels);
        };
    });
}

void CpuBackend::copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) {
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
