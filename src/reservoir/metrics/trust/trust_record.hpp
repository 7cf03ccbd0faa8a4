#pragma once

#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/metrics/trust/error_model.hpp"
#include "reservoir/metrics/trust/field_bands.hpp"
#include "reservoir/metrics/trust/figure_bands.hpp"
#include "reservoir/metrics/trust/training_cloud.hpp"

namespace plumecast {

/// What a bundle records to judge its own predictions by (docs/model_format.md, `training.trust`).
struct TrustRecord {
    TrainingCloud cloud;               ///< empty where it is not known
    std::vector<ErrorModel> expected;  ///< of the fields that were calibrated
    TrustLimits limits;
    FigureBands bands;       ///< intervals of figures; empty where they were not calibrated
    FieldBands field_bands;  ///< of whole fields; empty where they were not calibrated
    Json calibration;        ///< how the limits were found and how often they are right; null without

    Json to_json() const;
    /// Of the `training` of a bundle; without an entry `trust` nothing but the usual limits. Throws InvalidInput with
    /// the dotted path.
    static TrustRecord of(const Json& training, const std::string& path);
};

}  // namespace plumecast
