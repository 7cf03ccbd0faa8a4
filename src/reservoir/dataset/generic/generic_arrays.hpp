#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class DatasetStore;

/// Whether a channel's source is the path of an array of generic data, "/inputs/coefficient" or "/grid/x".
bool is_path(std::string_view source);

/// The axes of space of a generic store, slowest first. Throws InvalidData where its attribute `axes` is none of these.
std::vector<Axis> space_axes_of(const DatasetStore& store);

/// The arrays of a generic store: times and mask, coordinates, inputs and outputs, each with the axes that it has. An
/// array whose axes no input or output can have gets those of a map, with which it does not agree. Throws InvalidData.
std::vector<ArraySpec> generic_arrays_of(const DatasetStore& store);

/// An output [N, T, space...], or [N, space...] without times, of generic data.
ArraySpec generic_output(const std::string& name, const std::string& unit, const std::vector<Axis>& space,
                         bool has_times);

/// The arrays that a store of any kind may have; of generic data those that it has.
std::vector<ArraySpec> arrays_of(const DatasetStore& store);

/// Edges midway between increasing points, those at the ends as far from the last points; of one point half a unit to
/// each side.
std::vector<double> edges_around(const std::vector<double>& points);

/// The arrays of a generic store that are no inputs, outputs, coordinates or notes of cases.
std::vector<Violation> left_over_generic_arrays(const DatasetStore& store);

/// What contradicts the format in generic data; outputs only if asked for. Throws IoError.
std::vector<Violation> generic_violations(const DatasetStore& store, bool with_outputs);

}  // namespace plumecast
