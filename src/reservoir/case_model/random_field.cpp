#include "random_field.hpp"

#include <cmath>
#include <numbers>

namespace plumecast {
namespace {

constexpr std::uint64_t waves = 2048;
constexpr std::uint64_t draws_per_wave = 64;  // a reserve for the rejections of the gamma law

/// A gamma-distributed number of unit scale and shape below or above 1 (Marsaglia and Tsang 2000), from the indices
/// behind `index`. The law accepts 95 % of its proposals, so the reserve of draws is never used up in practice.
double gamma(double shape, const RandomStream& stream, std::uint64_t index) {
    const double d = shape + 1.0 - 1.0 / 3.0;  // shape + 1, brought down at the end
    const double c = 1.0 / std::sqrt(9.0 * d);
    const double below = std::pow(1.0 - stream.uniform(index), 1.0 / shape);
    for (std::uint64_t i = index + 1; i + 1 < index + draws_per_wave - 4; i += 2) {
        const double x = stream.normal(i);
        const double v = std::pow(1.0 + c * x, 3.0);
        if (v > 0.0 && std::log(1.0 - stream.uniform(i + 1)) < 0.5 * x * x + d - d * v + d * std::log(v)) {
            return d * v * below;
        }
    }
    return d * below;
}

}  // namespace

RandomField::RandomField(const Covariance& covariance, const RandomStream& stream) {
    for (std::uint64_t i = 0; i < waves; ++i) {
        const std::uint64_t index = i * draws_per_wave;
        // exp(-h^2) has wave numbers of variance 2. The von Karman density is a mixture of such, of lengths that
        // follow from a gamma law of shape H.
        const double stretch = covariance.kind == Covariance::Kind::gaussian
                                   ? std::numbers::sqrt2
                                   : 1.0 / std::sqrt(2.0 * gamma(covariance.hurst, stream, index + 4));
        waves_.push_back({stretch * stream.normal(index) / covariance.length_r,
                          stretch * stream.normal(index + 3) / covariance.length_r,
                          stretch * stream.normal(index + 1) / covariance.length_z,
                          2.0 * std::numbers::pi * stream.uniform(index + 2)});
    }
}

std::vector<double> RandomField::values(std::span<const double> z, std::span<const double> r) const {
    const double axis = 0.0;
    return values(z, {&axis, 1}, r);
}

std::vector<double> RandomField::values(std::span<const double> z, std::span<const double> y,
                                        std::span<const double> x) const {
    const std::size_t plane = y.size() * x.size();
    std::vector<double> sum(z.size() * plane, 0.0);
    std::vector<double> cosine(plane);
    std::vector<double> sine(plane);
    const double amplitude = std::sqrt(2.0 / static_cast<double>(waves_.size()));
    for (const Wave& wave : waves_) {
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double c = std::cos(wave.x * x[k] + wave.phase), s = std::sin(wave.x * x[k] + wave.phase);
            for (std::size_t j = 0; j < y.size(); ++j) {
                const double cy = std::cos(wave.y * y[j]), sy = std::sin(wave.y * y[j]);
                cosine[j * x.size() + k] = c * cy - s * sy;
                sine[j * x.size() + k] = s * cy + c * sy;
            }
        }
        for (std::size_t i = 0; i < z.size(); ++i) {
            const double a = amplitude * std::cos(wave.z * z[i]);
            const double b = amplitude * std::sin(wave.z * z[i]);
            double* row = sum.data() + i * plane;
            for (std::size_t j = 0; j < plane; ++j) {
                row[j] += a * cosine[j] - b * sine[j];
            }
        }
    }
    return sum;
}

}  // namespace plumecast
