#include "reservoir/physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {

const DenseKernels& dense_kernels_baseline();
const DenseKernels& dense_kernels_avx2();
const DenseKernels& dense_kernels_avx512();

std::vector<DenseKernels> runnable_dense_kernels() {
    std::vector<DenseKernels> kernels{dense_kernels_baseline()};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        kernels.push_back(dense_kernels_avx2());
    }
    if (__builtin_cpu_supports("avx512f")) {
        kernels.push_back(dense_kernels_avx512());
    }
    return kernels;
}

const DenseKernels& dense_kernels() {
    static const DenseKernels widest = runnable_dense_kernels().back();
    return widest;
}

}  // namespace plumecast::two_phase
