#pragma once

#include <string>

namespace plumecast::testing {

/// Writes generic data of two cases on 3 points of a line at 2 times: "/inputs/map" = 10 n + x, "/inputs/number" = n +
/// 1,
/// "/inputs/series" = 100 n + t, "/inputs/field" = 100 n + 10 t + x, "/outputs/u" = -field in kelvin. The last point of
/// the second case is masked, and holds no number.
void write_generic_data(const std::string& path);

}  // namespace plumecast::testing
