#pragma once

#include <string>
#include <vector>

#include <plumecast/architectures/parameters.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {

/// Which variant of Adam moves the weights, and its constants.
struct OptimizerOptions {
    enum class Kind { adam, adamw };
    Kind kind = Kind::adam;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 1e-4;  ///< adam: added to the gradient; adamw: times the rate, taken off the weight
    double gradient_clip = 0.0;  ///< largest norm over all gradients; 0 for no limit

    friend bool operator==(const OptimizerOptions&, const OptimizerOptions&) = default;
};

/// Adam with coupled weight decay over all parameters that move (Kingma and Ba 2015; as torch.optim.Adam, complex
/// weights as pairs of reals), or AdamW with decoupled decay (Loshchilov and Hutter 2019; as torch.optim.AdamW), with
/// optional clipping of the gradient's norm.
class Adam {
   public:
    Adam(const Parameters& parameters, const OptimizerOptions& options);

    /// One step from the gradients the parameters hold, which are forgotten; ranks that work together hold the sums
    /// over all of them, and each moves the weights it holds. Throws Error for a trainable parameter without gradient.
    void step(double learning_rate);
    std::int64_t steps() const { return steps_; }

    /// Writes both moments under the parameters' names with suffixes `.first` and `.second`, whole. The ranks of the
    /// first group call this together and the first writes. Throws IoError.
    void save(const std::string& path) const;
    /// Reads them back. Throws InvalidModel for a missing name or wrong shape.
    void load(const std::string& path, std::int64_t steps);

   private:
    struct Moments {
        const Parameter* parameter;
        Tensor first, second;
    };
    Backend& backend() const { return parameters_->backend(); }
    void sum_squares();

    const Parameters* parameters_;
    OptimizerOptions options_;
    std::vector<Moments> moments_;
    Tensor squared_norm_;  // [1] float64, of the last gradient, when clipping
    std::int64_t steps_ = 0;
};

}  // namespace plumecast
