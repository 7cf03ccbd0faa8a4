#pragma once

#include <array>
#include <cstddef>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/two_phase/dual.hpp"

namespace plumecast::two_phase {

/// Adjoint of a function of at most N numbers, by Duals. Up to eight stay in registers.
template <std::size_t N>
class LocalAdjoint {
   public:
    /// A number that the function depends on, and where its cotangent is added up.
    Dual<N> operator()(double value, double& cotangent) {
        expects(count_ < N, "no more numbers than a local adjoint has places for");
        Dual<N> number(value);
        number.by[count_] = 1.0;
        cotangents_[count_++] = &cotangent;
        return number;
    }
    /// Adds the derivatives of a sum of what the function gives, each times its cotangent.
    void add(const Dual<N>& sum) const {
        for (std::size_t i = 0; i < count_; ++i) {
            *cotangents_[i] += sum.by[i];
        }
    }

   private:
    std::size_t count_ = 0;
    std::array<double*, N> cotangents_{};
};

}  // namespace plumecast::two_phase
