#pragma once

#include <vector>

#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

struct SimdLevel {
    const SimdKernels* kernels;
    bool runs_here;
};

/// What this build holds, widest first. One file per processor family, chosen by CMake.
std::vector<SimdLevel> simd_levels();

}  // namespace plumecast::cpu
