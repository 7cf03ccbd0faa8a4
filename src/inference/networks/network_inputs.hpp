#pragma once

#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/predicted_arrays.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>

namespace plumecast {

class Dataset;

/// What a network takes of the cases of a data set, on their own grid, and what they have to compare with, into those
/// arrays that are given, float32 or float64: `channels` [N, space..., T, C] normalised; of a network that corrects
/// physics `base` and `correction` [N, space..., T, F], prediction = base + correction * network; `targets` [N,
/// space..., T, F], the normalised outputs of the cases; `active` [N, space...]; `scales` [N, F], physical = value *
/// scale + offset of the field. Throws InvalidInput for what the network does not have and arrays that do not fit,
/// InvalidData for cases without outputs, and what a prediction throws.
void read_network_inputs(const FieldNetwork& network, const Dataset& dataset, const PredictedArrays& to,
                         const PredictionOptions& options);

}  // namespace plumecast
