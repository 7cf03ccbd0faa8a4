#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "reservoir/import/arrays/numpy_file.hpp"

namespace plumecast {

/// Entries of an axis that are taken: begin, begin + step ... below end. One alone takes the axis away.
struct TakenEntries {
    std::int64_t begin = 0, end = std::numeric_limits<std::int64_t>::max(), step = 1;
    bool is_single = false;

    std::int64_t count(std::int64_t extent) const { return (std::min(end, extent) - begin - 1) / step + 1; }
};

/// What a map of generic data says of one array.
struct ArrayEntry {
    std::string file, array, axes, unit;
    std::string where;  ///< the entry in the map, for messages
    std::map<char, TakenEntries> entries;
};

/// Reads {"file", "array", "axes", "unit", "entries"}, which messages call `where`. Throws InvalidInput for a file that
/// is not one of `sources` and entries that there cannot be.
ArrayEntry read_entry(JsonReader entry, const std::string& where, const std::vector<std::string>& sources);

/// The entries of an array that are taken, with the axes in the order of the letters `wanted`; NaN where the file says
/// that a number stands for no value. Throws InvalidInput for axes that differ, InvalidData.
NumberArray arranged_array(const ArrayEntry& entry, const std::string& wanted);
/// The same along one axis, in double precision where the file has it: times may need more digits than float32 has.
std::vector<double> arranged_points(const ArrayEntry& entry, char letter);

}  // namespace plumecast
