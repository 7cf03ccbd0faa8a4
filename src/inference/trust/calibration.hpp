#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <plumecast/inference/predictor.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// What a calibration is made from.
struct CalibrationFiles {
    std::string held_out;  ///< simulated cases that the model was not trained on
    std::string training;  ///< the cases it was trained on; empty to keep what the bundle records of them
    std::string test;      ///< further simulated cases, judged with what was found; may be empty
    std::string scratch;   ///< a result file on the way, removed afterwards
    /// Others on the way, of the physics that the model corrects and of the spread of its members; removed too.
    std::string physics_scratch() const { return scratch + ".physics.h5"; }
    std::string spread_scratch() const { return scratch + ".spread.h5"; }
    bool only_intervals = false;  ///< what verdicts follow from stays as the bundle records it, but for `training`
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

/// Predicts held-out cases, fits intervals of figures and bands of fields where there are FigureBands::least_cases of
/// them, fits the
/// expected error of every field (MPE of saturation, MRE of build-up, else the relative L2 norm) and sets its limit as
/// low as 9 % of the cases that are not far off allow. Throws InvalidInput for too few cases, for a test of intervals
/// alone, and what predicting throws.
Calibration calibrate(const Predictor& predictor, const CalibrationFiles& files, const PredictionOptions& options);

/// Writes a record into the `model.json` of a bundle, which is left as it is otherwise. Throws IoError.
void record_trust(const std::string& bundle, const TrustRecord& record);

/// Where the cases of a data set lie. Throws InvalidData.
TrainingCloud cloud_of(const Dataset& dataset, std::int64_t cases);

}  // namespace plumecast
