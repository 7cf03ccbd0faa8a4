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

namespace {

/// What is not trapped of a saturation that is `above` the residual one, by Land's balance of both.
double mobile_part(double above, const LandTrapping& land) {
    return 0.5 * (above + std::sqrt(above * above + 4.0 * above / land.constant()));
}

/// Between the rows of a table; the nearest end outside.
SaturationRow row_at(const std::vector<SaturationRow>& table, double gas) {
    const auto above = std::ranges::upper_bound(table, gas, {}, &SaturationRow::gas_saturation);
    if (above == table.begin() || above == table.end()) {
        return above == table.end() ? table.back() : table.front();
    }
    const SaturationRow &low = *(above - 1), &high = *above;
    const double part = (gas - low.gas_saturation) / (high.gas_saturation - low.gas_saturation);
    const auto between = [part](double from, double to) { return from + part * (to - from); };
    return {gas, between(low.gas_permeability, high.gas_permeability),
            between(low.water_permeability, high.water_permeability),
            between(low.capillary_pressure, high.capillary_pressure)};
}

}  // namespace

std::vector<SaturationRow> imbibition_table(double irreducible_water, double lambda, double residual,
                                            double residual_gas, double entry) {
    constexpr int steps = 60;
    const double largest = 1.0 - irreducible_water;
    const LandTrapping land(residual_gas, residual, largest);
    std::vector<SaturationRow> table{{}};
    for (int i = 0; i <= steps; ++i) {
        const double gas = i < steps ? residual + (largest - residual) * i / steps : largest;
        const double mobile = mobile_part(gas - residual, land);
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

double critical_gas_saturation(const std::vector<SaturationRow>& drainage) {
    double critical = 0.0;
    for (const SaturationRow& row : drainage) {
        if (row.gas_permeability > 0.0) {
            break;
        }
        critical = row.gas_saturation;
    }
    return critical;
}

std::vector<SaturationRow> imbibition_table(const std::vector<SaturationRow>& drainage, const LandTrapping& land) {
    constexpr int steps = 60;
    const double largest = drainage.back().gas_saturation;
    const double residual = land.trapped(largest);
    std::vector<SaturationRow> table{drainage.front()};
    for (int i = 0; i <= steps; ++i) {
        const double gas = i < steps ? residual + (largest - residual) * i / steps : largest;
        SaturationRow row = row_at(drainage, gas);
        row.gas_permeability = row_at(drainage, land.critical() + mobile_part(gas - residual, land)).gas_permeability;
        table.push_back(row);
    }
    return table;
}

double leverett_factor(double permeability, double porosity) {
    return std::sqrt(porosity / 0.2 * 100.0 / permeability);
}

}  // namespace plumecast
