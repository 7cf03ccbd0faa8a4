#include "cell_geometry.hpp"

#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// An axis of space: its letter, the edges of its cells, and its place among the axes.
struct SpaceAxis {
    char letter;
    const std::vector<double>* edges;
};

std::vector<SpaceAxis> axes_of(const Dataset& dataset) {
    if (dataset.geometry() == Geometry::radial) {
        return {{'z', &dataset.z_edges()}, {'r', &dataset.r_edges()}};
    }
    return {{'z', &dataset.z_edges()}, {'y', &dataset.y_edges()}, {'x', &dataset.x_edges()}};
}

/// The coordinates "/grid/x", "/grid/y" or "/grid/z" of generic data at every point.
std::vector<float> point_coordinates(const Dataset& dataset, std::string_view source) {
    const Shape space = dataset.space();
    constexpr std::string_view letters = "zyx";
    for (int axis = 0; axis < space.rank(); ++axis) {
        const auto letter = letters[letters.size() - static_cast<std::size_t>(space.rank() - axis)];
        if (source != std::string("/grid/") + letter) {
            continue;
        }
        const std::vector<double> along = dataset.coordinates(axis);
        const std::int64_t inner = space.count(axis + 1, space.rank());
        std::vector<float> values;
        for (std::int64_t point = 0; point < space.count(); ++point) {
            values.push_back(static_cast<float>(along[static_cast<std::size_t>(point / inner % space[axis])]));
        }
        return values;
    }
    throw InvalidData(dataset.path() + ": no " + std::string(source) +
                      " (the data have no such axis); use coordinates that they have");
}

}  // namespace

std::vector<float> cell_geometry(const Dataset& dataset, std::string_view source) {
    if (dataset.geometry() == Geometry::generic) {
        return point_coordinates(dataset, source);
    }
    const bool is_center = source.starts_with("center_");
    const std::vector<float>& own = dataset.cell_values("cell_centre_" + std::string(1, source.back()));
    if (is_center && !own.empty()) {
        return own;
    }
    const std::vector<SpaceAxis> axes = axes_of(dataset);
    const Shape space = dataset.space();
    for (int axis = 0; axis < space.rank(); ++axis) {
        const SpaceAxis& found = axes[static_cast<std::size_t>(axis)];
        if (found.letter != source.back()) {
            continue;
        }
        const std::int64_t inner = space.count(axis + 1, space.rank());
        std::vector<float> values(static_cast<std::size_t>(space.count()));
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            const auto entry = static_cast<std::size_t>(static_cast<std::int64_t>(cell) / inner % space[axis]);
            const double low = (*found.edges)[entry], high = (*found.edges)[entry + 1];
            values[cell] = static_cast<float>(is_center ? 0.5 * (low + high) : high - low);
        }
        return values;
    }
    throw InvalidData(dataset.path() + ": no " + std::string(source) + " (the grid has no axis " + source.back() +
                      "); use a model for this kind of grid");
}

}  // namespace plumecast
