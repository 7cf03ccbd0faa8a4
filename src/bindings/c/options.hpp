#pragma once

#include <cstddef>

#include <plumecast.h>
#include <plumecast/inference/predictor.hpp>

namespace plumecast::c {

/// A sink that calls back; empty for NULL.
LogSink sink_of(plumecast_log log, void* user);

/// The options of a call, defaults for NULL. Throws InvalidInput for values that cannot be.
PredictionOptions options_of(const plumecast_options* given);

/// Outputs by name. Throws InvalidInput for NULL where there are some, and for a name given twice.
PredictedArrays outputs_of(const plumecast_named* outputs, std::size_t count);

}  // namespace plumecast::c
