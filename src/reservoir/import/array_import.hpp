#pragma once

#include <plumecast/reservoir/import/import.hpp>

namespace plumecast {

/// Turns arrays of an HDF5 file of another layout into a data set, as the map says: for each array of the format a
/// place in the file with its axes and unit, or a number (docs/import.md). Throws InvalidInput for a map that
/// contradicts itself or the format, InvalidData naming file and array, IoError.
ImportReport import_arrays(const ImportOptions& options);

}  // namespace plumecast
