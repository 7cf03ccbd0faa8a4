#include "inference/guided/volume_average.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {
namespace {

/// The columns of a box, or rings as they count for the volume: by squares times pi.
PlanView plan_of(const GridAndTimes& grid) {
    if (!grid.is_radial()) {
        return PlanView::of(grid);
    }
    std::vector<double> edges = grid.r_edges;
    std::ranges::transform(edges, edges.begin(), [](double r) { return std::numbers::pi * r * r; });
    return {edges, {0.0, 1.0}};
}

std::vector<std::vector<Piece>> all_pieces(const std::vector<double>& from, const std::vector<double>& to) {
    std::vector<std::vector<Piece>> result;
    for (std::size_t i = 0; i + 1 < to.size(); ++i) {
        result.push_back(pieces(from, to[i], to[i + 1]));
    }
    return result;
}

std::vector<double> lengths_of(const std::vector<double>& edges) {
    std::vector<double> lengths;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        lengths.push_back(edges[i + 1] - edges[i]);
    }
    return lengths;
}

double length(const Piece& piece) { return piece.end - piece.begin; }

double volume_of(double height, const Rectangle& column) {
    return height * (column.high_y - column.low_y) * (column.high_x - column.low_x);
}

/// Share of the deviations that keeps the value and all of them in a range.
double kept_share(double value, double lowest, double highest, double low, double high) {
    double share = 1.0;
    if (value + lowest < low) {
        share = std::min(share, (low - value) / lowest);
    }
    if (value + highest > high) {
        share = std::min(share, (high - value) / highest);
    }
    return std::max(share, 0.0);
}

}  // namespace

std::vector<std::size_t> nearest_active(std::span<const float> active, std::size_t rows) {
    const std::size_t plane = active.size() / rows;
    std::vector<std::size_t> nearest(active.size());
    for (std::size_t cell = 0; cell < nearest.size(); ++cell) {
        nearest[cell] = cell;
        const std::size_t row = cell / plane, column = cell % plane;
        for (std::size_t away = 0; away < rows; ++away) {
            if (row >= away && active[(row - away) * plane + column] != 0.0F) {
                nearest[cell] = (row - away) * plane + column;
                break;
            }
            if (row + away < rows && active[(row + away) * plane + column] != 0.0F) {
                nearest[cell] = (row + away) * plane + column;
                break;
            }
        }
    }
    return nearest;
}

/// Of interpolated values, by cell of the first grid and time.
struct VolumeAverage::Deviations {
    std::vector<double> mean;             // of the values over the pores
    std::vector<double> lowest, highest;  // of what they are above it
};

/// Of values of cells, by time.
struct VolumeAverage::Range {
    std::vector<double> low, high;
};

VolumeAverage::VolumeAverage(const GridAndTimes& from, const GridAndTimes& to)
    : rows_(from.rows()), lines_(plan_of(from).lines()), columns_(from.columns()) {
    PlanView known = plan_of(from);
    const PlanView other = plan_of(to);
    if (from.is_radial()) {  // the first ring goes on inwards
        known.x_edges.front() = std::min(known.x_edges.front(), other.x_edges.front());
    }
    z_ = all_pieces(from.z_edges, to.z_edges);
    heights_ = lengths_of(to.z_edges);
    const Turn turn = turn_between(to.place, from.place);
    for (std::size_t line = 0; line < other.lines(); ++line) {
        for (std::size_t column = 0; column < other.columns(); ++column) {
            columns_seen_.push_back(other.cell(line, column));
            areas_.push_back(shared_areas(known, columns_seen_.back(), turn));
        }
    }
}

std::vector<VolumeAverage::Part> VolumeAverage::parts(std::span<const float> active, const PoreSpace& to) const {
    const std::vector<std::size_t> nearest = nearest_active(active, rows_);
    std::vector<Part> result;
    std::size_t cell = 0;
    for (std::size_t row = 0; row < z_.size(); ++row) {
        for (std::size_t column = 0; column < areas_.size(); ++column, ++cell) {
            if (to.active[cell] == 0.0F) {
                continue;
            }
            const double whole = volume_of(heights_[row], columns_seen_[column]);
            for (const Piece& z : z_[row]) {
                for (const AreaShare& area : areas_[column]) {
                    const double shared = length(z) * area.along_y * area.along_x;
                    const std::size_t other = z.cell * lines_ * columns_ + area.column;
                    result.push_back(
                        {cell, nearest[other], shared / whole, shared * static_cast<double>(to.porosity[cell])});
                }
            }
        }
    }
    return result;
}

