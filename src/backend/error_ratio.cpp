#include "backend/error_ratio.hpp"

#include <array>
#include <utility>

namespace plumecast {

/// A few numbers, where the host is at hand.
void Backend::error_ratios(ConstView sums, const LossMeasure& measure, double share, View values, View coefficients) {
    const std::array<std::int64_t, 3> extents{sums.shape[0], sums.shape[1], sums.shape[2]};
    Tensor norms = host_zeros(sums.shape, DType::float64), ratios = host_zeros(values.shape, DType::float64);
    Tensor factors = host_zeros(coefficients.shape, DType::float64);
    download(sums, norms);
    const double* from = std::as_const(norms).view().as<double>();
    for (std::int64_t b = 0; b < sums.shape[1]; ++b) {
        ratios.view().as<double>()[b] = case_loss(from, extents, b, measure, share, factors.view().as<double>());
    }
    upload(ratios, values);
    upload(factors, coefficients);
}

}  // namespace plumecast
