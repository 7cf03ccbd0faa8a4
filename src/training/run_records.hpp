#pragma once

#include <string>
#include <vector>

#include <plumecast/training/trainer.hpp>

/// What a training run writes of itself into its model.
namespace plumecast {

/// "gas_saturation and pressure_buildup"
std::string names_of(const std::vector<Field>& fields);

/// Name of the weights file of a network.
std::string stem_of(const std::vector<Field>& fields);

/// The recipe as a model carries it: files by name, since a model travels and folders do not.
Recipe without_folders(Recipe recipe);

std::vector<FieldReport> reports_of(const Evaluation& evaluation);

}  // namespace plumecast
