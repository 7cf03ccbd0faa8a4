#include "backend/cpu/processor/simd_levels.hpp"

namespace plumecast::cpu {

const SimdKernels& simd_kernels_avx512_bf16() {
    static const SimdKernels kernels = [] {
        SimdKernels all = simd_kernels_avx512();
        all.name = "avx512_bf16";
        all.bf16 = &bfloat16_kernels_avx512_bf16();
        return all;
    }();
    return kernels;
}

std::vector<SimdLevel> simd_levels() {
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    const bool bf16 = avx512 && __builtin_cpu_supports("avx512bf16");
    return {{&simd_kernels_avx512_bf16(), bf16},
            {&simd_kernels_avx512(), avx512},
            {&simd_kernels_avx2(), avx2},
            {&simd_kernels_baseline(), true}};
}

}  // namespace plumecast::cpu
