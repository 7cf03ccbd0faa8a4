#include "reservoir/physics/saturation_functions.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast {
namespace {

constexpr int even_steps = 59;
// Capillary pressure ends at less water than flow does, which keeps it finite where brine is no longer mobile.
constexpr double capillary_margin = 0.05;

/// Steps are finest where the first gas appears, because capillary pressure and water permeability change most there.
std::vector<double> gas_saturations(double irreducible_water) {
    std::vector<double> saturations{0.0, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05};
    const double first = 0.06;
    const double last = 1.0 - irreducible_water;
    for (int i = 0; i <= even_steps; ++i) {
        saturations.push_back(first + (last - first) * i / even_steps);
    }
    return saturations;
}

double water_permeability(double effective, double lambda) {
    const double part = 1.0 - std::pow(1.0 - std::pow(effective, 1.0 / lambda), lambda);
    return std::clamp(std::sqrt(effective) * part * part, 0.0, 1.0);
}

double gas_permeability(double gas, double irreducible_water, double residual_gas) {
    const double effective =
        std::clamp((1.0 - gas - irreducible_water) / (1.0 - irreducible_water - residual_gas), 0.0, 1.0);
    return (1.0 - effective) * (1.0 - effective) * (1.0 - effective * effective);
}

double effective_saturation(double gas, double residual_water) {
    return std::clamp((1.0 - gas - residual_water) / (1.0 - residual_water), 0.0, 1.0);
}

double capillary_pressure(double gas, double irreducible_water, double lambda, double entry) {
    const double effective = effective_saturation(gas, std::max(0.0, irreducible_water - capillary_margin));
    const double limit = entry * capillary_limit;
    if (effective <= 0.0) {
        return limit;
    }
    return std::min(limit, entry * std::pow(std::pow(effective, -1.0 / lambda) - 1.0, 1.0 - lambda));
}

}  // namespace

std::vector<SaturationRow> saturation_table(double irreducible_water, double lambda, double residual_gas,
                                            double entry) {
    std::vector<SaturationRow> table;
    for (const double gas : gas_saturations(irreducible_water)) {
        const double effective = effective_saturation(gas, irreducible_water);
        table.push_back({gas, gas_permeability(gas, irreducible_water, residual_gas),
                         water_permeability(effective, lambda),
                         gas == 0.0 ? 0.0 : capillary_pressure(gas, irreducible_water, lambda, entry)});
    }
    table.back().water_permeability = 0.0;  // rounding leaves a trace of mobile water
    return table;
}

LandTrapping::LandTrapping(double critical, double residual, double largest) : critical_(critical) {
    if (residual > critical && largest > residual) {
        constant_ = 1.0 / (residual - critical) - 1.0 / (largest - critical);
    }
}

std::vector<SaturationRow> imbibition_table(double irreducible_water, double lambda, double residual,
                                            double residual_gas, double entry) {
    constexpr int steps = 60;
    const double largest = 1.0 - irreducible_water;
    const LandTrapping land(residual_gas, residual, largest);
    std::vector<SaturationRow> table{{}};
    for (int i = 0; i <= steps; ++i) {
        const double gas = i < steps ? residual + (largest - residual) * i / steps : largest;
        // What is not trapped of the saturation, by Land's balance of both.
        const double above = gas - residual;
        const double mobile = 0.5 * (above + std::sqrt(above * above + 4.0 * above / land.constant()));
        table.push_back({gas,
                         i < steps ? gas_permeability(residual_gas + mobile, irreducible_water, residual_gas) : 1.0,
                         water_permeability(effective_saturation(gas, irreducible_water), lambda),
                         capillary_pressure(gas, irreducible_water, lambda, entry)});
    }
    table[0].water_permeability = 1.0;
    table[1].gas_permeability = 0.0;
    table.back().water_permeability = 0.0;
    return table;
}

double leverett_factor(double permeability, double porosity) {
    return std::sqrt(porosity / 0.2 * 100.0 / permeability);
}

}  // namespace plumecast
