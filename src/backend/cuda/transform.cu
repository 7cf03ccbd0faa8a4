#include "backend/cuda/kernels/transform.hpp"

#include "backend/cuda/backend.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::transform_axis(ConstView, ConstView, Target, Activation);
template void KernelBackend<DeviceExecutor>::combine_signs(View, View, std::int64_t, bool);
template void KernelBackend<DeviceExecutor>::complex_product(ConstView, ConstView, View);
template void KernelBackend<DeviceExecutor>::complex_product_data_gradient(ConstView, ConstView, View);
template void KernelBackend<DeviceExecutor>::complex_product_weight_gradient(ConstView, ConstView, Target);

void CudaBackend::transform_axis(ConstView matrix, ConstView x, Target y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = y.view.shape[1];
    expects(matrix.shape == Shape({rows, depth}) && y.view.shape == Shape({outer, rows, inner}),
            "matching extents in an axis transform");
    // y[o] [rows, inner] = matrix [rows, depth] x[o] [depth, inner]: one matrix for the whole batch.
    // A float32 spectrum that becomes a bfloat16 field is rounded first: one array less to write, and the matrix units.
    const bool narrow = x.type == DType::bfloat16 || y.view.type == DType::bfloat16;
    Tensor scratch_matrix, scratch_x;
    const BatchedProduct product{.rows = rows,
                                 .columns = inner,
                                 .depth = depth,
                                 .batch = outer,
                                 .a = narrow ? narrowed(matrix, scratch_matrix).data : matrix.data,
                                 .b = narrow ? narrowed(x, scratch_x).data : x.data,
                                 .c = y.view.data,
                                 .factors = narrow ? DType::bfloat16 : DType::float32,
                                 .result = y.view.type,
                                 .stride_b = depth * inner,
                                 .stride_c = rows * inner,
                                 .beta = static_cast<float>(y.beta)};
    const bool is_empty = outer == 0 || rows == 0 || inner == 0 || depth == 0;
    if (is_empty || !multiply(product, y.view, f)) {
        Kernels::transform_axis(matrix, x, y, f);
    }
}

}  // namespace plumecast::cuda
