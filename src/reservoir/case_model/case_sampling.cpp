#include "case_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace plumecast {
namespace {

/// Draws the values of one case by name.
class Draw {
   public:
    Draw(std::uint64_t seed, std::int64_t number) : seed_(seed), number_(number) {}

    double uniform(std::string_view name, const ValueRange& range, std::uint64_t index = 0) const {
        return range.low + (range.high - range.low) * case_stream(seed_, number_, name).uniform(index);
    }
    double log_uniform(std::string_view name, const ValueRange& range) const {
        return std::exp(uniform(name, {std::log(range.low), std::log(range.high)}));
    }
    int count(std::string_view name, const CountRange& range) const {
        const double choices = range.high - range.low + 1.0;
        return std::min(range.high, range.low + static_cast<int>(uniform(name, {0.0, choices})));
    }
    Medium medium(const std::array<double, 5>& shares) const {
        double left = uniform("medium", {0.0, std::accumulate(shares.begin(), shares.end(), 0.0)});
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (shares[i] > 0.0) {
                chosen = i;
                if (left < shares[i]) {
                    break;
                }
            }
            left -= shares[i];
        }
        return static_cast<Medium>(chosen);
    }

   private:
    std::uint64_t seed_;
    std::int64_t number_;
};

void draw_inputs(const Draw& draw, const InputSettings& laws, SampledCase& sampled) {
    sampled.injection_rate = draw.uniform("injection_rate", laws.injection_rate);
    sampled.initial_pressure = draw.uniform("initial_pressure", laws.initial_pressure);
    sampled.temperature = draw.uniform("temperature", laws.temperature);
    sampled.irreducible_water_saturation =
        draw.uniform("irreducible_water_saturation", laws.irreducible_water_saturation);
    sampled.van_genuchten_lambda = draw.uniform("van_genuchten_lambda", laws.van_genuchten_lambda);
    sampled.thickness = draw.uniform("thickness", laws.thickness);
    sampled.salinity = draw.uniform("salinity", laws.salinity);
    sampled.residual_gas_saturation = draw.uniform("residual_gas_saturation", laws.residual_gas_saturation);
    const double least = std::min(laws.least_perforation, sampled.thickness);
    sampled.perforation_length = draw.uniform("perforation_length", {least, sampled.thickness});
    sampled.perforation_top = draw.uniform("perforation_top", {0.0, sampled.thickness - sampled.perforation_length});
    if (laws.bottom_hole_pressure_limit.high > 0.0) {
        constexpr double water_gradient = 0.0980665;  // [bar/m], of 1000 kg/m3
        sampled.bottom_hole_pressure_limit =
            draw.uniform("bottom_hole_pressure_limit", laws.bottom_hole_pressure_limit) *
            (sampled.initial_pressure + water_gradient * sampled.perforation_top);
    }
    if (laws.dissolution_rate_limit.high > 0.0) {
        sampled.dissolution_rate_limit = draw.uniform("dissolution_rate_limit", laws.dissolution_rate_limit);
    }
}

void draw_medium(const Draw& draw, const PermeabilitySettings& laws, SampledCase& sampled) {
    sampled.medium = draw.medium(laws.shares);
    sampled.log_mean = std::log(draw.log_uniform("geometric_mean", laws.geometric_mean));
    sampled.log_deviation =
        sampled.medium == Medium::homogeneous ? 0.0 : draw.uniform("log_deviation", laws.log_deviation);
    sampled.correlation_z = draw.uniform("correlation_z", laws.correlation_z);
    sampled.correlation_r = draw.log_uniform("correlation_r", laws.correlation_r);
    sampled.hurst = draw.uniform("hurst", laws.hurst);
    sampled.facies = draw.count("facies", laws.facies);
}

/// Place of a well away from the sides and from those before it; false when none is found.
bool place(const Draw& draw, const GeneratorConfiguration& configuration, const std::vector<SampledWell>& before,
           std::uint64_t index, SampledWell& well) {
    constexpr std::uint64_t attempts = 64;
    const WellSettings& laws = configuration.wells;
    for (std::uint64_t i = index * attempts; i < (index + 1) * attempts; ++i) {
        well.x = draw.uniform("well_x", {laws.margin, configuration.box->length_x - laws.margin}, i);
        well.y = draw.uniform("well_y", {laws.margin, configuration.box->length_y - laws.margin}, i);
        if (std::ranges::all_of(before, [&](const SampledWell& other) {
                return std::hypot(well.x - other.x, well.y - other.y) >= laws.least_distance;
            })) {
            return true;
        }
    }
    return false;
}

void draw_wells(const Draw& draw, const GeneratorConfiguration& configuration, SampledCase& sampled) {
    const InputSettings& laws = configuration.inputs;
    const auto count = static_cast<std::uint64_t>(draw.count("wells", configuration.wells.count));
    const double least = std::min(laws.least_perforation, sampled.thickness);
    sampled.injection_rate = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) {
        SampledWell well;
        if (!place(draw, configuration, sampled.wells, i, well)) {
            continue;
        }
        well.injection_rate = draw.uniform("injection_rate", laws.injection_rate, i);
        well.perforation_length = draw.uniform("perforation_length", {least, sampled.thickness}, i);
        well.perforation_top = draw.uniform("perforation_top", {0.0, sampled.thickness - well.perforation_length}, i);
        sampled.injection_rate += well.injection_rate;
        sampled.wells.push_back(well);
    }
}

}  // namespace

RandomStream case_stream(std::uint64_t seed, std::int64_t number, std::string_view name) {
    return {seed, "case " + std::to_string(number) + " " + std::string(name)};
}

SampledCase sample_case(const GeneratorConfiguration& configuration, std::int64_t number) {
    const Draw draw(configuration.seed, number);
    SampledCase sampled;
    sampled.number = number;
    draw_inputs(draw, configuration.inputs, sampled);
    draw_medium(draw, configuration.permeability, sampled);
    const int materials = draw.count("materials", configuration.anisotropy.materials);
    for (int i = 0; i < materials; ++i) {
        sampled.ratios.push_back(
            draw.uniform("anisotropy", configuration.anisotropy.ratio, static_cast<std::uint64_t>(i)));
    }
    if (configuration.box) {
        draw_wells(draw, configuration, sampled);
    }
    return sampled;
}

}  // namespace plumecast
