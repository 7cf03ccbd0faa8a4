#pragma once

#include <string>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// A recipe that starts from the weights of a model: its network, channels, fields and physics, the loss and batches
/// that it was trained with where it recorded them, and a tenth of its learning rate; data and output stay empty.
/// `field` says which network, by one of its fields; it may be empty for a model of one network. Throws InvalidInput
/// when it is that of no network, or of a choice.
Recipe fine_tuning_recipe(const Bundle& bundle, const std::string& field = "");

}  // namespace plumecast
