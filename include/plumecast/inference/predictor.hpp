#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/evaluation.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/metrics/trust/result_judge.hpp>

namespace plumecast {

class BundlePhysics;
class FieldsWriter;

/// What becomes of places and times beyond those of the training, of which a network that predicts whole fields knows
/// nothing.
enum class Beyond { refuse, leave_nan };

struct PredictionOptions {
    /// Cases computed at once; 0 for as many as seem to fit into the memory, and fewer where they do not.
    std::int64_t batch = 4;
    Beyond beyond = Beyond::refuse;
    LogSink log;  ///< warnings about inputs outside the training ranges; may be empty
    /// Told how many of all network passes over a case are done; may be empty.
    std::function<void(std::int64_t done, std::int64_t all)> progress;
    std::function<bool()> stop_requested;  ///< ends with Interrupted and no result file; may be empty
    /// Of reduced physics in memory at most, where several networks correct the same: so many cases go through all of
    /// them before the next do, each computed once.
    std::size_t physics_bytes = std::size_t{2} << 30;
    std::optional<double> buildup_limit = std::nullopt;  ///< [bar]; a case that exceeds it is doubtful
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

struct PredictionReport {
    std::int64_t cases = 0;
    std::int64_t passes = 0;       ///< of a network over a case
    std::int64_t physics = 0;      ///< cases whose reduced physics was computed
    double compute_seconds = 0.0;  ///< of the networks alone
    double seconds = 0.0;          ///< with reading and writing
    PredictionStages stages;       ///< what `seconds` went to
    std::vector<OutOfRange> out_of_range;
    /// Of the cases of a data set, on the rank that writes; empty for a file of ready-made channels.
    ResultVerdicts verdicts;
};

/// A trained model ready to predict: the one way from inputs to fields for the command line, examples and tests.
class Predictor {
   public:
    /// Loads a bundle; the backend must outlive the predictor, and so must the grid of the ranks that predict together
    /// (nullptr for one alone); they make every call together. Throws InvalidModel.
    Predictor(const std::string& bundle, Backend& backend, const ProcessGrid* grid = nullptr);

    const Bundle& bundle() const { return bundle_; }
    /// Normalised values [B, Z, R, T, F] of one network of the bundle for a host batch, on the host; this rank's shard
    /// of both.
    Tensor predict(const BundleNetwork& network, const Batch& batch) const;
    /// Predicts all fields of all cases of `input`, a data set or a file of ready-made channels, into a result file,
    /// which appears whole or not at all, with a verdict for each case of a data set; the first rank writes it. Inputs
    /// that violate the format are refused. Loading runs ahead of computing, writing behind it.
    /// Throws InvalidData, InvalidInput, IoError, Interrupted, and OutOfMemory naming the batch that would fit.
    PredictionReport predict(const std::string& input, const std::string& output,
                             const PredictionOptions& options) const;
    /// Errors of all fields against the outputs of a data set, one evaluation per network.
    std::vector<Evaluation> evaluate(const Dataset& dataset, const EvaluationOptions& options) const;

   private:
    bool is_first() const { return grid_ == nullptr || grid_->world().rank() == 0; }
    BundlePhysics physics_of(const Dataset& dataset, const PredictionOptions& options, bool is_elsewhere) const;
    void warn(const Dataset& dataset, const PredictionOptions& options, PredictionReport& report) const;

    Backend* backend_;
    const ProcessGrid* grid_;
    Bundle bundle_;
    InputRanges ranges_;
    TrustRecord trust_;
};

}  // namespace plumecast
