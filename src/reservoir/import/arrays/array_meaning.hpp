#pragma once

#include <string>

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/stored_meaning.hpp"

namespace plumecast {

/// What a file of another layout says about the numbers of an array that a map takes for `name`. Throws InvalidData
/// for an array that holds no numbers, or nothing, for parts that were never written, and for edges of rows that count
/// upwards.
h5::StoredMeaning meaning_of(const h5::File& file, const std::string& path, const std::string& name);

}  // namespace plumecast
