#include <plumecast/reservoir/physics/co2_density.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/physics/fluid_slopes.hpp"

namespace plumecast {
namespace {

// R. Span, W. Wagner, Int. J. Thermophys. 24 (2003) 111-162: carbon dioxide, coefficients and exponents of
// n d^i t^j exp(-d^l), l = 0 without the exponential; d = density / critical, t = critical temperature / temperature.
struct Term {
    double n;
    std::size_t i;
    double j;
    std::size_t l;
};

constexpr std::array<Term, 12> terms{{{0.89875108, 1, 0.25, 0},
                                      {-0.21281985e1, 1, 1.25, 0},
                                      {-0.68190320e-1, 1, 1.5, 0},
                                      {0.76355306e-1, 3, 0.25, 0},
                                      {0.22053253e-3, 7, 0.875, 0},
                                      {0.41541823, 1, 2.375, 1},
                                      {0.71335657, 2, 2.0, 1},
                                      {0.30354234e-3, 5, 2.125, 1},
                                      {-0.36643143, 1, 3.5, 2},
                                      {-0.14407781e-2, 1, 6.5, 2},
                                      {-0.89166707e-1, 4, 4.75, 2},
                                      {-0.23699887e-1, 2, 12.5, 3}}};

constexpr double critical_temperature = 304.1282;           // [K]
constexpr double critical_pressure = 73.773;                // [bar]
constexpr double critical_density = 467.6;                  // [kg/m3]
constexpr double co2_gas_constant = 8.314510 / 44.0098e-3;  // [J/(kg K)], the value the equation was fitted with
constexpr double largest_pressure = 1e3;                    // [bar]
constexpr double largest_temperature = 400;                 // [degC]
constexpr double largest_density = 1400.0;                  // that a solution is looked for [kg/m3]

/// The equation of state at one temperature [K].
class Isotherm {
   public:
    explicit Isotherm(double temperature) : temperature_(temperature) {
        for (std::size_t term = 0; term < terms.size(); ++term) {
            factors_[term] = terms[term].n * std::pow(critical_temperature / temperature, terms[term].j);
        }
    }

    /// Density [kg/m3] at a pressure [bar]; it grows with pressure on each side of the dome, so that there is one of
    /// the phase.
    double density(double pressure) const;

    /// The same, from a density nearby [kg/m3].
    double density_near(double pressure, double nearby) const;

    /// Derivatives of the pressure [bar] at a density [kg/m3].
    struct Slopes {
        double density = 0.0;
        double temperature = 0.0;
    };
    Slopes slopes(double density) const;

   private:
    /// Pressure [bar] at a density [kg/m3], and its slope.
    struct Compressed {
        double pressure, slope;
    };
    Compressed compressed(double density) const;
    double ideal() const { return co2_gas_constant * temperature_ / pascals_per_bar; }

    double temperature_;
    std::array<double, terms.size()> factors_{};
};

// rho R T (1 + d a'), a' the slope of the residual part by the reduced density d. The terms of d a' are
// f d^i exp(-d^l) (i - l d^l), and their slopes times d are f d^i exp(-d^l) ((i - l d^l)^2 - l^2 d^l).
Isotherm::Compressed Isotherm::compressed(double density) const {
    const double d = density / critical_density;
    std::array<double, 8> powers{1.0};
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = powers[i - 1] * d;
    }
    const std::array<double, 4> decay = {1.0, std::exp(-d), std::exp(-powers[2]), std::exp(-powers[3])};
    double residual = 0.0, slope = 0.0;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const auto [n, i, j, l] = terms[term];
        const double order = static_cast<double>(l), power = l == 0 ? 0.0 : powers[l];
        const double decayed = factors_[term] * powers[i] * decay[l];
        const double weight = static_cast<double>(i) - order * power;
        residual += decayed * weight;
        slope += decayed * (weight * weight - order * order * power);
    }
    return {density * ideal() * (1.0 + residual), ideal() * (1.0 + residual + slope)};
}

// The terms of d a' are f d^i exp(-d^l) (i - l d^l) with f ~ T^-j, their slope by d
// f d^(i-1) exp(-d^l) ((i - l d^l)^2 - l^2 d^l).
Isotherm::Slopes Isotherm::slopes(double density) const {
    const double d = density / critical_density;
    double slope = 0.0, by_d = 0.0, by_temperature = 0.0;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const auto i = static_cast<double>(terms[term].i), l = static_cast<double>(terms[term].l);
        const double power = terms[term].l == 0 ? 0.0 : std::pow(d, l);
        const double decayed = factors_[term] * std::pow(d, i) * std::exp(-power);
        const double weight = i - l * power;
        slope += decayed * weight;
        by_d += decayed / d * (weight * weight - l * l * power);
        by_temperature -= decayed * weight * terms[term].j / temperature_;
    }
    return {ideal() * (1.0 + slope + d * by_d), density * ideal() * ((1.0 + slope) / temperature_ + by_temperature)};
}

