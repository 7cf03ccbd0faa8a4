#pragma once

#include <plumecast/reservoir/import/import.hpp>

namespace plumecast {

/// Whether a map says of itself that its arrays are generic data: "geometry": "generic". Throws IoError, InvalidInput.
bool is_generic_map(const std::string& map);

/// Turns arrays of NumPy or HDF5 files (of MATLAB's version 7.3 too) into generic data, as the map says: for each input
/// and output an array, the order of its axes, its unit and the entries to take (docs/import.md). Each array is in
/// memory while it is written. Throws InvalidInput for a map that contradicts itself or the arrays, InvalidData naming
/// file and array, IoError.
ImportReport import_generic(const ImportOptions& options);

}  // namespace plumecast
