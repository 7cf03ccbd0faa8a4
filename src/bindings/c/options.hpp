#pragma once

#include <cstddef>
#include <string>

#include <plumecast.h>
#include <plumecast/inference/predictor.hpp>

namespace plumecast::c {

/// A sink that calls back; empty for NULL.
LogSink sink_of(plumecast_log log, void* user);

/// What the caller's struct holds, defaults for what it lacks. Throws InvalidInput for a struct without a size.
plumecast_options read_options(const plumecast_options* given);

/// The options of a call, defaults for NULL. Throws InvalidInput for values that cannot be.
PredictionOptions options_of(const plumecast_options* given);

/// Tells the verdicts of a prediction, whose results are there. Throws InvalidData when a case is bad, if that is asked
/// for.
void finish(const PredictionReport& report, const plumecast_options* given, const std::string& input);

/// Outputs by name. Throws InvalidInput for NULL where there are some, and for a name given twice.
PredictedArrays outputs_of(const plumecast_named* outputs, std::size_t count);

}  // namespace plumecast::c
