#include "backend/cuda/kernels/gemm.hpp"

#include <string>
#include <utility>

#include "backend/cuda/backend.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::gemm(bool, bool, ConstView, ConstView, OutputRef, ConstView, Activation);

Tensor CudaBackend::narrow_copy(ConstView x) {
    Tensor copy(memory(), x.shape, DType::bfloat16);
    add(1.0, x, {copy});
    return copy;
}

ConstView CudaBackend::narrowed(ConstView x, Tensor& scratch) {
    return x.type == DType::bfloat16 ? x : form_of(x, narrow_form, scratch, [&] { return narrow_copy(x); });
}

PackedForms CudaBackend::pack_factor(ConstView factor) {
    PackedForms forms;
    if (factor.type == DType::float32) {
        forms.add(std::string(narrow_form), narrow_copy(factor));
    }
    return forms;
}

bool CudaBackend::multiply(const BatchedProduct& product, View result, Activation f) {
    const bool done = blas_.multiply(product, executor().stream());
    if (done && !f.is_identity()) {
        activate(f, result, result);
    }
    return done;
}

void CudaBackend::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
                       Activation f) {
    const std::int64_t rows = c.view.shape[0], columns = c.view.shape[1], depth = a.shape[transpose_a ? 0 : 1];
    expects(a.shape[transpose_a ? 1 : 0] == rows && b.shape[transpose_b ? 0 : 1] == columns &&
                b.shape[transpose_b ? 1 : 0] == depth,
            "matching extents in a matrix product");
    const bool narrow = a.type == DType::bfloat16 || b.type == DType::bfloat16 || c.view.type == DType::bfloat16;
    // Channels that become a field are few, and rounding them first would lose what the user gave.
    const bool becomes_field = narrow && a.type == DType::float32 && b.type == DType::float32;
    const bool is_empty = rows == 0 || columns == 0 || depth == 0;
    if (is_empty || becomes_field) {
        Kernels::gemm(transpose_a, transpose_b, a, b, c, bias, f);
        return;
    }
    Tensor scratch_a, scratch_b, scratch_bias;
    const bool narrow_bias = bias.data != nullptr && c.view.type == DType::bfloat16;
    const BatchedProduct product{.rows = rows,
                                 .columns = columns,
                                 .depth = depth,
                                 .transpose_a = transpose_a,
                                 .transpose_b = transpose_b,
                                 .a = narrow ? narrowed(a, scratch_a).data : a.data,
                                 .b = narrow ? narrowed(b, scratch_b).data : b.data,
                                 .bias = narrow_bias ? narrowed(bias, scratch_bias).data : bias.data,
                                 .c = c.view.data,
                                 .factors = narrow ? DType::bfloat16 : DType::float32,
                                 .result = c.view.type,
                                 .beta = static_cast<float>(c.beta)};
    if (!multiply(product, c.view, f)) {
        Kernels::gemm(transpose_a, transpose_b, a, b, c, bias, f);
    }
}

}  // namespace plumecast::cuda
