#pragma once

#include <string>

#include <plumecast/core/log.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// The network of a recipe with weights from its seed, and frozen what the recipe freezes. Throws InvalidInput for a
/// name to freeze that the network does not have, and when nothing is left to train.
FieldNetwork network_of(const Recipe& recipe, Backend& backend, const ProcessGrid* grid);

/// Gives a network the weights and running statistics of a checkpoint of its run; all ranks of its grid do this
/// together. Throws InvalidModel for a checkpoint that cannot be used or has another network.
void restore_weights(const std::string& checkpoint, const FieldNetwork& network, const ProcessGrid* grid);

/// Gives a network the weights and running statistics of the one in a bundle that predicts the same fields; all ranks
/// of its grid do this together. Says in the log what the run starts from. Throws InvalidModel for a bundle that cannot
/// be used, and InvalidInput naming the first entry of the recipe that describes another network.
void start_from(const std::string& bundle, const FieldNetwork& network, const ProcessGrid* grid, const LogSink& log);

}  // namespace plumecast
