#pragma once

#include <filesystem>

#include "reservoir/eclipse/deck/left_out.hpp"

namespace plumecast::eclipse {

/// Looks through the deck of a run for what a data set cannot carry; included files are looked through as far as they
/// are there. Records are not read: a keyword is one that stands alone on its line, or begins a record of a keyword
/// that changes arrays. MULTPV counts as a pore volume when `has_pore_volumes` is false, since the run tells otherwise.
/// Throws InvalidData, IoError.
LeftOut scan_deck(const std::filesystem::path& path, bool has_pore_volumes);

}  // namespace plumecast::eclipse
