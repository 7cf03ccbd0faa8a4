#pragma once

#include <cstdint>
#include <optional>

#include <plumecast/backend/ops.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/tile_plan.hpp"

namespace plumecast::cpu {

/// Which implementation the convolution ops use.
class ConvChoice {
   public:
    enum class Method { direct, winograd, onednn };

    struct Decision {
        Method method;
        std::optional<TilePlan> plan;  ///< for Method::winograd
    };

    /// `forced` is "direct", "winograd" (wherever it fits, direct elsewhere), "onednn" or nullptr for the rule. Throws
    /// InvalidInput for any other word.
    ConvChoice(const char* forced, const ConvKernels& kernels, Winograd winograd);

    /// For `result` computed from `source`, both [B, s1, s2, s3, ...], of `depth` to `channels` channels in all.
    Decision forward(const ConvGeometry& geometry, const Shape& result, const Shape& source, std::int64_t depth,
                     std::int64_t channels) const;
    Decision data_gradient(const ConvGeometry& geometry, const Shape& result, const Shape& source, std::int64_t depth,
                           std::int64_t channels) const;
    /// `channels` of the inputs and of the result of a convolution.
    Decision weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& input,
                             std::int64_t inputs, std::int64_t outputs) const;

   private:
    Decision results(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source,
                     std::int64_t depth, std::int64_t channels) const;
    Decision decide(std::optional<TilePlan> plan, double tiles, double direct) const;

    const ConvKernels* kernels_;
    bool vendor_ = false;
    bool direct_ = false;
    bool winograd_ = false;
    Winograd tiles_;
};

}  // namespace plumecast::cpu
