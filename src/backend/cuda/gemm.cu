#include "backend/cuda/kernels/gemm.hpp"

#include "backend/cuda/backend.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::gemm(bool, bool, ConstView, ConstView, Target, ConstView, Activation);

bool CudaBackend::multiply(BatchedProduct product, View result, Activation f) {
    product.relu = f.kind == Activation::Kind::relu;
    bool done = blas_.multiply(product, executor().stream());
    bool activated = f.is_identity() || product.relu;
    if (!done && product.relu) {
        product.relu = activated = false;
        done = blas_.multiply(product, executor().stream());
    }
    if (done && !activated) {
        activate(f, result, result);
    }
    return done;
}

void CudaBackend::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias,
                       Activation f) {
    const std::int64_t rows = c.view.shape[0], columns = c.view.shape[1], depth = a.shape[transpose_a ? 0 : 1];
    expects(a.shape[transpose_a ? 1 : 0] == rows && b.shape[transpose_b ? 0 : 1] == columns &&
                b.shape[transpose_b ? 1 : 0] == depth,
            "matching extents in a matrix product");
    const BatchedProduct product{.rows = rows,
                                 .columns = columns,
                                 .depth = depth,
                                 .transpose_a = transpose_a,
                                 .transpose_b = transpose_b,
                                 .a = a.as<float>(),
                                 .b = b.as<float>(),
                                 .bias = bias.data != nullptr ? bias.as<float>() : nullptr,
                                 .c = c.view.as<float>(),
                                 .beta = static_cast<float>(c.beta)};
    const bool is_empty = rows == 0 || columns == 0 || depth == 0;
    if (is_empty || !multiply(product, c.view, f)) {
        Kernels::gemm(transpose_a, transpose_b, a, b, c, bias, f);
    }
}

}  // namespace plumecast::cuda
