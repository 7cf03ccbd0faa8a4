#pragma once

#include <vector>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// A run for each member of a recipe with several: the seed counts up, and each has a folder of its own,
/// `members/0` and so on in that of the whole.
std::vector<Recipe> member_recipes(const Recipe& whole);

/// Writes `best` of the whole run: one network whose members are the best ones of these runs, on one rank while the
/// others wait. Throws InvalidModel, IoError.
void join_members(const Recipe& whole, Backend& backend, const ProcessGrid* grid);

}  // namespace plumecast
