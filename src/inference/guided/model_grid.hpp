#pragma once

#include <plumecast/core/log.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

/// Whether the grid or the times of a data set are not those of the training, and its cases are to be brought onto
/// those. Says so in the log, and warns of what that cannot make up for, of a model that does not say what it was
/// trained for, and of cells with volumes of their own, which cannot be brought over. Throws InvalidData for a grid of
/// the other kind, for a corner-point grid that is no box and another than the model's, and, where a network predicts
/// whole fields, for what lies `beyond` the training, if that is refused.
bool needs_regrid(const Bundle& bundle, const Dataset& dataset, Beyond beyond, const LogSink& log);

/// Whether at other times than those of the training, on its grid, the correction of physics alone is interpolated.
bool corrects_at_other_times(const Bundle& bundle);

/// What of the cases of a data set that needs_regrid() is brought over.
Resampling resampling_of(const Bundle& bundle, const Dataset& dataset);

}  // namespace plumecast
