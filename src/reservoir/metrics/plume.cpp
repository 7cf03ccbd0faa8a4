#include <plumecast/reservoir/metrics/plume.hpp>

#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

namespace {

void check_sizes(const Shape& field, const Shape& active, std::size_t r_edges, std::size_t z_edges) {
    const bool fits = field.rank() == 3 && active == field.slice(0, 2) &&
                      z_edges == static_cast<std::size_t>(field[0]) + 1 &&
                      r_edges == static_cast<std::size_t>(field[1]) + 1;
    if (!fits) {
        throw InvalidInput("gas saturation " + field.text() + ", active " + active.text() + ", " +
                           std::to_string(r_edges) + " r_edges and " + std::to_string(z_edges) +
                           " z_edges do not fit (they are [Z, R, T], [Z, R], R + 1 and Z + 1); give one grid");
    }
}

void check_cells(std::size_t values, std::size_t active, std::size_t cells) {
    if (values != cells || active != cells) {
        throw InvalidInput(std::to_string(values) + " marks and " + std::to_string(active) +
                           " activities do not fit the grid (it has " + std::to_string(cells) +
                           " cells); give maps of one grid");
    }
}

}  // namespace

std::vector<std::uint8_t> cells_above(std::span<const float> values, std::span<const float> active, double threshold) {
    check_cells(values.size(), active.size(), values.size());
    std::vector<std::uint8_t> marks(values.size());
    for (std::size_t cell = 0; cell < marks.size(); ++cell) {
        marks[cell] = active[cell] != 0.0F && static_cast<double>(values[cell]) > threshold ? 1 : 0;
    }
    return marks;
}

PlumeSize extent_of(std::span<const std::uint8_t> marks, std::span<const float> active, const CellGeometry& geometry) {
    check_cells(marks.size(), active.size(), geometry.cells());
    PlumeSize size;
    double top = geometry.depths.back();
    double bottom = geometry.depths.front();
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        bool is_covered = false;
        bool is_below_top = false;  // an active cell lies above in this column
        for (std::size_t row = 0; row < geometry.rows; ++row) {
            const std::size_t cell = row * geometry.columns + column;
            if (marks[cell] != 0) {
                size.footprint += is_covered || is_below_top ? 0.0 : geometry.areas[column];
                is_covered = true;
                top = std::min(top, geometry.depths[row]);
                bottom = std::max(bottom, geometry.depths[row + 1]);
            }
            is_below_top = is_below_top || active[cell] != 0.0F;
        }
        if (is_covered) {
            size.radius = std::max(size.radius, geometry.reaches[column]);
            size.area += geometry.areas[column];
        }
    }
    size.thickness = std::max(0.0, bottom - top);
    return size;
}

std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold) {
    const Shape& shape = gas_saturation.shape;
    check_sizes(shape, active.shape, r_edges.size(), z_edges.size());
    const CellGeometry geometry = radial_geometry(r_edges, z_edges);
    const std::span<const float> inside(active.as<float>(), geometry.cells());
    std::vector<float> snapshot(geometry.cells());
    std::vector<PlumeSize> sizes;
    for (std::int64_t t = 0; t < shape[2]; ++t) {
        for (std::size_t cell = 0; cell < snapshot.size(); ++cell) {
            snapshot[cell] = gas_saturation.as<float>()[static_cast<std::int64_t>(cell) * shape[2] + t];
        }
        sizes.push_back(extent_of(cells_above(snapshot, inside, threshold), inside, geometry));
    }
    return sizes;
}

}  // namespace plumecast
