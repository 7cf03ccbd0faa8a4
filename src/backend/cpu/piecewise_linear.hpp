#pragma once

#include <plumecast/backend/ops.hpp>

namespace plumecast::cpu {

/// Activations v >= 0 ? v : slope v, which kernels apply before they write.
inline bool is_piecewise_linear(Activation f) {
    return f.is_identity() || f.kind == Activation::Kind::relu || f.kind == Activation::Kind::leaky_relu;
}

/// The slope of such an activation; 1 for the others, which follow in a pass of their own.
inline float negative_slope(Activation f) {
    switch (f.kind) {
        case Activation::Kind::relu:
            return 0.0f;
        case Activation::Kind::leaky_relu:
            return static_cast<float>(f.slope);
        default:
            return 1.0f;
    }
}

}  // namespace plumecast::cpu
