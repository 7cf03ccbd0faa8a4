#include <algorithm>
#include <cmath>
#include <numbers>

#include "reservoir/case_model/fluid_estimates.hpp"
#include "reservoir/case_model/reservoir.hpp"

namespace plumecast {
namespace {

using namespace estimate;  // NOLINT: only here

constexpr double perforation_reach = 50.0;  // flow has spread over the whole height beyond it [m]

double mean_porosity(const Reservoir& reservoir) {
    double pores = 0.0;
    double area = 0.0;
    for (std::size_t j = 0; j < reservoir.columns(); ++j) {
        const double a = std::pow(reservoir.grid.r_edges[j + 1], 2) - std::pow(reservoir.grid.r_edges[j], 2);
        for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
            pores += a * reservoir.rock.porosity[row * reservoir.columns() + j];
        }
        area += a;
    }
    return pores / (area * static_cast<double>(reservoir.active_rows));
}

double mean_log_permeability(const Reservoir& reservoir) {
    double sum = 0.0;
    for (const double k : reservoir.rock.permeability_r) {
        sum += std::log(k);
    }
    return sum / static_cast<double>(reservoir.rock.permeability_r.size());
}

/// Permeability times height of a column [m3]; of the perforated part only where asked.
double transmissivity(const Reservoir& reservoir, std::size_t column, bool perforated_only) {
    double sum = 0.0;
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        const double share = perforated_only ? reservoir.perforation[row] : 1.0;
        sum += share * reservoir.rock.permeability_r[row * reservoir.columns() + column] * reservoir.row_height(row);
    }
    return sum * square_metres_per_millidarcy;
}

}  // namespace

double estimate::water_viscosity(double celsius) { return 2.414e-5 * std::pow(10.0, 247.8 / (celsius + 133.15)); }

double estimate::co2_density(double bar, double celsius) {
    constexpr double gas_constant = 83.1447;  // [bar cm3 / (mol K)]
    constexpr double molar_mass = 44.0095;    // [g/mol]
    const double kelvin = celsius + 273.15;
    const double a = (7.54e7 - 4.13e4 * kelvin) / std::sqrt(kelvin);
    constexpr double b = 27.8;
    double low = b * 1.001;
    double high = gas_constant * kelvin / bar + b;  // pressure falls with volume at these temperatures
    for (int i = 0; i < 80; ++i) {
        const double volume = 0.5 * (low + high);
        const double pressure = gas_constant * kelvin / (volume - b) - a / (volume * (volume + b));
        (pressure > bar ? low : high) = volume;
    }
    return 1000.0 * molar_mass / (0.5 * (low + high));
}

double estimate::volume_rate(double megatonnes_per_year, double bar, double celsius) {
    return megatonnes_per_year * 1e9 / 365.25 / seconds_per_day / co2_density(bar, celsius);
}

double estimated_buildup(const Reservoir& reservoir, double days) {
    const SampledCase& inputs = reservoir.inputs;
    const double rate = volume_rate(inputs.largest_rate(), inputs.initial_pressure + 30.0, inputs.temperature);
    const double viscosity = water_viscosity(inputs.temperature);
    const double porosity = mean_porosity(reservoir);
    const double k = std::exp(mean_log_permeability(reservoir)) * square_metres_per_millidarcy;
    const double seconds = days * seconds_per_day;
    const double reach = 1.5 * std::sqrt(k * seconds / (porosity * viscosity * compressibility));
    const double plume =
        std::sqrt(rate * seconds / (std::numbers::pi * porosity * reservoir.thickness() * plume_saturation));
    double pressure = 0.0;
    for (std::size_t j = 0; j < reservoir.columns(); ++j) {
        const double inner = reservoir.grid.r_edges[j];
        const double outer = reservoir.grid.r_edges[j + 1];
        if (inner >= reach) {
            break;
        }
        const double resistance =
            std::log(std::min(outer, reach) / inner) / transmissivity(reservoir, j, outer < perforation_reach);
        pressure += (outer < std::min(plume, reach) ? plume_resistance : 1.0) * resistance;
    }
    return pressure * rate * viscosity / (2.0 * std::numbers::pi) / pascals_per_bar;
}

}  // namespace plumecast
