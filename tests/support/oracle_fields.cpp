#include <optional>

#include "support/oracle_arrays.hpp"
#include "support/oracle_class.hpp"

namespace plumecast::testing {
namespace {

/// Index of the element of a term that a cell of the padded field shows; nothing behind a zero edge.
std::optional<Index> shown(const Shape& term, const Padding& padding, const Index& cell) {
    Index source{};
    for (int axis = 0; axis < term.rank(); ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        std::int64_t at = cell[a];
        if (axis > 0 && axis + 1 < term.rank()) {
            const Padding::Axis& edge = padding.axes[a - 1];
            if (at >= edge.inside && edge.edge == Padding::Edge::zero) {
                return std::nullopt;
            }
            at = std::min(at, edge.inside - 1);
        }
        source[a] = term[axis] == 1 ? 0 : at;
    }
    return source;
}

/// A convolution with weight [C, k1, k2, k3, F] couples a coarse field of C channels to a fine field of F channels:
/// coarse[q] takes weight[k] fine[q stride + k - padding_low]. Its output is the coarse field; transposed, the fine
/// one. Calls visit(position in coarse, in fine, in weight) for every product.
template <class Visit>
void each_tap(const ConvGeometry& g, const Shape& coarse, const Shape& fine, const Shape& weight, const Visit& visit) {
    expects(weight[0] == coarse[4] && weight[4] == fine[4], "matching convolution channels");
    each_index(coarse.with(4, 1), [&](const Index& q) {
        const std::int64_t coarse_at = position(coarse, q);
        each_index(weight.slice(1, 4), [&](const Index& k) {
            Index p{q[0]};
            for (std::size_t a = 0; a < 3; ++a) {
                p[a + 1] = q[a + 1] * g.stride[a] + k[a] - g.padding_low[a];
                if (p[a + 1] < 0 || p[a + 1] >= fine[static_cast<int>(a) + 1]) {
                    return;
                }
            }
            const std::int64_t fine_at = position(fine, p);
            for (std::int64_t c = 0; c < coarse[4]; ++c) {
                const std::int64_t weight_at = position(weight, {c, k[0], k[1], k[2]});
                for (std::int64_t f = 0; f < fine[4]; ++f) {
                    visit(coarse_at + c, fine_at + f, weight_at + f);
                }
            }
        });
    });
}

/// The same in terms of input and output: visit(position in input, in output, in weight).
template <class Visit>
void each_product(const ConvGeometry& g, const Shape& input, const Shape& output, const Shape& weight,
                  const Visit& visit) {
    const auto extents = g.output_extents(input);
    expects(extents == ConvGeometry::Axes({output[1], output[2], output[3]}), "output extents of the convolution");
    if (g.transposed) {
        each_tap(g, input, output, weight, visit);
    } else {
        each_tap(g, output, input, weight, [&](std::int64_t q, std::int64_t p, std::int64_t w) { visit(p, q, w); });
    }
}

/// Calls copy(element of the concatenation, element of the part, part) for every element.
template <class Part, class Copy>
void each_joined(const Array<double>& joined, std::span<const Part> parts, const Copy& copy) {
    std::int64_t first = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        each_index(parts[part].shape, [&](const Index& at) {
            Index whole = at;
            whole[4] += first;
            copy(joined(whole), parts[part](at), part);
        });
        first += parts[part].shape[4];
    }
}

Tensor concatenated(std::span<const ConstView> inputs) {
    std::vector<Array<const double>> parts;
    std::int64_t channels = 0;
    for (const ConstView& input : inputs) {
        parts.push_back(array(input));
        channels += input.shape[4];
    }
    Tensor joined = host_zeros(inputs[0].shape.with(4, channels), DType::float64);
    each_joined<Array<const double>>(array(joined.view()), parts,
                                     [](double& whole, const double& part, std::size_t) { whole = part; });
    return joined;
}

}  // namespace

void OracleBackend::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) {
    each_index(y.shape, [&](const Index& cell) {
        double value = bias.as<double>()[cell[static_cast<std::size_t>(y.shape.rank() - 1)]];
        for (const ConstView& term : terms) {
            const std::optional<Index> source = shown(term.shape, padding, cell);
            value += source ? array(term)(*source) : 0.0;
        }
        array(y)(cell) = value;
    });
}

void OracleBackend::padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) {
    const Array<double> result = scaled(gradient_term);
    each_index(gradient_y.shape, [&](const Index& cell) {
        if (const std::optional<Index> source = shown(result.shape, padding, cell)) {
            result(*source) += array(gradient_y)(cell);
        }
    });
}

void OracleBackend::copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) {
    const auto shifted = [&](const Index& at, const Shape& low) {
        Index result = at;
        for (int axis = 0; axis < extents.rank(); ++axis) {
            result[static_cast<std::size_t>(axis)] += low[axis];
        }
        return result;
    };
    each_index(extents, [&](const Index& at) {
        double& value = array(y.view)(shifted(at, y_low));
        value = array(x)(shifted(at, x_low)) + (y.beta == 0.0 ? 0.0 : y.beta * value);
    });
}

void OracleBackend::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                         ConstView bias, OutputRef y, Activation f) {
    const Tensor joined = concatenated(inputs);
    const Array<const double> x = array(joined.view()), w = array(weight);
    const Array<double> result = scaled(y);
    each_product(geometry, x.shape, result.shape, w.shape,
                 [&](std::int64_t at, std::int64_t to, std::int64_t k) { result.data[to] += x.data[at] * w.data[k]; });
    each_index(result.shape, [&](const Index& at) {
        result(at) = activated(f, result(at) + (bias.data == nullptr ? 0.0 : bias.as<double>()[at[4]]));
    });
}

void OracleBackend::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                       std::span<const OutputRef> gradient_inputs) {
    std::vector<Array<double>> parts;
    std::int64_t channels = 0;
    for (const OutputRef& target : gradient_inputs) {
        parts.push_back(scaled(target));
        channels += target.view.shape[4];
    }
    Tensor joined = host_zeros(parts[0].shape.with(4, channels), DType::float64);
    const Array<double> whole = array(joined.view());
    const Array<const double> g = array(gradient_y), w = array(weight);
    each_product(geometry, whole.shape, g.shape, w.shape,
                 [&](std::int64_t at, std::int64_t to, std::int64_t k) { whole.data[at] += g.data[to] * w.data[k]; });
    each_joined<Array<double>>(whole, parts, [](double& from, double& to, std::size_t) { to += from; });
}

void OracleBackend::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                         ConstView gradient_y, OutputRef gradient_weight) {
    const Tensor joined = concatenated(inputs);
    const Array<const double> x = array(joined.view()), g = array(gradient_y);
    const Array<double> result = scaled(gradient_weight);
    each_product(geometry, x.shape, g.shape, result.shape,
                 [&](std::int64_t at, std::int64_t to, std::int64_t k) { result.data[k] += x.data[at] * g.data[to]; });
}

}  // namespace plumecast::testing
