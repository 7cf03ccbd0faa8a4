#include "backend/cpu/processor/simd_levels.hpp"

#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast::cpu {

const SimdKernels& simd_kernels(const char* level) {
    for (const SimdLevel& candidate : simd_levels()) {
        const bool wanted = level == nullptr || std::string(level) == candidate.kernels->name;
        if (wanted && candidate.runs_here) {
            return *candidate.kernels;
        }
    }
    throw InvalidInput(std::string("instruction set '") + (level ? level : "") +
                       "' is not available (this build or processor lacks it); use baseline, avx2, avx512 or "
                       "avx512_bf16, or leave PLUMECAST_SIMD unset");
}

}  // namespace plumecast::cpu
