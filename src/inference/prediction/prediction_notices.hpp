#pragma once

#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

namespace plumecast {

/// Throws InvalidInput for options that no prediction can use.
void require_usable(const PredictionOptions& options);

/// Warns of inputs outside the training ranges: once of each input, however many cases have it outside.
void warn_of_ranges(const std::vector<OutOfRange>& found, const InputRanges& ranges, const LogSink& log);

/// Throws NotConverged when no case could be computed, as there is nothing to write into a file then.
void require_some(const PredictionReport& report, const std::string& input);

/// Warns once of the cases that could not be computed; `log` may be empty.
void warn_of_failures(const PredictionReport& report, const LogSink& log);

/// Warns once of the cases that have no bands, with the most frequent of `notes`, which say why of each case.
void warn_of_bands(const std::vector<std::string>& notes, const LogSink& log);

}  // namespace plumecast
