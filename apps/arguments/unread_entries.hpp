#pragma once

#include <plumecast/training/recipe.hpp>

#include "console.hpp"

namespace plumecast::app {

/// Warns of entries of the network that a recipe sets though its architecture reads none of them.
void warn_of_unread(const Recipe& recipe, Console& console);

}  // namespace plumecast::app
