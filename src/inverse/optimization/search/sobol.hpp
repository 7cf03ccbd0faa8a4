#pragma once

#include <cstdint>
#include <vector>

namespace plumecast {

/// Dimensions that sobol_points() knows.
inline constexpr std::size_t most_sobol_dimensions = 16;

/// The first points of a Sobol sequence [count][dimensions] in (0, 1), without the one in the corner: Sobol 1967 with
/// the direction numbers of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (SIAM
/// J. Sci. Comput. 30, 2008). Expects 1 to most_sobol_dimensions dimensions and fewer than 2^31 points.
std::vector<std::vector<double>> sobol_points(std::size_t count, std::size_t dimensions);

}  // namespace plumecast
