#pragma once

#include <plumecast/reservoir/import/import.hpp>

namespace plumecast {

/// True for the name of a safetensors file.
bool is_tensor_file(const std::string& path);

/// Turns what scripts/convert/convert_tensors.py wrote into a data set: published scales become physical values, fields
/// [Z, R, T] become [T, Z, R], widths become edges. The only value taken is well_radius [m], 0.1 without it. Throws
/// InvalidData naming the file and the array; InvalidModel when it is no safetensors file; IoError.
ImportReport import_tensors(const ImportOptions& options);

}  // namespace plumecast
