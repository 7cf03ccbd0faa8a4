#pragma once

#include <cmath>
#include <numbers>

#include <plumecast/backend/ops.hpp>

namespace plumecast::cuda {

/// An Activation as kernels take it.
struct Pointwise {
    Activation::Kind kind = Activation::Kind::identity;
    float slope = 0.0f;

    Pointwise() = default;
    explicit Pointwise(Activation f) : kind(f.kind), slope(static_cast<float>(f.slope)) {}

    /// f(x); NaN stays NaN.
    constexpr float operator()(float x) const {
        switch (kind) {
            case Activation::Kind::identity:
                return x;
            case Activation::Kind::relu:
                return x < 0.0f ? 0.0f : x;
            case Activation::Kind::leaky_relu:
                return x < 0.0f ? slope * x : x;
            case Activation::Kind::tanh:
                return std::tanh(x);
            case Activation::Kind::gelu:
                return x * normal_below(x);
        }
        return x;
    }

    /// f', from the output where the output tells it, else from the input.
    constexpr float derivative(float kept) const {
        switch (kind) {
            case Activation::Kind::identity:
                return 1.0f;
            case Activation::Kind::relu:
                return kept > 0.0f ? 1.0f : 0.0f;
            case Activation::Kind::leaky_relu:
                return kept > 0.0f ? 1.0f : slope;
            case Activation::Kind::tanh:
                return 1.0f - kept * kept;
            case Activation::Kind::gelu:
                return normal_below(kept) + kept * normal_density(kept);
        }
        return 1.0f;
    }

   private:
    static constexpr float normal_below(float x) { return 0.5f * (1.0f + std::erf(x / std::numbers::sqrt2_v<float>)); }
    static constexpr float normal_density(float x) {
        return std::exp(-0.5f * x * x) * (std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>);
    }
};

/// Calls use(function) with a copy of a function whose activation `f` is then of a kind that the compiler knows. A
/// choice for each of several elements, within a loop, would be multiplied out: nvcc 12.4 took minutes for such a
/// kernel.
template <class Function, class Use>
constexpr void with_known_kind(const Function& function, const Use& use) {
    const auto of_kind = [&](Activation::Kind kind) {
        Function known = function;
        known.f.kind = kind;
        use(known);
    };
    switch (function.f.kind) {
        case Activation::Kind::identity:
            return of_kind(Activation::Kind::identity);
        case Activation::Kind::relu:
            return of_kind(Activation::Kind::relu);
        case Activation::Kind::leaky_relu:
            return of_kind(Activation::Kind::leaky_relu);
        case Activation::Kind::tanh:
            return of_kind(Activation::Kind::tanh);
        case Activation::Kind::gelu:
            return of_kind(Activation::Kind::gelu);
    }
}

}  // namespace plumecast::cuda
