#include "inference/guided/correction_transfer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {
namespace {

/// Adds weight times the values of a cell at all times.
void add(std::span<const float> values, double weight, std::vector<double>& sum) {
    for (std::size_t t = 0; t < sum.size(); ++t) {
        sum[t] += weight * static_cast<double>(values[t]);
    }
}

/// Centres of the columns of a box as another one, whose axes a turn leads to, counts them.
std::vector<MapPoint> centres_seen(const GridAndTimes& box, const Turn& turn) {
    const PlanView plan = PlanView::of(box);
    std::vector<MapPoint> centres;
    for (std::size_t line = 0; line < plan.lines(); ++line) {
        for (std::size_t column = 0; column < plan.columns(); ++column) {
            centres.push_back(turn.of(plan.cell(line, column).centre()));
        }
    }
    return centres;
}

std::vector<Stencil> line_stencils(const GridAndTimes& from, const GridAndTimes& to) {
    if (from.is_radial()) {
        return std::vector<Stencil>(to.columns());
    }
    std::vector<double> places;
    std::ranges::transform(centres_seen(to, turn_between(to.place, from.place)), std::back_inserter(places),
                           &MapPoint::y);
    return place_stencils(from.y_edges, places);
}

std::vector<Stencil> column_stencils(const GridAndTimes& from, const GridAndTimes& to) {
    if (from.is_radial()) {
        return cell_stencils(from.r_edges, to.r_edges, AxisScale::log);
    }
    std::vector<double> places;
    std::ranges::transform(centres_seen(to, turn_between(to.place, from.place)), std::back_inserter(places),
                           &MapPoint::x);
    return place_stencils(from.x_edges, places);
}

}  // namespace

CorrectionTransfer::CorrectionTransfer(const GridAndTimes& from, const GridAndTimes& to)
    : from_(from),
      rows_(cell_stencils(from.z_edges, to.z_edges, AxisScale::linear)),
      lines_(line_stencils(from, to)),
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
    result.reserve(rows_.size() * columns_.size() * known_times);
    std::vector<double> own(known_times);
    const auto add_cell = [&](std::size_t row, std::size_t line, std::size_t column, double weight) {
        if (weight != 0.0) {
            const std::size_t cell = nearest[(row * known_lines_ + line) * known_columns + column];
            add(field.subspan(cell * known_times, known_times), weight, own);
        }
    };
    for (const Stencil& z : rows_) {
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            const Stencil &y = lines_[at], &x = columns_[at];
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

std::vector<float> CorrectionTransfer::taken_back(std::span<const float> cotangents, std::size_t fields) const {
    const std::size_t known_times = from_.times.size(), each = times_.size() * fields;
    std::vector<double> result(cotangents.size() / each * known_times * fields);
    for (std::size_t i = 0; i < cotangents.size(); ++i) {
        const Stencil& t = times_[i % each / fields];
        const std::size_t first = i / each * known_times;
        const double cotangent = t.weight * static_cast<double>(cotangents[i]);
        result[(first + t.low) * fields + i % fields] += (1.0 - t.share) * cotangent;
        result[(first + t.high) * fields + i % fields] += t.share * cotangent;
    }
    return {result.begin(), result.end()};
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
