#include "reservoir/physics/two_phase/column_kernels.hpp"
#include "reservoir/physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {

const DenseKernels& dense_kernels_baseline();
const ColumnKernels& column_kernels_baseline();

std::vector<DenseKernels> runnable_dense_kernels() { return {dense_kernels_baseline()}; }
std::vector<ColumnKernels> runnable_column_kernels() { return {column_kernels_baseline()}; }

const DenseKernels& dense_kernels() { return dense_kernels_baseline(); }
const ColumnKernels& column_kernels() { return column_kernels_baseline(); }

}  // namespace plumecast::two_phase
