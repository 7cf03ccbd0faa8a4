#include "backend/cuda/kernels/transform.hpp"

#include <array>
#include <string>

#include "backend/cuda/backend.hpp"
#include "backend/cuda/kernels/split.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::transform_axis(ConstView, ConstView, OutputRef, Activation);
template void KernelBackend<DeviceExecutor>::combine_signs(View, View, std::int64_t, bool);
template void KernelBackend<DeviceExecutor>::complex_product(ConstView, ConstView, View);
template void KernelBackend<DeviceExecutor>::complex_product_data_gradient(ConstView, ConstView, View);
template void KernelBackend<DeviceExecutor>::complex_product_weight_gradient(ConstView, ConstView, OutputRef);

Tensor CudaBackend::narrow_transposed(ConstView matrix) {
    const std::int64_t rows = matrix.shape[0], depth = matrix.shape[1];
    Tensor copy(memory(), {depth, rows}, DType::bfloat16);
    executor().run(rows * depth, kernel::NarrowTransposed{matrix.as<float>(), copy.view().as<bfloat16>(), rows, depth});
    return copy;
}

PackedForms CudaBackend::pack_axis_matrix(ConstView matrix) {
    PackedForms forms;
    if (matrix.type == DType::float32) {
        const bool transposed = is_better_transposed(matrix.shape[0], matrix.shape[1]);
        forms.add(std::string(transposed ? transposed_form : narrow_form),
                  transposed ? narrow_transposed(matrix) : narrow_copy(matrix));
    }
    return forms;
}

void CudaBackend::transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = y.view.shape[1];
    expects(matrix.shape == Shape({rows, depth}) && y.view.shape == Shape({outer, rows, inner}),
            "matching extents in an axis transform");
    // y[o] [rows, inner] = matrix [rows, depth] x[o] [depth, inner]: one matrix for the whole batch.
    // A float32 spectrum that becomes a bfloat16 field is rounded first: one array less to write, and the matrix units.
    const bool narrow = x.type == DType::bfloat16 || y.view.type == DType::bfloat16;
    const bool transposed = narrow && matrix.type == DType::float32 && is_better_transposed(rows, depth);
    Tensor scratch_matrix, scratch_x;
    const auto make_transposed = [&] { return narrow_transposed(matrix); };
    const ConstView factor = !narrow      ? matrix
                             : transposed ? form_of(matrix, transposed_form, scratch_matrix, make_transposed)
                                          : narrowed(matrix, scratch_matrix);
    const BatchedProduct product{.rows = rows,
                                 .columns = inner,
                                 .depth = depth,
                                 .batch = outer,
                                 .transpose_a = transposed,
                                 .a = factor.data,
                                 .b = narrow ? narrowed(x, scratch_x).data : x.data,
                                 .c = y.view.data,
                                 .factors = narrow ? DType::bfloat16 : DType::float32,
                                 .result = y.view.type,
                                 .stride_b = depth * inner,
                                 .stride_c = rows * inner,
                                 .beta = static_cast<float>(y.beta)};
    const bool is_empty = outer == 0 || rows == 0 || inner == 0 || depth == 0;
    const bool splits = !is_empty && !narrow && precision_ == Precision::fp32 && prefers_split(product);
    if (splits && multiply_split(product, y.view, f)) {
        return;
    }
    if (is_empty || !multiply(product, y.view, f)) {
        Kernels::transform_axis(matrix, x, y, f);
    }
}

bool CudaBackend::multiply_split(BatchedProduct product, View result, Activation f) {
    const std::int64_t matrix_count = product.rows * product.depth, x_count = product.batch * product.stride_b;
    Tensor matrix(memory(), {2, matrix_count}, DType::float32), x(memory(), {2, x_count}, DType::float32);
    const auto split = [&](const void* whole, Tensor& parts, std::int64_t count) {
        float* high = parts.view().as<float>();
        executor().run(count, kernel::Split{static_cast<const float*>(whole), high, high + count});
        return std::array<const void*, 2>{high, high + count};
    };
    const auto [matrix_high, matrix_low] = split(product.a, matrix, matrix_count);
    const auto [x_high, x_low] = split(product.b, x, x_count);
    product.ten_bits = true;
    BatchedProduct first = product, second = product, last = product;
    first.a = matrix_low;
    first.b = x_high;
    second.a = last.a = matrix_high;
    second.b = x_low;
    last.b = x_high;
    second.beta = last.beta = 1.0f;
    if (!blas_.takes(first) || !blas_.takes(second) || !blas_.takes(last)) {
        return false;
    }
    return multiply(first, result, {}) && multiply(second, result, {}) && multiply(last, result, f);
}

/// The time of a product into memory of its own; negative where it cannot be done.
double CudaBackend::seconds_of(BatchedProduct product, bool split) {
    Tensor result(memory(), {product.batch, product.rows, product.columns}, DType::float32);
    product.c = result.view().data;
    product.beta = 0.0f;
    const auto once = [&] { return split ? multiply_split(product, result, {}) : multiply(product, result, {}); };
    return once() ? executor().seconds_of(once) : -1.0;
}

bool CudaBackend::prefers_split(const BatchedProduct& product) {
    if (axis_route_ != AxisRoute::autotuned) {
        return axis_route_ == AxisRoute::split;
    }
    const AxisKind kind{product.rows, product.depth, product.columns, product.batch};
    if (executor().is_recording() && !axis_tuner_.knows(kind)) {
        return false;
    }
    return axis_tuner_.choose(kind, 2, [&](std::size_t way) { return seconds_of(product, way == 1); }) == 1;
}

}  // namespace plumecast::cuda
