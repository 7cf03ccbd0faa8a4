#pragma once

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/conv/choice.hpp"
#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// What options and environment come to on this processor, for those who compute and those who only plan.
struct Settings {
    /// Throws InvalidInput for a negative count of threads, Precision::tf32 and unknown words in the environment.
    explicit Settings(const CpuOptions& options);

    int threads;
    const SimdKernels* simd;
    ConvChoice conv_choice;
};

}  // namespace plumecast::cpu
