#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/core/shape.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

/// Which rules the values of an array in one case break, one violation for each rule: finite where a cell is active,
/// in the range of the format, 0 (or NaN in an output) where it is not. `active` [cells] marks the cells of `space`, a
/// value of each cell at each time; `is_free` where any finite value will do.
std::vector<Violation> value_violations(const ArraySpec& spec, std::int64_t which, const std::vector<float>& values,
                                        const std::vector<float>& active, const Shape& space, bool is_free);

}  // namespace plumecast
