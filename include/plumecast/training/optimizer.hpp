#pragma once

#include <string>
#include <vector>

#include <plumecast/data/safetensors.hpp>
#include <plumecast/layers/parameters.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// Adam with coupled weight decay over all trainable parameters (Kingma and Ba 2015; as torch.optim.Adam, complex
/// weights as pairs of reals), with optional clipping of the gradient's norm.
class Adam {
   public:
    Adam(const Parameters& parameters, const OptimizerOptions& options);

    /// One step from the gradients the parameters hold, which are forgotten. Returns the norm of the gradient before
    /// clipping, 0 when there is no clipping. Throws Error for a trainable parameter without gradient.
    double step(double learning_rate);
    std::int64_t steps() const { return steps_; }

    /// Writes both moments under the parameters' names with suffixes `.first` and `.second`. Throws IoError.
    void save(const std::string& path) const;
    /// Reads them back. Throws InvalidModel for a missing name or wrong shape.
    void load(const std::string& path, std::int64_t steps);

   private:
    struct Moments {
        const Parameter* parameter;
        Tensor first, second;
    };
    Backend& backend() const { return parameters_->backend(); }

    const Parameters* parameters_;
    OptimizerOptions options_;
    std::vector<Moments> moments_;
    std::int64_t steps_ = 0;
};

}  // namespace plumecast
