#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/predicted_arrays.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>
#include <plumecast/inference/recording.hpp>

namespace plumecast {

class Backend;
class Dataset;
class LoadedModel;
class ProcessGrid;
class Tensor;
struct Batch;
struct Bundle;
struct BundleNetwork;
struct Evaluation;
struct EvaluationOptions;

/// A trained model ready to predict: the one way from inputs to fields for the command line, examples and tests. Keeps
/// the plans of the eight latest shapes of batches, which its copies share, as they do the weights; these must stay as
/// they are.
class Predictor {
   public:
    /// Loads a bundle; the backend must outlive the predictor, and so must the grid of the ranks that predict together
    /// (nullptr for one alone); they make every call together. Throws InvalidModel.
    Predictor(const std::string& bundle, Backend& backend, const ProcessGrid* grid = nullptr);

    /// What was loaded; inference/bundle.hpp has its parts.
    const Bundle& bundle() const;
    /// The device and the precision that predictions are computed with; not the threads, which change no bits.
    std::string arithmetic() const;
    /// Normalised values [B, Z, R, T, F] of one network of the bundle for a host batch, on the host; this rank's shard
    /// of both (reservoir/batches/batch.hpp).
    Tensor predict(const BundleNetwork& network, const Batch& batch) const;
    /// Predicts fields of all cases of `input`: into a result file, which appears whole or not at all, or into arrays
    /// of the caller's, each value written once, in physical units, NaN in inactive cells (nothing is promised of them
    /// after an error). The same cases in the same batches give the same bits wherever they lie and go. With a verdict
    /// for each case of a data set, on what fields are kept. The first rank writes; ranks name the same outputs. Inputs
    /// that violate the format are refused; a case that cannot be computed is NaN in all its fields and bad, and the
    /// others go on; one without injection is 0. Loading runs ahead of computing, writing behind it. Any number of
    /// threads may predict at once, each for itself. Throws InvalidData, InvalidInput (also for a negative batch, a
    /// limit of the build-up that is not above 0, and an output that the model does not predict, of another shape, or
    /// that shares memory), NotConverged when not one case of a file can be computed, IoError, Interrupted, and
    /// OutOfMemory naming the batch that would fit.
    PredictionReport predict(const PredictionInput& input, const PredictionOutput& output,
                             const PredictionOptions& options) const;
    /// Runs cases of a data set forward and keeps the tape, for Recording::pull_back(): of the networks that predict
    /// `options.fields` or what `outputs` name, all where none is named. The fields go to the arrays of `outputs`, as
    /// predict() writes them, but for rounding. Arrays of cases in memory are
    /// looked at again by the pull-back and must stay as they are until then; the predictor must outlive the recording.
    /// The tape of all cases is in memory at once; `options.batch` cases are computed together. Throws what predict()
    /// throws, and InvalidInput for what has no derivatives: another grid than that of the training; physics of a
    /// Cartesian grid; ready-made channels; and several ranks.
    Recording record(const PredictionInput& input, const PredictionOptions& options,
                     const PredictedArrays& outputs = {}) const;
    /// Errors of all fields against the outputs of a data set, one evaluation per network
    /// (inference/evaluation.hpp).
    std::vector<Evaluation> evaluate(const Dataset& dataset, const EvaluationOptions& options) const;

   private:
    std::shared_ptr<const LoadedModel> model_;
};

}  // namespace plumecast
