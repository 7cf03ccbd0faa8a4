#include <string>
#include <unordered_map>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/panel_product.hpp"
#include "backend/cpu/parallel.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {
namespace {

using DnnMemory = dnnl::memory;

DnnMemory::desc matrix(ConstView view, bool transposed) {
    const std::int64_t rows = view.shape[0], columns = view.shape[1];
    const auto type = DnnMemory::data_type::f32;
    return transposed ? DnnMemory::desc({columns, rows}, type, DnnMemory::dims{1, columns})
                      : DnnMemory::desc({rows, columns}, type, DnnMemory::dims{columns, 1});
}

DnnMemory wrap(const OneDnn& dnn, const DnnMemory::desc& description, const float* data) {
    return DnnMemory(description, dnn.engine, const_cast<float*>(data));
}

/// oneDNN's ReLU may be max(x, 0), which makes 0 of NaN, so it is not part of oneDNN's products.
bool activates(Activation f) { return f.kind != Activation::Kind::relu; }

/// The product, with its activation where activates().
void product(const OneDnn& dnn, bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c,
             ConstView bias, Activation f) {
    const std::int64_t rows = c.view.shape[0], columns = c.view.shape[1];
    const std::int64_t depth = a.shape[transpose_a ? 0 : 1];
    const bool is_gradient = transpose_a || c.beta != 0.0;
    if (is_gradient && bias.data == nullptr && f.is_identity()) {
        // sgemm splits the depth over threads, which the weight gradients (few rows, great depth) need. Forward,
        // each row has to come out the same whatever other rows there are: ranks then compute what one would.
        const dnnl_status_t status =
            dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', rows, columns, depth, 1.0f, a.as<float>(),
                       a.shape[1], b.as<float>(), b.shape[1], static_cast<float>(c.beta), c.view.as<float>(), columns);
        if (status != dnnl_success) {
            throw DeviceError("matrix product failed (oneDNN status " + std::to_string(status) +
                              "); please report shapes and machine");
        }
        return;
    }
    const DnnMemory::desc none;
    const auto bias_description =
        bias.data ? DnnMemory::desc({1, columns}, DnnMemory::data_type::f32, DnnMemory::dims{columns, 1}) : none;
    const auto a_description = matrix(a, transpose_a), b_description = matrix(b, transpose_b);
    const auto c_description = matrix(c.view, false);
    const auto descriptor = matmul_descriptor(dnn, a_description, b_description, bias_description, c_description,
                                              epilogue_attributes(c.beta, activates(f) ? f : Activation::identity()));
    std::unordered_map<int, DnnMemory> arguments{{DNNL_ARG_SRC, wrap(dnn, a_description, a.as<float>())},
                                                 {DNNL_ARG_WEIGHTS, wrap(dnn, b_description, b.as<float>())},
                                                 {DNNL_ARG_DST, wrap(dnn, c_description, c.view.as<float>())}};
    if (bias.data != nullptr) {
        arguments.emplace(DNNL_ARG_BIAS, wrap(dnn, bias_description, bias.as<float>()));
    }
    dnnl::stream stream(dnn.engine);
    dnnl::matmul(descriptor).execute(stream, arguments);
    stream.wait();
}

}  // namespace

void CpuBackend::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
                      Activation f) {
    const std::int64_t rows = c.view.shape[0], columns = c.view.shape[1];
    const std::int64_t depth = a.shape[transpose_a ? 0 : 1];
    expects(a.shape[transpose_a ? 1 : 0] == rows && b.shape[transpose_b ? 0 : 1] == columns &&
                b.shape[transpose_b ? 1 : 0] == depth,
            "matching extents in a matrix product");
    if (rows == 0 || columns == 0) {
        return;
    }
    const PanelProduct panels(*simd_, threads_, {&arena_});
    const PanelProduct::Way way = panels.way(transpose_a, transpose_b, a, b, c.view, bias, f);
    if (way == PanelProduct::Way::by_depth) {
        return panels.by_depth(a, b, c);
    }
    if (way == PanelProduct::Way::library) {
        {
            const ThreadScope scope(threads_);
            product(dnn_, transpose_a, transpose_b, a, b, c, bias, f);
        }
        if (!activates(f)) {
            activate(f, c.view, c.view);
        }
        return;
    }
    const Tensor flipped = transpose_a ? transposed(a) : Tensor();
    PanelProduct::Activate rest;
    if (!is_piecewise_linear(f)) {
        rest = [this, f](View y) { activate(f, y, y); };
    }
    panels.by_rows(transpose_b, transpose_a ? flipped.view() : a, b, c, bias, negative_slope(f), rest);
}

/// a^T in float32. No layer needs it beside a bias or an activation.
Tensor CpuBackend::transposed(ConstView a) {
    const std::int64_t rows = a.shape[1], columns = a.shape[0];
    Tensor wide(arena_, a.shape, DType::float32), result(arena_, {rows, columns}, DType::float32);
    add(1.0, a, {wide});
    for (std::int64_t i = 0; i < rows * columns; ++i) {
        result.view().as<float>()[i] = wide.view().as<float>()[i % columns * rows + i / columns];
    }
    return result;
}

}  // namespace plumecast::cpu
