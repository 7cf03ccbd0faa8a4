#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <plumecast/architectures/parameters.hpp>

namespace plumecast {

/// Writes all weights and buffers as float32 under their names. Throws InvalidInput when one is not finite; IoError.
void write_weights(const std::filesystem::path& path, const Parameters& parameters,
                   const std::map<std::string, std::string>& metadata);

/// Reads such a file into parameters of the same names and shapes. Throws InvalidModel naming file and array for one
/// that is missing, left over, of another shape or element type, or not finite.
void read_weights(const std::filesystem::path& path, const Parameters& parameters);

/// True when no element is a NaN or infinite.
bool is_finite(ConstView values);

}  // namespace plumecast
