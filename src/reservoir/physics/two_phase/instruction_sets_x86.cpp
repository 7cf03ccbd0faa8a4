#include "reservoir/physics/two_phase/column_kernels.hpp"
#include "reservoir/physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {

const DenseKernels& dense_kernels_baseline();
const DenseKernels& dense_kernels_avx2();
const DenseKernels& dense_kernels_avx512();
const ColumnKernels& column_kernels_baseline();
const ColumnKernels& column_kernels_avx2();
const ColumnKernels& column_kernels_avx512();

namespace {

template <typename Kernels>
std::vector<Kernels> runnable(const Kernels& baseline, const Kernels& avx2, const Kernels& avx512) {
    std::vector<Kernels> kernels{baseline};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        kernels.push_back(avx2);
    }
    if (__builtin_cpu_supports("avx512f")) {
        kernels.push_back(avx512);
    }
    return kernels;
}

}  // namespace

std::vector<DenseKernels> runnable_dense_kernels() {
    return runnable(dense_kernels_baseline(), dense_kernels_avx2(), dense_kernels_avx512());
}

std::vector<ColumnKernels> runnable_column_kernels() {
    return runnable(column_kernels_baseline(), column_kernels_avx2(), column_kernels_avx512());
}

const DenseKernels& dense_kernels() {
    static const DenseKernels widest = runnable_dense_kernels().back();
    return widest;
}

const ColumnKernels& column_kernels() {
    static const ColumnKernels widest = runnable_column_kernels().back();
    return widest;
}

}  // namespace plumecast::two_phase
