#include <complex>

#include "support/oracle_arrays.hpp"
#include "support/oracle_class.hpp"

namespace plumecast::testing {
namespace {

using Complex = std::complex<double>;

void add_bias_and_activate(const Array<double>& y, ConstView bias, Activation f) {
    each_index(y.shape, [&](const Index& at) {
        const std::int64_t channel = at[static_cast<std::size_t>(y.shape.rank() - 1)];
        y(at) = activated(f, y(at) + (bias.data == nullptr ? 0.0 : bias.as<double>()[channel]));
    });
}

/// Calls link(y, x, coefficient) for each element of y and each element of x it takes with a coefficient.
template <class Link>
void each_sign_link(const Array<double>& x, const Array<double>& y, std::int64_t dropped_from, const Link& link) {
    const std::int64_t n = x.shape[2] - 1;
    each_index(y.shape, [&](const Index& at) {
        const auto [o, k, mid, part, i, unused1, unused2, unused3] = at;
        if (k >= dropped_from && k < n) {
            return;
        }
        // y = cos -+ i sin: the real part takes +-sin_im, the imaginary part -+sin_re.
        const double sign = k < n ? 1.0 : -1.0;
        const std::int64_t frequency = k < n ? k : 2 * n - k;
        link(y(at), x(o, 0, frequency, mid, part, i), 1.0);
        link(y(at), x(o, 1, frequency, mid, 1 - part, i), part == 0 ? sign : -sign);
    });
}

/// Planar complex array whose axis `part_axis` holds real and imaginary part.
template <class T>
Complex complex_at(const Array<T>& array, Index index, std::size_t part_axis) {
    index[part_axis] = 0;
    const double real = array(index);
    index[part_axis] = 1;
    return {real, array(index)};
}

void add_complex(const Array<double>& array, Index index, std::size_t part_axis, Complex value) {
    index[part_axis] = 0;
    array(index) += value.real();
    index[part_axis] = 1;
    array(index) += value.imag();
}

/// Calls visit(x index, w index, y index) for every product of x [B, K, 2, T, I] with w [K, T, 2, I, O].
template <class Visit>
void each_complex_product(const Shape& x, const Shape& w, const Visit& visit) {
    expects(x[1] == w[0] && x[3] == w[1] && x[4] == w[3] && x[2] == 2 && w[2] == 2, "matching complex extents");
    each_index({x[0], x[1], x[3], x[4], w[4]}, [&](const Index& at) {
        const auto [b, k, t, i, o, unused1, unused2, unused3] = at;
        visit(Index{b, k, 0, t, i}, Index{k, t, 0, i, o}, Index{b, k, 0, t, o});
    });
}

}  // namespace

void OracleBackend::squared_norm(std::span<const ConstView> arrays, View sum) {
    double total = 0.0;
    for (const ConstView& x : arrays) {
        each_index(x.shape, [&](const Index& at) { total += array(x)(at) * array(x)(at); });
    }
    *sum.as<double>() = total;
}

void OracleBackend::column_sums(ConstView x, OutputRef y) {
    const Array<double> sums = scaled(y);
    each_index(x.shape,
               [&](const Index& at) { sums.data[at[static_cast<std::size_t>(x.shape.rank() - 1)]] += array(x)(at); });
}

void OracleBackend::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
                         Activation f) {
    const std::int64_t rows = a.shape[transpose_a ? 1 : 0], depth = a.shape[transpose_a ? 0 : 1];
    const std::int64_t columns = b.shape[transpose_b ? 0 : 1];
    expects(b.shape[transpose_b ? 1 : 0] == depth && c.view.shape == Shape({rows, columns}), "matching extents");
    const Array<double> result = scaled(c);
    const double *left = a.as<double>(), *right = b.as<double>();
    for (std::int64_t m = 0; m < rows; ++m) {
        for (std::int64_t n = 0; n < columns; ++n) {
            double& sum = result.data[m * columns + n];
            for (std::int64_t k = 0; k < depth; ++k) {
                sum += left[transpose_a ? k * rows + m : m * depth + k] *
                       right[transpose_b ? n * depth + k : k * columns + n];
            }
        }
    }
    add_bias_and_activate(result, bias, f);
}

void OracleBackend::transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = matrix.shape[0];
    expects(matrix.shape[1] == depth && y.view.shape == Shape({outer, rows, inner}), "matching extents");
    const Array<double> result = scaled(y);
    const double *coefficients = matrix.as<double>(), *values = x.as<double>();
    each_index({outer, rows, depth}, [&](const Index& at) {
        const auto [o, m, k, unused1, unused2, unused3, unused4, unused5] = at;
        for (std::int64_t n = 0; n < inner; ++n) {
            result.data[(o * rows + m) * inner + n] +=
                coefficients[m * depth + k] * values[(o * depth + k) * inner + n];
        }
    });
    add_bias_and_activate(result, {}, f);
}

void OracleBackend::combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) {
    fill(adjoint ? x : y, 0.0);
    each_sign_link(array(x), array(y), dropped_from, [&](double& to, double& from, double coefficient) {
        adjoint ? from += coefficient* to : to += coefficient * from;
    });
}

void OracleBackend::complex_product(ConstView x, ConstView w, View y) {
    fill(y, 0.0);
    each_complex_product(x.shape, w.shape, [&](const Index& at_x, const Index& at_w, const Index& at_y) {
        add_complex(array(y), at_y, 2, complex_at(array(x), at_x, 2) * complex_at(array(w), at_w, 2));
    });
}

void OracleBackend::complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) {
    fill(gradient_x, 0.0);
    each_complex_product(gradient_x.shape, w.shape, [&](const Index& at_x, const Index& at_w, const Index& at_y) {
        const Complex g = complex_at(array(gradient_y), at_y, 2);
        add_complex(array(gradient_x), at_x, 2, g * std::conj(complex_at(array(w), at_w, 2)));
    });
}

void OracleBackend::complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) {
    const Array<double> result = scaled(gradient_w);
    each_complex_product(x.shape, result.shape, [&](const Index& at_x, const Index& at_w, const Index& at_y) {
        const Complex g = complex_at(array(gradient_y), at_y, 2);
        add_complex(result, at_w, 2, g * std::conj(complex_at(array(x), at_x, 2)));
    });
}

}  // namespace plumecast::testing
