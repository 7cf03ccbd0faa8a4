#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// Result files of a set of cases on the way of a calibration: fields, the physics that they correct, and the spread of
/// members.
struct ScratchResults {
    std::string fields, physics, spread;
};

/// What a calibration is made from.
struct CalibrationFiles {
    /// Sets of simulated cases that the model was not trained on, one or more, of different laws of rates or times for
    /// example: expected errors are of all of them together, intervals and bands hold in each of them.
    std::vector<std::string> held_out;
    std::string training;         ///< the cases it was trained on; empty to keep what the bundle records of them
    std::string test;             ///< further simulated cases, judged with what was found; may be empty
    std::string scratch;          ///< what names of result files on the way begin with, which are removed afterwards
    bool only_intervals = false;  ///< what verdicts follow from stays as the bundle records it, but for `training`

    /// The result files of a set on the way: of the test after the held-out ones.
    ScratchResults results_of(std::size_t set) const;
    /// Those of all sets.
    std::vector<std::string> scratch_files() const;
};

/// How often the verdicts are right. A case is far off when the error of a field exceeds three times its median.
struct HitRates {
    std::int64_t cases = 0;
    std::int64_t far_off = 0;       ///< cases that are
    std::int64_t caught = 0;        ///< those of them that are doubtful or bad
    std::int64_t false_alarms = 0;  ///< the others that are doubtful or bad

    Json to_json() const;
    /// "caught 15 of 16 cases that are far off, false alarm in 6 of the 84 others".
    std::string text() const;
};

/// What a calibration finds, and how well it judges.
struct Calibration {
    TrustRecord record;
    HitRates held_out;  ///< each case judged by what the others say
    std::optional<HitRates> test;
};

/// Predicts held-out cases, fits intervals of figures and bands of fields where each set has FigureBands::least_cases
/// of them, fits the expected error of every field (MPE of saturation, MRE of build-up, else the relative L2 norm) and
/// sets its limit as low as 9 % of the cases that are not far off allow. Throws InvalidInput for too few cases, for a
/// test of intervals alone, and what predicting throws.
Calibration calibrate(const Predictor& predictor, const CalibrationFiles& files, const PredictionOptions& options);

/// Writes a record into the `model.json` of a bundle, which is left as it is otherwise. Throws IoError.
void record_trust(const std::string& bundle, const TrustRecord& record);

/// Where the cases of a data set lie. Throws InvalidData.
TrainingCloud cloud_of(const Dataset& dataset, std::int64_t cases);

}  // namespace plumecast
