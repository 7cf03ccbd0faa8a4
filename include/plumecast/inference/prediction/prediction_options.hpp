#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/log.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

/// Whether physical values stay within the limits of their field and are cut off below its cutoff, or are what the
/// network says.
enum class Limits { apply, leave_out };

/// What becomes of places and times beyond those of the training, of which a network that predicts whole fields knows
/// nothing.
enum class Beyond { refuse, leave_nan };

/// How fields are predicted, and who is told.
struct PredictionOptions {
    /// Cases computed at once; 0 for as many as seem to fit into the memory, 16 at most, on a processor one for each of
    /// its threads at most, and fewer where they do not.
    std::int64_t batch = 0;
    /// Names of the fields that a result file gets; empty for all. Arrays get those that they are named after.
    std::vector<std::string> fields = {};
    /// A result file gets the ends of the band of each field that the model is calibrated for, `FIELD_low` and
    /// `FIELD_high`; arrays get those that they are named after. NaN where the calibration says nothing of a case.
    bool uncertainty = false;
    /// One result file more, of the physics that networks correct as the fields that they make of it, and one of how
    /// far the members of networks are from their mean, under the names of the fields; none where empty, or where
    /// nothing is corrected and no network has several members.
    std::string physics_output = {}, spread_output = {};
    Beyond beyond = Beyond::refuse;
    LogSink log;  ///< warnings about inputs outside the training ranges; may be empty
    /// Told how many of all network passes over a case are done; may be empty.
    std::function<void(std::int64_t done, std::int64_t all)> progress;
    std::function<bool()> stop_requested;  ///< ends with Interrupted, and without a result file; may be empty
    /// Of reduced physics in memory at most, where several networks correct the same: so many cases go through all of
    /// them before the next do, each computed once.
    std::size_t physics_bytes = std::size_t{2} << 30;
    std::optional<double> buildup_limit = std::nullopt;  ///< [bar], above 0; a case that exceeds it is doubtful
    /// Ends with InvalidData when a case is bad, after the result is there, whole.
    bool strict = false;
    /// Left out, saturations may lie outside [0, 1] and traces stay, so that each value and its gradient feel the
    /// inputs.
    Limits limits = Limits::apply;
};

/// Where the time of a prediction goes on the thread that leads it [s]; what others do meanwhile counts where it is
/// waited for. Adds up to the whole.
struct PredictionStages {
    double checks = 0.0;    ///< reading and checking the inputs
    double physics = 0.0;   ///< waiting for cases to be loaded, with their reduced physics
    double networks = 0.0;  ///< computing the networks
    double judging = 0.0;   ///< verdicts, which read the results back
    double writing = 0.0;   ///< unpacking, packing and writing results, and all the rest

    double whole() const { return checks + physics + networks + judging + writing; }
};

/// What a prediction did, found and took.
struct PredictionReport {
    std::int64_t cases = 0;
    std::int64_t passes = 0;       ///< of a network over a case
    std::int64_t physics = 0;      ///< cases whose reduced physics was computed
    double compute_seconds = 0.0;  ///< of the networks alone
    double seconds = 0.0;          ///< with reading and writing
    PredictionStages stages;       ///< what `seconds` went to
    std::vector<OutOfRange> out_of_range;
    std::map<std::int64_t, std::string> failed;  ///< cases without values (NaN), and why, of all ranks
    /// Of the cases of a data set, on the rank that writes; empty for a file of ready-made channels.
    ResultVerdicts verdicts;
};

}  // namespace plumecast