/// Vapour pressure [bar]: the auxiliary equation (3.13) of Span and Wagner (1996).
double vapour_pressure(double temperature) {
    const double away = 1.0 - temperature / critical_temperature;
    const double sum =
        -7.0602087 * away + 1.9391218 * std::pow(away, 1.5) - 1.6463597 * away * away - 3.2995634 * std::pow(away, 4.0);
    return critical_pressure * std::exp(critical_temperature / temperature * sum);
}

double Isotherm::density(double pressure) const {
    double low = 0.0;
    double high = largest_density;
    const bool has_dome = temperature_ < critical_temperature;
    if (has_dome) {
        (pressure > vapour_pressure(temperature_) ? low : high) = critical_density;
    }
    // Regula falsi with halved weights (Illinois), and halving where that is slow or the slope may change its sign.
    constexpr int most_iterations = 200;
    constexpr double tolerance = 1e-13;  // of the pressure, or of the largest density
    const auto beyond = [&](double density) { return compressed(density).pressure - pressure; };
    double below = beyond(low), above = beyond(high);
    double width = high - low;
    for (int i = 0; i < most_iterations && high - low > tolerance * largest_density; ++i) {
        const bool is_slow = i % 4 == 3 && high - low > 0.5 * std::exchange(width, high - low);
        const double middle = is_slow || has_dome ? 0.5 * (low + high) : (low * above - high * below) / (above - below);
        const double there = beyond(middle);
        if (std::abs(there) <= tolerance * pressure) {
            return middle;
        }
        if (there < 0.0) {
            low = middle;
            below = there;
            above *= 0.5;
        } else {
            high = middle;
            above = there;
            below *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

// Newton's method, as long as it stays in the phase of the pressure; where it does not, the search between bounds.
double Isotherm::density_near(double pressure, double nearby) const {
    constexpr int most_iterations = 10;
    constexpr double tolerance = 1e-12;  // of the density
    const bool has_dome = temperature_ < critical_temperature;
    const bool is_liquid = has_dome && pressure > vapour_pressure(temperature_);
    double density = nearby;
    for (int i = 0; i < most_iterations; ++i) {
        const Compressed there = compressed(density);
        const double step = (pressure - there.pressure) / there.slope;
        density += step;
        const bool is_in_phase = density > 0.0 && (!has_dome || is_liquid == (density > critical_density));
        if (!(there.slope > 0.0) || !is_in_phase) {
            break;
        }
        if (std::abs(step) <= tolerance * density) {
            return density;
        }
    }
    return this->density(pressure);
}

void check_state(double pressure, double temperature) {
    if (!(pressure >= 0.0 && pressure <= largest_pressure && temperature >= 0.0 &&
          temperature <= largest_temperature)) {
        throw InvalidInput(
            fmt::format("CO2 at {} bar and {} degC has no known density (the equation of state is used from 0 to "
                        "{:g} bar and 0 to {:g} degC); check pressure and temperature of the case",
                        number_text(pressure), number_text(temperature), largest_pressure, largest_temperature));
    }
}

}  // namespace

bool has_co2_density(double pressure) { return pressure > 0.0 && pressure <= largest_pressure; }

double co2_density(double pressure, double temperature) {
    check_state(pressure, temperature);
    return Isotherm(temperature + zero_celsius).density(pressure);
}

double co2_density_near(double pressure, double temperature, double nearby) {
    check_state(pressure, temperature);
    return Isotherm(temperature + zero_celsius).density_near(pressure, nearby);
}

FluidSlopes co2_density_slopes(double pressure, double temperature) {
    return co2_density_slopes_at(co2_density(pressure, temperature), temperature);
}

FluidSlopes co2_density_slopes_at(double density, double temperature) {
    const Isotherm::Slopes slopes = Isotherm(temperature + zero_celsius).slopes(density);
    return {1.0 / slopes.density, -slopes.temperature / slopes.density};
}

std::vector<double> co2_densities(double temperature, double first, double step, std::size_t count) {
    constexpr double rounding = 1e-12;
    check_state(first, temperature);
    check_state((first + step * static_cast<double>(count - 1)) * (1.0 - rounding), temperature);
    const Isotherm isotherm(temperature + zero_celsius);
    std::vector<double> densities(count, isotherm.density(first));
    for (std::size_t i = 1; i < count; ++i) {
        densities[i] = isotherm.density_near(first + step * static_cast<double>(i), densities[i - 1]);
    }
    return densities;
}

Co2DensityTable::Co2DensityTable(double temperature, double low, double high) : low_(low) {
    constexpr std::size_t points = 513;
    step_ = std::max(high - low, 1e-6) / static_cast<double>(points - 1);
    check_state(low, temperature);
    check_state(high, temperature);
    values_ = co2_densities(temperature, low, step_, points);
}

double Co2DensityTable::at(double pressure) const {
    const auto last = static_cast<double>(values_.size() - 1);
    const double place = std::clamp((pressure - low_) / step_, 0.0, last);
    const auto below = std::min(static_cast<std::size_t>(place), values_.size() - 2);
    const double part = place - static_cast<double>(below);
    return (1.0 - part) * values_[below] + part * values_[below + 1];
}

}  // namespace plumecast
