#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace plumecast {

/// What nearest_active_row() says of a column without any.
inline constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

/// Which cells of a column are active, of the active volume in each and the whole one: those of which at least half is,
/// and the one with most where that is nowhere so.
std::vector<char> active_rows(const std::vector<double>& volumes, const std::vector<double>& wholes);

/// The active row nearest to one, the upper of two.
std::size_t nearest_active_row(const std::vector<char>& active, std::size_t row);

}  // namespace plumecast
