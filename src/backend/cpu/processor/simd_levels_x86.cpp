#include "backend/cpu/processor/simd_levels.hpp"

namespace plumecast::cpu {

std::vector<SimdLevel> simd_levels() {
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return {{&simd_kernels_avx512(), avx512}, {&simd_kernels_avx2(), avx2}, {&simd_kernels_baseline(), true}};
}

}  // namespace plumecast::cpu
