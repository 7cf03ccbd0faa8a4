#pragma once

#include <string_view>

namespace plumecast::app {

/// The JSON Schema of a recipe, as published in docs/recipe.schema.json.
std::string_view recipe_schema();

}  // namespace plumecast::app
