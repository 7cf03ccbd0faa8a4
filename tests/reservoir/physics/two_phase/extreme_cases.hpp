#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "core/random.hpp"

namespace plumecast {

/// Draws cases far beyond those of a data set: permeabilities down to 1e-6 mD, contrasts up to a million, single cells,
/// columns and rows, rows of 1 cm, and the whole range of rates, temperatures and pressures.
class ExtremeCases {
   public:
    ExtremeCases(std::uint64_t seed, std::uint64_t index) : random_(seed, "extreme cases"), next_(index * 100'000) {}

    RadialCase draw() {
        RadialCase radial;
        draw_grid(radial);
        draw_rock(radial);
        draw_well(radial);
        radial.initial_pressure = between(20.0, 600.0);
        radial.temperature = between(12.0, 170.0);
        radial.irreducible_water_saturation = between(0.01, 0.6);
        radial.van_genuchten_lambda = between(0.2, 0.9);
        radial.rock_fluid.entry_pressure = has_chance(0.1) ? 0.0 : 0.1961;
        if (has_chance(0.5)) {
            radial.rock_fluid.initial_brine_temperature = 15.56;
        }
        return radial;
    }

   private:
    double between(double low, double high) { return low + (high - low) * random_.uniform(next_++); }
    double power_between(double low, double high) { return low * std::pow(high / low, between(0.0, 1.0)); }
    bool has_chance(double share) { return random_.uniform(next_++) < share; }
    std::size_t count(std::size_t most) {
        return 1 + static_cast<std::size_t>(between(0.0, static_cast<double>(most)));
    }

    void draw_grid(RadialCase& radial) {
        const std::size_t columns = has_chance(0.1) ? 1 : count(24), rows = has_chance(0.15) ? 1 : count(12);
        const double well = power_between(0.05, 0.5), edge = well * power_between(1e3, 1e6);
        for (std::size_t i = 0; i <= columns; ++i) {
            radial.r_edges.push_back(well *
                                     std::pow(edge / well, static_cast<double>(i) / static_cast<double>(columns)));
        }
        radial.z_edges = {0.0};
        for (std::size_t i = 0; i < rows; ++i) {
            radial.z_edges.push_back(radial.z_edges.back() + (has_chance(0.3) ? 0.01 : power_between(0.1, 50.0)));
        }
        const double first = power_between(0.01, 3652.5);
        const std::size_t times = count(6);
        for (std::size_t i = 0; i < times; ++i) {
            radial.times.push_back(first * std::pow(3.0, static_cast<double>(i)));
        }
    }

    void draw_rock(RadialCase& radial) {
        const double centre = power_between(0.1, 1000.0), contrast = has_chance(0.3) ? 1e3 : power_between(1.0, 1e3);
        const bool by_rows = has_chance(0.5);
        for (std::size_t row = 0; row < radial.rows(); ++row) {
            const bool is_tight = has_chance(0.15);
            double permeability = centre * power_between(1.0 / contrast, contrast);
            for (std::size_t column = 0; column < radial.columns(); ++column) {
                if (!by_rows) {
                    permeability = centre * power_between(1.0 / contrast, contrast);
                }
                radial.permeability_r.push_back(is_tight ? 1e-6 : permeability);
                radial.permeability_z.push_back(is_tight ? 1e-6 : permeability * between(0.001, 1.0));
                radial.porosity.push_back(between(0.01, 0.4));
                radial.active.push_back(has_chance(0.95) ? 1 : 0);
            }
        }
    }

    void draw_well(RadialCase& radial) {
        radial.injection_rate = has_chance(0.05)  ? 0.0
                                : has_chance(0.5) ? between(0.0, 20.0)
                                                  : power_between(1e-4, 2.0);
        const bool is_partial = has_chance(0.5);
        radial.perforation.assign(radial.cells(), 0.0);
        for (std::size_t row = 0; row < radial.rows(); ++row) {
            radial.perforation[row * radial.columns()] = is_partial && has_chance(0.7) ? 0.0 : between(0.05, 1.0);
        }
        const auto row = static_cast<std::size_t>(between(0.0, static_cast<double>(radial.rows())));
        radial.perforation[row * radial.columns()] = 1.0;
        radial.active[row * radial.columns()] = 1;
    }

    RandomStream random_;
    std::uint64_t next_;
};

}  // namespace plumecast
