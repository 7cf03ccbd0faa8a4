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

/// The widest set this processor runs, or the one named by `level` ("baseline", "avx2", "avx512",
/// "avx512_bf16"). Throws InvalidInput for a level that the build or the processor lacks.
const SimdKernels& simd_kernels(const char* level = nullptr);

}  // namespace plumecast::cpu
