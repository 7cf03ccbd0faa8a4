#include <cmath>
#include <vector>

#include "support/oracle_arrays.hpp"
#include "support/oracle_class.hpp"

namespace plumecast::testing {
namespace {

/// Batch norm of one channel; `deviations` is the standard deviation, so that unit(x) = (x - mean) / deviation.
struct Channel {
    double mean, deviation, weight, bias;

    double unit(double x) const { return (x - mean) / deviation; }
    double before_activation(double x) const { return weight * unit(x) + bias; }
};

Channel channel_of(const BatchNormStatistics& s, ConstView weight, ConstView bias, std::int64_t c) {
    const Array<const double> moments = array(s.moments);
    return {moments(0, c), std::sqrt(moments(1, c) / s.count + s.epsilon), weight.as<double>()[c],
            bias.as<double>()[c]};
}

/// Calls visit(index, channel) for every element.
template <class Visit>
void each_element(const Shape& shape, const Visit& visit) {
    each_index(shape, [&](const Index& at) { visit(at, at[static_cast<std::size_t>(shape.rank() - 1)]); });
}

/// e, y, D e and D y at one cell and field, D where it is taken.
struct CellError {
    double error = 0.0, truth = 0.0, error_slope = 0.0, truth_slope = 0.0;
};

/// Calls visit(index, values) for every element at an active cell. Shapes as in Backend::error_norms, with any number
/// of axes between batch and the axis of the derivative.
template <class Visit>
void each_active(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                 const Visit& visit) {
    const Array<const double> p = array(prediction), y = array(target);
    const int radial = p.shape.rank() - 3;
    const auto r = static_cast<std::size_t>(radial);
    const std::int64_t each = p.shape[-2] / (active.shape.rank() > radial + 1 ? active.shape[-1] : 1);
    each_index(p.shape, [&](const Index& at) {
        Index cell_at = at;  // [B, S, R, L] addressed by the leading indices
        cell_at[r + 1] /= each;
        if (array(active)(cell_at) == 0.0) {
            return;
        }
        CellError cell{p(at) - y(at), y(at)};
        if (at[r] >= 1 && at[r] < p.shape[radial] - 1) {
            Index low = at, high = at;
            --low[r];
            ++high[r];
            const double inverse = inverse_distance.as<double>()[at[r]];
            cell.truth_slope = (y(high) - y(low)) * inverse;
            cell.error_slope = ((p(high) - y(high)) - (p(low) - y(low))) * inverse;
        }
        visit(at, cell);
    });
}

}  // namespace

void OracleBackend::moments(ConstView x, View moments) {
    fill(moments, 0.0);
    const Array<double> result = array(moments);
    const double rows = static_cast<double>(x.shape.count()) / static_cast<double>(x.shape[-1]);
    each_element(x.shape, [&](const Index& at, std::int64_t c) { result(0, c) += array(x)(at) / rows; });
    each_element(x.shape, [&](const Index& at, std::int64_t c) {
        result(1, c) += (array(x)(at) - result(0, c)) * (array(x)(at) - result(0, c));
    });
}

void OracleBackend::normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias,
                              Activation f, View y) {
    each_element(x.shape, [&](const Index& at, std::int64_t c) {
        const Channel channel = channel_of(statistics, weight, bias, c);
        array(y)(at) = activated(f, channel.before_activation(array(x)(at)));
    });
}

void OracleBackend::normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                   ConstView weight, ConstView bias, Activation f, View sums) {
    fill(sums, 0.0);
    each_element(x.shape, [&](const Index& at, std::int64_t c) {
        const Channel channel = channel_of(statistics, weight, bias, c);
        const double value = array(x)(at);
        const double upstream = array(gradient_y)(at) * activation_slope(f, channel.before_activation(value));
        array(sums)(0, c) += upstream;
        array(sums)(1, c) += upstream * channel.unit(value);
    });
}

void OracleBackend::normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                       ConstView weight, ConstView bias, Activation f, ConstView sums,
                                       OutputRef gradient_x) {
    const Array<double> result = scaled(gradient_x);
    each_element(x.shape, [&](const Index& at, std::int64_t c) {
        const Channel channel = channel_of(statistics, weight, bias, c);
        const double value = array(x)(at), unit = channel.unit(value);
        const double upstream = array(gradient_y)(at) * activation_slope(f, channel.before_activation(value));
        const double through_mean = array(sums)(0, c) / statistics.count;
        const double through_deviation = unit * array(sums)(1, c) / statistics.count;
        result(at) += channel.weight / channel.deviation * (upstream - through_mean - through_deviation);
    });
}

void OracleBackend::error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                                View sums) {
    fill(sums, 0.0);
    const Array<double> out = array(sums);
    each_active(prediction, target, active, inverse_distance, [&](const Index& at, const CellError& cell) {
        const std::int64_t b = at[0], f = at[static_cast<std::size_t>(prediction.shape.rank() - 1)];
        out(b, f, 0) += cell.error * cell.error;
        out(b, f, 1) += cell.truth * cell.truth;
        out(b, f, 2) += cell.error_slope * cell.error_slope;
        out(b, f, 3) += cell.truth_slope * cell.truth_slope;
        out(b, f, 4) += 1.0;
    });
}

void OracleBackend::error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                                   ConstView coefficients, View gradient) {
    fill(gradient, 0.0);
    const Array<double> out = array(gradient);
    const int rank = prediction.shape.rank();
    const auto radial = static_cast<std::size_t>(rank - 3);
    each_active(prediction, target, active, inverse_distance, [&](const Index& at, const CellError& cell) {
        const std::int64_t b = at[0], f = at[static_cast<std::size_t>(rank - 1)], r = at[radial];
        out(at) += array(coefficients)(b, f, 0) * cell.error;
        if (r >= 1 && r < prediction.shape[rank - 3] - 1) {
            Index low = at, high = at;
            --low[radial];
            ++high[radial];
            const double slope = array(coefficients)(b, f, 1) * cell.error_slope * inverse_distance.as<double>()[r];
            out(high) += slope;
            out(low) -= slope;
        }
    });
}

}  // namespace plumecast::testing