VolumeAverage::Deviations VolumeAverage::deviations(const std::vector<Part>& parts, const std::vector<double>& values,
                                                    std::size_t times) const {
    const std::vector<double> none(cells() * times, 0.0);
    Deviations result{none, none, none};
    std::vector<double> pores(cells(), 0.0);
    for (const Part& part : parts) {
        pores[part.from] += part.pores;
        for (std::size_t t = 0; t < times; ++t) {
            result.mean[part.from * times + t] += part.pores * values[part.to * times + t];
        }
    }
    for (std::size_t i = 0; i < result.mean.size(); ++i) {
        result.mean[i] = pores[i / times] > 0.0 ? result.mean[i] / pores[i / times] : 0.0;
    }
    for (const Part& part : parts) {
        for (std::size_t t = 0; t < times; ++t) {
            const std::size_t i = part.from * times + t;
            const double deviation = values[part.to * times + t] - result.mean[i];
            result.lowest[i] = std::min(result.lowest[i], deviation);
            result.highest[i] = std::max(result.highest[i], deviation);
        }
    }
    return result;
}

/// Of a cell and those around it.
VolumeAverage::Range VolumeAverage::range_around(std::size_t cell, std::span<const float> field,
                                                 std::span<const float> active, const std::vector<std::size_t>& nearest,
                                                 std::size_t times) const {
    const std::size_t column = cell % columns_, line = cell / columns_ % lines_, row = cell / columns_ / lines_;
    const auto before = [](std::size_t place) { return place == 0 ? 0 : place - 1; };
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Range range{std::vector<double>(times, infinite), std::vector<double>(times, -infinite)};
    for (std::size_t z = before(row); z < std::min(row + 2, rows_); ++z) {
        for (std::size_t y = before(line); y < std::min(line + 2, lines_); ++y) {
            for (std::size_t x = before(column); x < std::min(column + 2, columns_); ++x) {
                const std::size_t other = nearest[(z * lines_ + y) * columns_ + x];
                for (std::size_t t = 0; active[other] != 0.0F && t < times; ++t) {
                    const auto value = static_cast<double>(field[other * times + t]);
                    range.low[t] = std::min(range.low[t], value);
                    range.high[t] = std::max(range.high[t], value);
                }
            }
        }
    }
    return range;
}

std::vector<double> VolumeAverage::kept_shares(std::span<const float> field, std::span<const float> active,
                                               const Deviations& deviations) const {
    const std::vector<std::size_t> nearest = nearest_active(active, rows_);
    const std::size_t times = field.size() / cells();
    std::vector<double> shares(field.size(), 1.0);
    for (std::size_t cell = 0; cell < cells(); ++cell) {
        const Range range = range_around(cell, field, active, nearest, times);
        for (std::size_t t = 0; t < times; ++t) {
            const std::size_t i = cell * times + t;
            shares[i] = kept_share(static_cast<double>(field[i]), deviations.lowest[i], deviations.highest[i],
                                   range.low[t], range.high[t]);
        }
    }
    return shares;
}

void VolumeAverage::apply(std::span<const float> field, std::span<const float> active, const PoreSpace& to,
                          std::vector<double>& values) const {
    const std::size_t times = field.size() / cells();
    expects(active.size() == cells() && values.size() == to.active.size() * times, "fields of the two grids");
    const std::vector<Part> shared = parts(active, to);
    const Deviations own = deviations(shared, values, times);
    const std::vector<double> shares = kept_shares(field, active, own);
    std::vector<double> result(values.size(), 0.0);
    for (const Part& part : shared) {
        for (std::size_t t = 0; t < times; ++t) {
            const std::size_t i = part.from * times + t, cell = part.to * times + t;
            result[cell] += part.volume * (static_cast<double>(field[i]) + shares[i] * (values[cell] - own.mean[i]));
        }
    }
    values = std::move(result);
}

}  // namespace plumecast
