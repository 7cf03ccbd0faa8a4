#pragma once

#include <cstdint>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {

/// Which implementation the convolution verbs use.
class ConvChoice {
   public:
    enum class Method { direct, winograd, onednn };

    /// `forced` is "direct", "winograd" (wherever it fits, direct elsewhere), "onednn" or nullptr for the rule. Throws
    /// InvalidInput for any other word.
    ConvChoice(const char* forced, const ConvKernels& kernels);

    /// For results [B, s1, s2, s3, C] from `depth` channels, forward or backward.
    Method method(const ConvGeometry& geometry, const Shape& result, std::int64_t depth) const;
    Method weight_gradient() const;

   private:
    bool vendor_ = false;
    bool direct_ = false;
    bool winograd_ = false;
};

}  // namespace plumecast::cpu
