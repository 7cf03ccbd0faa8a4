#pragma once

#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/bundle.hpp>

#include "command.hpp"

namespace plumecast::app {

/// Makes the folders above `path`. Throws InvalidInput when `path` is one of the inputs, or holds something that is no
/// bundle, or more than a bundle, such as the state of a training run: writing one replaces the whole folder. A model
/// there is replaced only if `is_forced`.
void require_bundle_place(const std::string& path, const std::vector<std::string>& inputs, bool is_forced);

/// The option --force of subcommands that write a model.
void add_model_force(CLI::App& app, bool& is_forced);

/// One network of a bundle in a line: "ufno, width 36, modes 10 x 10 x 10, 3 + 3 blocks, 33,097,829 parameters".
std::string network_text(const FieldNetwork& network);

}  // namespace plumecast::app
