#include "reservoir/dataset/generic/generic_arrays.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {
namespace {

constexpr double lowest = std::numeric_limits<double>::lowest(), highest = std::numeric_limits<double>::max();

std::string times_path() { return find_array("times", Geometry::generic)->path; }
std::string mask_path() { return find_array("active", Geometry::generic)->path; }

std::vector<Axis> with_cases(std::vector<Axis> more) {
    more.insert(more.begin(), Axis::cases);
    return more;
}

std::vector<Axis> over_times(std::vector<Axis> space) {
    space.insert(space.begin(), Axis::times);
    return space;
}

std::string stated_unit(const DatasetStore& store, const std::string& path) {
    return store.text(path, "units").value_or("1");
}

/// An array of any values, named by its path.
ArraySpec any_array(const std::string& path, Role role, std::vector<Axis> axes, const std::string& unit,
                    const char* long_name, Storage storage = Storage::float32) {
    ArraySpec spec{path, role, std::move(axes), unit, long_name, storage, lowest, highest, false};
    spec.called = path;
    spec.since = 3;
    return spec;
}

/// The part and axes of an input by the number of its axes; a map where there is no such input.
ArraySpec input(const DatasetStore& store, const std::string& path, const std::vector<Axis>& space, bool has_times) {
    ArraySpec spec = any_array(path, Role::map, with_cases(space), stated_unit(store, path), "input");
    const std::size_t count = store.info(path).extents.size();
    const bool is_series = has_times && (space.size() > 1 || store.text(path, axes_attribute) == "N,T");
    if (count == 1) {
        spec.role = Role::scalar;
        spec.axes = {Axis::cases};
    } else if (count == 2 && is_series) {
        spec.role = Role::series;
        spec.axes = {Axis::cases, Axis::times};
    } else if (count == space.size() + 2 && has_times) {
        spec.role = Role::varying;
        spec.axes = with_cases(over_times(space));
    }
    return spec;
}

}  // namespace

bool is_path(std::string_view source) { return source.starts_with('/'); }

std::vector<Axis> space_axes_of(const DatasetStore& store) {
    const std::string text = store.text("/", axes_attribute).value_or("");
    if (text == "x") {
        return {Axis::x};
    }
    if (text == "y,x") {
        return {Axis::y, Axis::x};
    }
    if (text == "z,y,x") {
        return {Axis::z, Axis::y, Axis::x};
    }
    throw InvalidData(store.name() + ": attribute axes is " + store.attribute_text("/", axes_attribute) +
                      " (it names the axes of space of generic data, slowest first); set it to \"x\", \"y,x\" or "
                      "\"z,y,x\"");
}

ArraySpec generic_output(const std::string& name, const std::string& unit, const std::vector<Axis>& space,
                         bool has_times) {
    ArraySpec spec =
        any_array("/outputs/" + name, Role::output, with_cases(has_times ? over_times(space) : space), unit, "output");
    spec.called.clear();
    return spec;
}

std::vector<ArraySpec> generic_arrays_of(const DatasetStore& store) {
    const std::vector<Axis> space = space_axes_of(store);
    const bool has_times = store.has(times_path());
    std::vector<ArraySpec> arrays;
    for (ArraySpec spec : dataset_arrays(Geometry::generic)) {
        if (store.has(spec.path)) {
            if (spec.role == Role::map) {
                spec.axes = with_cases(space);
            } else {
                spec.unit = stated_unit(store, spec.path);
                spec.long_name = "time";
                spec.low = lowest;
                spec.high = highest;
            }
            arrays.push_back(std::move(spec));
        }
    }
    for (const std::string& path : store.arrays()) {
        if (path == times_path() || path == mask_path()) {
            continue;
        }
        if (std::ranges::count(path, '/') != 2) {
            continue;  // in a folder below, where nothing is looked for
        }
        if (path.starts_with("/inputs/")) {
            arrays.push_back(input(store, path, space, has_times));
        } else if (path.starts_with("/outputs/")) {
            arrays.push_back(generic_output(path.substr(std::string_view("/outputs/").size()), stated_unit(store, path),
                                            space, has_times));
        } else {
            for (const Axis axis : space) {
                if (path == "/grid/" + std::string(1, static_cast<char>(symbol_of(axis)[0] - 'A' + 'a'))) {
                    arrays.push_back(any_array(path, Role::grid, {axis}, stated_unit(store, path),
                                               "coordinate of the points", Storage::float64));
                }
            }
        }
    }
    return arrays;
}

std::vector<ArraySpec> arrays_of(const DatasetStore& store) {
    const Geometry geometry = geometry_of(store);
    if (geometry == Geometry::generic) {
        return generic_arrays_of(store);
    }
    const std::span<const ArraySpec> arrays = dataset_arrays(geometry);
    return {arrays.begin(), arrays.end()};
}

std::vector<double> edges_around(const std::vector<double>& points) {
    const std::size_t count = points.size();
    if (count == 1) {
        return {points[0] - 0.5, points[0] + 0.5};
    }
    std::vector<double> edges{1.5 * points[0] - 0.5 * points[1]};
    for (std::size_t i = 1; i < count; ++i) {
        edges.push_back(0.5 * (points[i - 1] + points[i]));
    }
    edges.push_back(1.5 * points[count - 1] - 0.5 * points[count - 2]);
    return edges;
}

}  // namespace plumecast
