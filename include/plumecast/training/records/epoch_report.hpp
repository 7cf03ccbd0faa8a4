#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumecast {

/// Validation errors of one field after an epoch, means over the cases except the pooled R2.
struct FieldReport {
    std::string field;
    double mpe = 0.0, mre = 0.0, relative_l2 = 0.0, r2 = 0.0, r2_plume = 0.0, mae = 0.0;
};

/// What an epoch came to. Epoch 0 is what a run starts from, where it starts from a model and has validation cases.
struct EpochReport {
    int epoch = 0;  ///< counts from 1; 0 for the start
    double learning_rate = 0.0;
    double train_loss = 0.0;  ///< NaN for the start, which has learnt nothing
    std::optional<double> validation_loss;
    std::vector<FieldReport> fields;
    double seconds = 0.0;
    bool best = false;  ///< the lowest loss so far; its weights are in `best`
};

}  // namespace plumecast
