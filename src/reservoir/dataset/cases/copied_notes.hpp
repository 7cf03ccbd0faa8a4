#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Texts of `/case/notes` of a file with `cases` cases; none where it has none, or another number of them. Throws
/// InvalidData, IoError.
std::vector<std::string> case_notes_of(const std::string& path, std::int64_t cases);

/// Writes `/case/notes` [N], unless all texts are empty. Throws IoError.
void write_notes(h5::File& file, const std::vector<std::string>& texts);

/// Writes `/case/start_date` [N] and `/case/saturation_tables` [N] of a file into another of the same cases, where it
/// has them. Throws InvalidData, IoError.
void copy_run_texts(const std::string& from, h5::File& to);

}  // namespace plumecast
