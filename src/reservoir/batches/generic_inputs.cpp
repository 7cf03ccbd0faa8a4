#include "generic_inputs.hpp"

#include <algorithm>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {
namespace {

/// The array that a channel reads; nullptr where that is no path, or coordinates that are not stated.
const ArraySpec* array_read_by(const Dataset& dataset, const std::string& source) {
    const ArraySpec* spec = is_path(source) ? dataset.find(source == "/grid/times" ? "times" : source) : nullptr;
    if (spec == nullptr && source.starts_with("/inputs/")) {
        throw InvalidData(dataset.path() + ": no input " + source +
                          " (a channel of the network reads it); give a data set that has it");
    }
    return spec;
}

}  // namespace

Variation variation_in(const Dataset& dataset, const std::string& source) {
    const ArraySpec* spec = array_read_by(dataset, source);
    return spec == nullptr || spec->role == Role::grid || spec->role == Role::map ? variation_of(source)
           : spec->role == Role::scalar                                           ? Variation::scalar
                                                                                  : Variation::field;
}

void require_unit(const Dataset& dataset, const Channel& channel) {
    if (!is_path(channel.source) || channel.unit.empty()) {
        return;
    }
    const ArraySpec* spec = array_read_by(dataset, channel.source);
    const std::string unit = spec == nullptr ? "1" : spec->unit;
    if (unit != channel.unit) {
        throw InvalidData(dataset.path() + ": " + channel.source + " is in " + unit + " (the network has it in " +
                          channel.unit + "); convert the values and the attribute units");
    }
}

void require_points(const Dataset& dataset, const PointConstants& points, const std::string& what, bool varies) {
    if (points.empty()) {
        return;
    }
    const Shape known(points.extents), space = dataset.space();
    if (!varies) {
        throw InvalidInput(what + " has constants of points (it is the same at all of them); leave them out");
    }
    if (known != space) {
        throw InvalidData(dataset.path() + ": has points " + space.text() + " (" + what +
                          " has constants of the points " + known.text() +
                          " of its training); give data on that grid, or train with constants of all points together");
    }
}

void require_output(const Dataset& dataset, const Field& field) {
    const auto& outputs = dataset.outputs();
    if (std::find(outputs.begin(), outputs.end(), field.name) == outputs.end()) {
        throw InvalidData(dataset.path() + ": no output " + field.name +
                          " (the network's output is compared with it); use a file that has it");
    }
    const std::string& unit = dataset.find(field.name)->unit;
    if (field.unit != unit) {
        throw InvalidData(dataset.path() + ": output " + field.name + " is in " + unit + " (the network's is in " +
                          field.unit + "); correct the unit and constants of the field");
    }
}

std::vector<float> varying_input(const Dataset& dataset, const std::string& source, std::int64_t which) {
    const auto cells = static_cast<std::size_t>(dataset.cells()), times = static_cast<std::size_t>(dataset.snapshots());
    std::vector<float> values(times * cells);
    if (dataset.find(source)->role == Role::varying) {
        dataset.read_varying(source, {&which, 1}, values);
        return values;
    }
    std::vector<float> series(times);
    dataset.read_varying(source, {&which, 1}, series);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = series[i / cells];
    }
    return values;
}

}  // namespace plumecast
