#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/predictor.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"
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
    /// Cases computed at once; 0 for as many as fit. On the host one, as convolutions round by the size of a batch:
    /// each case has the bits that it has alone.
    std::int64_t batch;
    TrustRecord trust;  ///< intervals and bands that it is calibrated for
    Json description;   ///< name, title, hash, inputs, fields, grid, times, card, calibrated

    /// Names of the fields, with both ends of the bands of those that have them. Throws Problem (400) where bands are
    /// asked for and none is calibrated.
    std::vector<std::string> fields_of(bool with_bands) const;
};

}  // namespace plumecast::service
