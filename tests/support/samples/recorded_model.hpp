#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/inference/predictor.hpp>

#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {

/// A model with random weights on the disk, cases to perturb, and weights of its fields.
class RecordedModel {
   public:
    RecordedModel(NetworkDescription description, DatasetContent content);

    /// Channels from all inputs and derived inputs, the build-up scaled by factors of them.
    static RecordedModel radial(std::vector<Field> fields = default_fields(), std::int64_t members = 1);
    static RecordedModel cartesian();
    /// As radial(), with a pause and an end of injection; the network knows the rate, its mean and what was injected.
    static RecordedModel scheduled();
    /// The like that corrects reduced physics, of dissolving_content().
    static RecordedModel guided();

    std::string path() const { return folder_->file("model"); }
    std::string file(const std::string& name) const { return folder_->file(name); }
    const DatasetContent& content() const { return content_; }
    /// Inputs that have derivatives.
    std::vector<std::string> inputs() const;
    /// [N, T, space...], and what of it a gradient has.
    std::vector<std::int64_t> extents() const;
    std::vector<std::int64_t> extents_of(const std::string& input) const;
    /// Weights of both fields.
    FieldCotangents weights() const;

    /// By all inputs.
    std::map<std::string, std::vector<double>> gradients(const Predictor& predictor, Limits limits) const;
    /// The weighted sum of the fields of each case, without limits, by the network on a device of double precision.
    std::vector<double> sums(const FieldNetwork& network, const DatasetContent& content) const;

   private:
    std::unique_ptr<ScratchFolder> folder_ = std::make_unique<ScratchFolder>();
    NetworkDescription description_;
    DatasetContent content_;
    std::map<std::string, std::vector<float>> weights_;
};

/// Arrays for gradients by some inputs, and where they are.
GradientArrays gradient_arrays(const RecordedModel& model, const std::vector<std::string>& inputs,
                               std::map<std::string, std::vector<double>>& values);

}  // namespace plumecast::testing
