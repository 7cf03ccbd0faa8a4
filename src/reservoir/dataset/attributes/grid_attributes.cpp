#include "reservoir/dataset/attributes/grid_attributes.hpp"

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/regular_cells.hpp"

namespace plumecast {
namespace {

double number_or(const DatasetStore& store, const char* name, double otherwise) {
    return stated_number(store, *find_number_attribute(name)).value_or(otherwise);
}

bool has_array(const DatasetStore& store, const char* name) { return store.has(find_array(name)->path); }

bool is_corner_point(const DatasetStore& store) {
    const auto edges = [&](const char* name) { return store.read<double>(find_array(name)->path); };
    const auto cells = [&](const char* name) {
        return has_array(store, name) ? store.read<float>(find_array(name)->path) : std::vector<float>();
    };
    const std::vector<double> x = edges("x_edges"), y = edges("y_edges"), z = edges("z_edges");
    return !is_box(
        {x, y, z, cells("cell_volume"), cells("cell_centre_x"), cells("cell_centre_y"), cells("cell_centre_z")});
}

}  // namespace

void require_fitting_attributes(const DatasetStore& store) {
    if (geometry_of(store) != Geometry::cartesian) {
        return;
    }
    const double rotation = number_or(store, "rotation", 0.0);
    if (rotation != 0.0 && (has_array(store, "pillars") || has_array(store, "cell_centre_x")) &&
        is_corner_point(store)) {
        throw InvalidData(fmt::format(
            "{}: attribute rotation is {:g} (the centres and pillars of its corner-point grid lie along the axes of "
            "the map already); remove it, or turn the coordinates",
            store.name(), rotation));
    }
    const double factor = number_or(store, "aquifer_factor", 1.0);
    if (factor != 1.0 && !has_array(store, "pore_volume") && is_corner_point(store)) {
        throw InvalidData(
            fmt::format("{}: attribute aquifer_factor is {:g} (it is of the sides of a box, and this is a corner-point "
                        "grid); state "
                        "the volumes in /inputs/pore_volume, or remove it",
                        store.name(), factor));
    }
}

std::vector<Violation> idle_attributes(const DatasetStore& store) {
    const bool has_sides = geometry_of(store) == Geometry::cartesian;
    std::vector<Violation> idle;
    const auto add = [&](const char* name, const char* why) {
        idle.push_back({"/", fmt::format("attribute {} changes nothing ({})", name, why), "remove it", false});
    };
    if (number_or(store, "aquifer_factor", 1.0) != 1.0 && (!has_sides || has_array(store, "pore_volume"))) {
        add("aquifer_factor", has_sides ? "/inputs/pore_volume takes its place" : "it is of the sides of a box");
    }
    return idle;
}

}  // namespace plumecast
