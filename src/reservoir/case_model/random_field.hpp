#pragma once

#include <span>
#include <vector>

#include "core/random.hpp"

namespace plumecast {

/// How values at two places are related, with h = |(dr / length_r, dz / length_z)| and dr the horizontal distance.
struct Covariance {
    /// gaussian: exp(-h^2). von_karman: 2^(1-H) / Gamma(H) h^H K_H(h), of Hurst exponent H (von Karman 1948).
    enum class Kind { gaussian, von_karman };
    Kind kind = Kind::gaussian;
    double length_r = 1.0;  ///< [m]
    double length_z = 1.0;  ///< [m]
    double hurst = 0.5;
};

/// A stationary Gaussian field of mean 0 and variance 1, defined everywhere in space: a sum of cosines whose wave
/// numbers are drawn from the spectral density (Shinozuka and Jan 1972). Values depend on the stream and on the place
/// alone, never on the grid.
class RandomField {
   public:
    RandomField(const Covariance& covariance, const RandomStream& stream);

    /// Values [Z, R] at the places (z[i], r[j]) [m], on the plane y = 0.
    std::vector<double> values(std::span<const double> z, std::span<const double> r) const;
    /// Values [Z, Y, X] at the places (z[i], y[j], x[k]) [m].
    std::vector<double> values(std::span<const double> z, std::span<const double> y, std::span<const double> x) const;

   private:
    struct Wave {
        double x, y, z;  // wave numbers [1/m]
        double phase;    // at the origin
    };
    std::vector<Wave> waves_;
};

}  // namespace plumecast
