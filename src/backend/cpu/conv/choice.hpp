#pragma once

#include <cstdint>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/winograd.hpp"

namespace plumecast::cpu {

/// Which implementation the convolution verbs use.
class ConvChoice {
   public:
    enum class Method { direct, winograd, onednn };

    /// `forced` is "direct", "winograd" (wherever it fits, direct elsewhere), "onednn" or nullptr for the rule. Throws
    /// InvalidInput for any other word.
    ConvChoice(const char* forced, const ConvKernels& kernels, Winograd winograd);

    /// For `result` computed from `source`, both [B, s1, s2, s3, ...], of `depth` channels in all.
    Method forward(const ConvGeometry& geometry, const Shape& result, const Shape& source, std::int64_t depth) const;
    Method data_gradient(const ConvGeometry& geometry, const Shape& result, const Shape& source) const;
    Method weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& source,
                           std::int64_t depth) const;
    Winograd tiles() const { return tiles_; }

   private:
    Method method(bool fits, bool pays) const;

    bool vendor_ = false;
    bool direct_ = false;
    bool winograd_ = false;
    Winograd tiles_;
};

}  // namespace plumecast::cpu
