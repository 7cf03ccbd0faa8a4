#pragma once

#include <string>

#include <plumecast/data/dataset.hpp>
#include <plumecast/training/trainer.hpp>

namespace plumecast {

/// README.md of a trained bundle: what it predicts, from which data and recipe, how well, and for which inputs.
std::string model_card(const Recipe& recipe, const Dataset& train, std::int64_t train_cases, const EpochReport& report);

}  // namespace plumecast
