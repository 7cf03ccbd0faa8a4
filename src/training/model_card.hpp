#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/training_observer.hpp>

namespace plumecast {

/// A data set that a network learned from, and how many of its cases.
struct LearnedFrom {
    const Dataset& data;
    std::int64_t cases;
};

/// README.md of a trained bundle: what it predicts, from which data and recipe, how well, and for which inputs.
std::string model_card(const Recipe& recipe, const std::vector<LearnedFrom>& train, const EpochReport& report);

}  // namespace plumecast
