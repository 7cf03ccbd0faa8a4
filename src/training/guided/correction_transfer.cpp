#include "training/guided/correction_transfer.hpp"

#include <algorithm>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// By cell [Z, R] the place of the nearest active one of its column, the upper of two; its own without any.
std::vector<std::size_t> nearest_active(std::span<const float> active, std::size_t rows, std::size_t columns) {
    std::vector<std::size_t> nearest(rows * columns);
    for (std::size_t cell = 0; cell < nearest.size(); ++cell) {
        nearest[cell] = cell;
        const std::size_t row = cell / columns, column = cell % columns;
        for (std::size_t away = 0; away < rows; ++away) {
            if (row >= away && active[(row - away) * columns + column] != 0.0F) {
                nearest[cell] = (row - away) * columns + column;
                break;
            }
            if (row + away < rows && active[(row + away) * columns + column] != 0.0F) {
                nearest[cell] = (row + away) * columns + column;
                break;
            }
        }
    }
    return nearest;
}

/// Adds weight times the values of a cell at all times.
void add(std::span<const float> values, double weight, std::vector<double>& sum) {
    for (std::size_t t = 0; t < sum.size(); ++t) {
        sum[t] += weight * static_cast<double>(values[t]);
    }
}

/// Largest of the marks of a span of cells, for each cell of a line of [..., T] values.
void spread(std::vector<float>& marks, std::size_t begin, std::size_t stride, const std::vector<CellSpan>& spans) {
    std::vector<float> before(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
        before[i] = marks[begin + i * stride];
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const auto first = before.begin() + static_cast<std::ptrdiff_t>(spans[i].first);
        const auto last = before.begin() + static_cast<std::ptrdiff_t>(spans[i].last) + 1;
        marks[begin + i * stride] = *std::max_element(first, last);
    }
}

}  // namespace

CorrectionTransfer::CorrectionTransfer(const GridAndTimes& from, const GridAndTimes& to)
    : from_(from),
      to_(to),
      rows_(cell_stencils(from.z_edges, to.z_edges, AxisScale::linear)),
      columns_(cell_stencils(from.r_edges, to.r_edges, AxisScale::log)),
      times_(time_stencils(from.times, to.times)) {}

std::vector<float> CorrectionTransfer::brought(std::span<const float> field, std::span<const float> active) const {
    const std::size_t known_columns = from_.columns(), known_times = from_.times.size();
    expects(active.size() == from_.rows() * known_columns && field.size() == active.size() * known_times,
            "a field [Z, R, T] and its active cells");
    const std::vector<std::size_t> nearest = nearest_active(active, from_.rows(), known_columns);
    std::vector<float> result;
    result.reserve(rows_.size() * columns_.size() * times_.size());
    std::vector<double> own(known_times);
    for (const Stencil& z : rows_) {
        for (const Stencil& r : columns_) {
            std::ranges::fill(own, 0.0);
            const auto add_cell = [&](std::size_t row, std::size_t column, double weight) {
                const std::size_t cell = nearest[row * known_columns + column];
                add(field.subspan(cell * known_times, known_times), z.weight * r.weight * weight, own);
            };
            add_cell(z.low, r.low, (1.0 - z.share) * (1.0 - r.share));
            add_cell(z.low, r.high, (1.0 - z.share) * r.share);
            add_cell(z.high, r.low, z.share * (1.0 - r.share));
            add_cell(z.high, r.high, z.share * r.share);
            for (const Stencil& t : times_) {
                result.push_back(static_cast<float>(t.weight * ((1.0 - t.share) * own[t.low] + t.share * own[t.high])));
            }
        }
    }
    return result;
}

std::vector<float> CorrectionTransfer::near_plume(std::span<const float> saturation, float threshold, int reach) const {
    const std::size_t columns = columns_.size(), rows = rows_.size(), times = times_.size();
    expects(saturation.size() == rows * columns * times, "a saturation [Z, R, T]");
    const std::vector<CellSpan> along_z = spans_within(to_.z_edges, from_.z_edges, AxisScale::linear, reach);
    const std::vector<CellSpan> along_r = spans_within(to_.r_edges, from_.r_edges, AxisScale::log, reach);
    std::vector<float> marks(saturation.size());
    std::ranges::transform(saturation, marks.begin(), [=](float s) { return s > threshold ? 1.0F : 0.0F; });
    for (std::size_t t = 0; t < times; ++t) {
        for (std::size_t row = 0; row < rows; ++row) {
            spread(marks, row * columns * times + t, times, along_r);
        }
        for (std::size_t column = 0; column < columns; ++column) {
            spread(marks, column * times + t, columns * times, along_z);
        }
    }
    return marks;
}

}  // namespace plumecast
