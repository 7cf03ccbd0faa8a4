#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predicted_arrays.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>

#include "inference/networks/network_function.hpp"

namespace plumecast {

class Dataset;

/// A weight or buffer of a network where it is.
struct WeightArray {
    std::string name;
    bool trainable = true;        ///< false for buffers, such as running statistics
    bool complex_valued = false;  ///< pairs of real and imaginary parts
    /// In host memory, float32 on the CPU; no data where it lies on a device.
    OutputArray array;
};

/// A network by itself, whose weights its owner may change: that of a bundle, whose weights it copies, or one that a
/// configuration describes.
class WritableNetwork {
   public:
    /// A copy of the network of a bundle that predicts a field; the one network of a bundle without a name. Throws
    /// InvalidInput naming the fields.
    static WritableNetwork of_bundle(const Bundle& bundle, const std::string& field);
    /// A network with initial weights: the entries of a network of a recipe (docs/training.md), with `channels` and
    /// `fields` as lists of model.json (docs/model_format.md) or as their numbers. The backend must outlive it. Throws
    /// InvalidInput with the dotted path.
    static WritableNetwork of_configuration(const std::string& json, Backend& backend, std::uint64_t seed);

    /// As model.json has it, with `parameters` (name, shape, trainable, complex_valued) and `named`: whether channels
    /// and fields have a meaning, so that cases have inputs for it and it can be saved as a model.
    Json description() const;
    const Parameters& parameters() const { return network_->parameters(); }
    std::vector<WeightArray> weights() const;
    /// Replaces weights or buffers, of any real type. Throws InvalidInput for names and shapes that do not fit, before
    /// anything is changed.
    void assign(const std::map<std::string, ArrayView>& weights);

    /// Copies weights and buffers, into float32 or float64. Throws InvalidInput for names and shapes that do not fit.
    void read(const std::map<std::string, OutputArray>& weights) const;

    /// NetworkFunction::forward() of the network, in training or in evaluation.
    void forward(const ArrayView& channels, const OutputArray& prediction, bool in_training);
    /// NetworkFunction::vjp() of the network.
    void vjp(const ArrayView& channels, const ArrayView& cotangent, const NetworkGradients& gradients,
             bool in_training);

    /// read_network_inputs() of the network. Throws InvalidInput where its channels have no meaning.
    void read_inputs(const Dataset& dataset, const PredictedArrays& arrays, const PredictionOptions& options) const;

    /// Replaces all weights by those of a safetensors file. Throws InvalidModel as read_weights() does.
    void load(const std::string& path);
    /// Writes the weights as safetensors, or, to a path of another name, a model of this one network with what the
    /// bundle that it comes from says of inputs and grid. Throws InvalidInput where weights are not finite, or a model
    /// would have channels without names; IoError.
    void save(const std::string& path, const std::string& title) const;

   private:
    WritableNetwork(std::unique_ptr<FieldNetwork> network, bool is_named, Json training);

    std::unique_ptr<FieldNetwork> network_;
    std::unique_ptr<NetworkFunction> function_;
    bool is_named_;
    Json training_;
};

}  // namespace plumecast
