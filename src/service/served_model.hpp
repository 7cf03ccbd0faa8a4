#pragma once

#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/predictor.hpp>

#include "service/scenario.hpp"

namespace plumecast::service {

/// A model that is served: its name in requests, and what clients are told of it.
struct ServedModel {
    /// Loads a bundle; its folder's name is its name. The backend must outlive it. Throws InvalidModel, also for one of
    /// Cartesian grids.
    ServedModel(const std::string& bundle, Backend& backend);

    std::string name;
    Predictor predictor;
    std::string hash;
    Axes axes;                        ///< of its training; empty where it records none
    std::vector<std::string> fields;  ///< that it predicts
    Json description;                 ///< name, title, hash, inputs, fields, grid, times, card
};

}  // namespace plumecast::service
