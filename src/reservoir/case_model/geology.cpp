#include "geology.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reservoir/case_model/random_field.hpp"

namespace plumecast {
namespace {

constexpr double square_nanometres_per_millidarcy = 986.9233;

/// Places at which rock is drawn: every z with every y and x. A radial grid is the plane y = 0.
struct Places {
    std::vector<double> z, y, x;

    explicit Places(const RadialGrid& grid) : z(centres_of(grid.z_edges)), y{0.0}, x(centres_of(grid.r_edges)) {}
    explicit Places(const BoxGrid& grid)
        : z(centres_of(grid.z_edges)), y(centres_of(grid.y_edges)), x(centres_of(grid.x_edges)) {}
    std::size_t plane() const { return y.size() * x.size(); }
};

/// Class 0 .. classes-1 of a standard normal value, all alike in probability.
std::size_t class_of(double normal, std::size_t classes) {
    const double share = 0.5 * std::erfc(-normal / std::numbers::sqrt2);
    return std::min(classes - 1, static_cast<std::size_t>(share * static_cast<double>(classes)));
}

/// Standard normal values that are alike within layers. Layers are as thick as one to three halves of the correlation
/// length and are numbered from the top.
std::vector<double> layered(const SampledCase& sampled, std::uint64_t seed, const Places& places) {
    const RandomStream thickness = case_stream(seed, sampled.number, "layer_thickness");
    const RandomStream value = case_stream(seed, sampled.number, "layer_value");
    std::vector<double> field;
    std::uint64_t layer = 0;
    double bottom = sampled.correlation_z * (0.5 + thickness.uniform(layer));
    for (const double z : places.z) {
        while (z >= bottom) {
            bottom += sampled.correlation_z * (0.5 + thickness.uniform(++layer));
        }
        field.insert(field.end(), places.plane(), value.normal(layer));
    }
    return field;
}

/// A Gaussian field cut into facies of equal volume, each with a value of its own (Matheron et al. 1987).
void cut_into_facies(std::vector<double>& field, const SampledCase& sampled, std::uint64_t seed) {
    const RandomStream value = case_stream(seed, sampled.number, "facies_value");
    for (double& cell : field) {
        cell = value.normal(class_of(cell, static_cast<std::size_t>(sampled.facies)));
    }
}

std::vector<double> standard_field(const SampledCase& sampled, std::uint64_t seed, const Places& places) {
    if (sampled.medium == Medium::homogeneous) {
        return std::vector<double>(places.z.size() * places.plane(), 0.0);
    }
    if (sampled.medium == Medium::layered) {
        return layered(sampled, seed, places);
    }
    Covariance covariance{Covariance::Kind::gaussian, sampled.correlation_r, sampled.correlation_z, sampled.hurst};
    if (sampled.medium == Medium::von_karman) {
        covariance.kind = Covariance::Kind::von_karman;
    }
    const RandomField field(covariance, case_stream(seed, sampled.number, "permeability"));
    std::vector<double> values = field.values(places.z, places.y, places.x);
    if (sampled.medium == Medium::discontinuous) {
        cut_into_facies(values, sampled, seed);
    }
    return values;
}

std::vector<double> log_field(const SampledCase& sampled, std::uint64_t seed, const Places& places) {
    std::vector<double> field = standard_field(sampled, seed, places);
    for (double& cell : field) {
        cell = sampled.log_mean + sampled.log_deviation * cell;
    }
    return field;
}

Geology rock_at(const GeneratorConfiguration& configuration, const SampledCase& sampled, const Places& places) {
    const ValueRange& limits = configuration.permeability.limits;
    const ValueRange& porosity_limits = configuration.porosity.limits;
    const RandomStream noise = case_stream(configuration.seed, sampled.number, "porosity");
    Geology geology;
    geology.permeability_r = log_field(sampled, configuration.seed, places);
    for (std::size_t i = 0; i < geology.permeability_r.size(); ++i) {
        double& k = geology.permeability_r[i];
        const double deviation = sampled.log_deviation > 0.0 ? (k - sampled.log_mean) / sampled.log_deviation : 0.0;
        k = std::clamp(std::exp(k), limits.low, limits.high);
        geology.permeability_z.push_back(k / sampled.ratios[class_of(deviation, sampled.ratios.size())]);
        const double porosity = porosity_of(k) + configuration.porosity.noise * noise.normal(i);
        geology.porosity.push_back(std::clamp(porosity, porosity_limits.low, porosity_limits.high));
    }
    return geology;
}

}  // namespace

double porosity_of(double permeability) {
    const double wanted = permeability * square_nanometres_per_millidarcy;
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 60; ++i) {  // the polynomial increases: bisection to the last bit
        const double p = 0.5 * (low + high);
        const double found = 31.0 * p + 7467.0 * p * p + 191.0 * std::pow(10.0 * p, 10.0);
        (found < wanted ? low : high) = p;
    }
    return 0.5 * (low + high);
}

Geology draw_geology(const GeneratorConfiguration& configuration, const SampledCase& sampled,
                     const RadialGrid& lattice) {
    return rock_at(configuration, sampled, Places(lattice));
}

Geology draw_geology(const GeneratorConfiguration& configuration, const SampledCase& sampled, const BoxGrid& grid) {
    return rock_at(configuration, sampled, Places(grid));
}

}  // namespace plumecast
