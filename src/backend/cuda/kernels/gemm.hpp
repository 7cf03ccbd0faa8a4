#pragma once

#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda {
namespace kernel {

/// One element of c = f(op(a) op(b) + beta c + bias), row-major. The plain way, for products no library takes.
template <class A, class B, class C>
struct Product {
    const A* a;
    const B* b;
    const float* bias;
    C* c;
    std::int64_t rows, columns, depth;
    bool transpose_a, transpose_b;
    float beta;
    Pointwise f;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, columns);
        const std::int64_t row = at.quotient, column = at.rest;
        double sum = 0.0;
        for (std::int64_t k = 0; k < depth; ++k) {
            const float left = number(transpose_a ? a[k * rows + row] : a[row * depth + k]);
            const float right = number(transpose_b ? b[column * depth + k] : b[k * columns + column]);
            sum += static_cast<double>(left) * static_cast<double>(right);
        }
        float value = static_cast<float>(sum);
        value += beta != 0.0f ? beta * number(c[i]) : 0.0f;
        c[i] = static_cast<C>(f(bias != nullptr ? value + bias[column] : value));
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c,
                                   ConstView bias, Activation f) {
    const std::int64_t rows = c.view.shape[0], columns = c.view.shape[1], depth = a.shape[transpose_a ? 0 : 1];
    expects(a.shape[transpose_a ? 1 : 0] == rows && b.shape[transpose_b ? 0 : 1] == columns &&
                b.shape[transpose_b ? 1 : 0] == depth,
            "matching extents in a matrix product");
    const float* constant = bias.data != nullptr ? bias.as<float>() : nullptr;
    with_elements(
        [&](const auto* left, const auto* right, auto* result) {
            using Kernel =
                kernel::Product<Element<decltype(left)>, Element<decltype(right)>, Element<decltype(result)>>;
            executor_.run(rows * columns, Kernel{left, right, constant, result, rows, columns, depth, transpose_a,
                                                 transpose_b, static_cast<float>(c.beta), Pointwise(f)});
        },
        a, b, c.view);
}

}  // namespace plumecast::cuda
