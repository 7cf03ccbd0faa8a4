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

Tensor CudaBackend::split_copy(const void* whole, std::int64_t elements) {
    Tensor parts(memory(), {2, elements}, DType::float32);
    float* high = parts.view().as<float>();
    executor().run(elements, kernel::Split{static_cast<const float*>(whole), high, high + elements});
    return parts;
}

PackedForms CudaBackend::pack_axis_matrix(ConstView matrix, bool narrow) {
    PackedForms forms;
    if (!narrow && precision() == Precision::fp32 && axis_route_ != AxisRoute::plain) {
        forms.add(std::string(split_form), split_copy(matrix.data, matrix.shape.count()));
    } else if (narrow && matrix.type == DType::float32) {
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
    const bool splits = !is_empty && !narrow && precision() == Precision::fp32 && prefers_split(product, matrix);
    if (splits && multiply_split(product, matrix, y.view, f)) {
        return;
    }
    if (is_empty || !multiply(product, y.view, f)) {
        Kernels::transform_axis(matrix, x, y, f);
    }
}

bool CudaBackend::multiply_split(BatchedProduct product, ConstView matrix, View result, Activation f) {
    const std::int64_t elements = matrix.shape.count(), x_elements = product.batch * product.stride_b;
    Tensor scratch_matrix;
    const auto split_matrix = [&] { return split_copy(matrix.data, elements); };
    const ConstView parts = form_of(matrix, split_form, scratch_matrix, split_matrix);
    const Tensor x = split_copy(product.b, x_elements);
    const float *matrix_high = parts.as<float>(), *matrix_low = matrix_high + elements;
    const float *x_high = x.view().as<float>(), *x_low = x_high + x_elements;
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
double CudaBackend::seconds_of(BatchedProduct product, ConstView matrix, bool split) {
    Tensor result(memory(), {product.batch, product.rows, product.columns}, DType::float32);
    product.c = result.view().data;
    product.beta = 0.0f;
    const auto once = [&] {
        return split ? multiply_split(product, matrix, result, {}) : multiply(product, result, {});
    };
    return once() ? executor().seconds_of(once) : -1.0;
}

bool CudaBackend::prefers_split(const BatchedProduct& product, ConstView matrix) {
    if (axis_route_ != AxisRoute::autotuned) {
        return axis_route_ == AxisRoute::split;
    }
    const AxisKind kind{product.rows, product.depth, product.columns, product.batch};
    if (executor().is_recording() && !axis_tuner_.knows(kind)) {
        return false;
    }
    return axis_tuner_.choose(kind, 2, [&](std::size_t way) { return seconds_of(product, matrix, way == 1); }) == 1;
}

}  // namespace plumecast::cuda
