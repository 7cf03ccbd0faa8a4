#include "training/guided/correction_transfer.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// Adds weight times the values of a cell at all times.
void add(std::span<const float> values, double weight, std::vector<double>& sum) {
    for (std::size_t t = 0; t < sum.size(); ++t) {
        sum[t] += weight * static_cast<double>(values[t]);
    }
}

std::vector<Stencil> column_stencils(const GridAndTimes& from, const GridAndTimes& to) {
    return from.is_radial() ? cell_stencils(from.r_edges, to.r_edges, AxisScale::log)
                            : cell_stencils(from.x_edges, to.x_edges, AxisScale::linear);
}

}  // namespace

CorrectionTransfer::CorrectionTransfer(const GridAndTimes& from, const GridAndTimes& to)
    : from_(from),
      rows_(cell_stencils(from.z_edges, to.z_edges, AxisScale::linear)),
      lines_(from.is_radial() ? std::vector<Stencil>(1) : cell_stencils(from.y_edges, to.y_edges, AxisScale::linear)),
      columns_(column_stencils(from, to)),
      times_(time_stencils(from.times, to.times)),
      known_lines_(from.is_radial() ? 1 : from.y_edges.size() - 1),
      volumes_(from, to) {
    expects(from.is_radial() == to.is_radial(), "two grids of one kind");
}

std::vector<double> CorrectionTransfer::on_cells(std::span<const float> field, std::span<const float> active) const {
    const std::size_t known_columns = from_.columns(), known_times = from_.times.size();
    expects(active.size() == from_.rows() * known_lines_ * known_columns && field.size() == active.size() * known_times,
            "a field [Z, R, T] and its active cells");
    const std::vector<std::size_t> nearest = nearest_active(active, from_.rows());
    std::vector<double> result;
    result.reserve(rows_.size() * lines_.size() * columns_.size() * known_times);
    std::vector<double> own(known_times);
    const auto add_cell = [&](std::size_t row, std::size_t line, std::size_t column, double weight) {
        if (weight != 0.0) {
            const std::size_t cell = nearest[(row * known_lines_ + line) * known_columns + column];
            add(field.subspan(cell * known_times, known_times), weight, own);
        }
    };
    for (const Stencil& z : rows_) {
        for (const Stencil& y : lines_) {
            for (const Stencil& x : columns_) {
                std::ranges::fill(own, 0.0);
                const double weight = z.weight * y.weight * x.weight;
                for (const auto& [row, of_row] : {std::pair{z.low, 1.0 - z.share}, {z.high, z.share}}) {
                    for (const auto& [line, of_line] : {std::pair{y.low, 1.0 - y.share}, {y.high, y.share}}) {
                        add_cell(row, line, x.low, weight * of_row * of_line * (1.0 - x.share));
                        add_cell(row, line, x.high, weight * of_row * of_line * x.share);
                    }
                }
                result.insert(result.end(), own.begin(), own.end());
            }
        }
    }
    return result;
}

std::vector<float> CorrectionTransfer::at_times(const std::vector<double>& values) const {
    const std::size_t known_times = from_.times.size();
    std::vector<float> result;
    result.reserve(values.size() / known_times * times_.size());
    for (std::size_t begin = 0; begin < values.size(); begin += known_times) {
        for (const Stencil& t : times_) {
            result.push_back(static_cast<float>(
                t.weight * ((1.0 - t.share) * values[begin + t.low] + t.share * values[begin + t.high])));
        }
    }
    return result;
}

std::vector<float> CorrectionTransfer::brought(std::span<const float> field, std::span<const float> active) const {
    return at_times(on_cells(field, active));
}

std::vector<float> CorrectionTransfer::brought_by_volume(std::span<const float> field, std::span<const float> active,
                                                         const PoreSpace& to) const {
    std::vector<double> values = on_cells(field, active);
    volumes_.apply(field, active, to, values);
    return at_times(values);
}

}  // namespace plumecast
