#include "physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {

const DenseKernels& dense_kernels_baseline();
const DenseKernels& dense_kernels_avx2();
const DenseKernels& dense_kernels_avx512();

const DenseKernels& dense_kernels() {
    static const DenseKernels& widest = __builtin_cpu_supports("avx512f") ? dense_kernels_avx512()
                                        : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                                            ? dense_kernels_avx2()
                                            : dense_kernels_baseline();
    return widest;
}

}  // namespace plumecast::two_phase
