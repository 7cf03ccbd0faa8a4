#pragma once

#include <cstdint>
#include <string>

#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// Whether inputs and outputs have one mean and deviation, or one of each point of the grid (over cases and times).
enum class Constants { of_all_points, of_each_point };

/// A recipe for generic data: a network of the data's axes that reads every input, the coordinates and the times, and
/// predicts every output, all standardised by mean and deviation over the cases and the points that count; the relative
/// L2 loss without derivative. The constants stand in the recipe, and go into the model with it. Throws InvalidInput
/// for reservoirs, whose defaults need no data, and for data without outputs, InvalidData, IoError.
Recipe recipe_for_data(const std::string& architecture, const std::string& path,
                       Constants constants = Constants::of_all_points, std::int64_t rollout_steps = 0);

}  // namespace plumecast
