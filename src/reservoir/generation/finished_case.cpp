#include "reservoir/generation/finished_case.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/units.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/simulation/deck.hpp"

namespace plumecast {
namespace {

constexpr int mantissa_bits = 23;

/// Rounds to the nearest number with that many bits of mantissa.
float rounded(double value, int bits) {
    const int dropped = mantissa_bits - bits;
    if (dropped == 0) {
        return static_cast<float>(value);
    }
    const auto raw = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return std::bit_cast<float>((raw + (1U << (dropped - 1))) & ~((1U << dropped) - 1U));
}

/// CO2 in the brine of a cell [kg per m3 of pore volume].
double dissolved_mass(const Snapshot& snapshot, std::size_t cell) {
    const double brine = 1.0 - std::clamp(snapshot.gas_saturation[cell], 0.0, 1.0);
    const double surface_volume = snapshot.dissolved_ratio[cell] * snapshot.inverse_brine_volume[cell];
    return std::max(0.0, brine * surface_volume * surface_density);
}

void add_maps(const Reservoir& reservoir, CaseArrays& arrays) {
    const std::size_t columns = reservoir.columns();
    const std::size_t cells = reservoir.grid.rows() * columns;
    std::vector<double> perforation(reservoir.active_rows * columns, 0.0);
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        perforation[row * columns] = reservoir.perforation[row];
    }
    arrays["permeability_r"] = over_all_rows(cells, reservoir.rock.permeability_r);
    arrays["permeability_z"] = over_all_rows(cells, reservoir.rock.permeability_z);
    arrays["porosity"] = over_all_rows(cells, reservoir.rock.porosity);
    arrays["perforation"] = over_all_rows(cells, perforation);
    arrays["active"] = over_all_rows(cells, std::vector<double>(reservoir.active_rows * columns, 1.0));
}

}  // namespace

std::vector<float> over_all_rows(std::size_t cells, const std::vector<double>& values) {
    std::vector<float> map(cells, 0.0F);
    std::ranges::transform(values, map.begin(), [](double value) { return static_cast<float>(value); });
    return map;
}

void add_scalars(const SampledCase& inputs, double thickness, CaseArrays& arrays) {
    const std::pair<const char*, double> scalars[] = {
        {"injection_rate", inputs.injection_rate},
        {"initial_pressure", inputs.initial_pressure},
        {"temperature", inputs.temperature},
        {"irreducible_water_saturation", inputs.irreducible_water_saturation},
        {"van_genuchten_lambda", inputs.van_genuchten_lambda},
        {"thickness", thickness},
        {"salinity", inputs.salinity},
        {"residual_gas_saturation", inputs.residual_gas_saturation},
    };
    for (const auto& [name, value] : scalars) {
        arrays[name] = {static_cast<float>(value)};
    }
    if (inputs.bottom_hole_pressure_limit > 0.0) {
        arrays["bottom_hole_pressure_limit"] = {static_cast<float>(inputs.bottom_hole_pressure_limit)};
    }
    if (std::isfinite(inputs.dissolution_rate_limit)) {
        arrays["dissolution_rate_limit"] = {static_cast<float>(inputs.dissolution_rate_limit)};
    }
    if (!inputs.schedule_rates.empty()) {
        arrays["schedule_rate"].assign(inputs.schedule_rates.begin(), inputs.schedule_rates.end());
    }
}

void add_outputs(const FlowResults& results, std::size_t cells, int output_bits, CaseArrays& arrays) {
    std::vector<float> saturation(results.snapshots.size() * cells, 0.0F);
    std::vector<float> buildup(saturation.size(), 0.0F);
    std::vector<float> dissolved(saturation.size(), 0.0F);
    std::vector<float>& well_pressure = arrays["bottom_hole_pressure"];
    std::vector<float>& injected = arrays[std::string(injected_mass_name)];
    for (std::size_t t = 0; t < results.snapshots.size(); ++t) {
        const Snapshot& snapshot = results.snapshots[t];
        well_pressure.push_back(static_cast<float>(snapshot.bottom_hole_pressure));
        injected.push_back(static_cast<float>(snapshot.injected * surface_density / kilograms_per_megatonne));
        for (std::size_t cell = 0; cell < snapshot.pressure.size(); ++cell) {
            const double gas = std::clamp(snapshot.gas_saturation[cell], 0.0, 1.0);
            saturation[t * cells + cell] = rounded(gas, output_bits);
            buildup[t * cells + cell] = rounded(snapshot.pressure[cell] - results.initial_pressure[cell], output_bits);
            dissolved[t * cells + cell] = rounded(dissolved_mass(snapshot, cell), output_bits);
        }
    }
    arrays["gas_saturation"] = std::move(saturation);
    arrays["pressure_buildup"] = std::move(buildup);
    arrays["dissolved_co2"] = std::move(dissolved);
}

FinishedCase drawn_case(const Reservoir& reservoir) {
    FinishedCase drawn{reservoir.inputs.number, reservoir.inputs.medium, {}};
    add_maps(reservoir, drawn.arrays);
    add_scalars(reservoir.inputs, reservoir.thickness(), drawn.arrays);
    return drawn;
}

FinishedCase finished_case(const Reservoir& reservoir, const FlowResults& results, int output_bits) {
    FinishedCase finished = drawn_case(reservoir);
    add_outputs(results, reservoir.grid.rows() * reservoir.columns(), output_bits, finished.arrays);
    return finished;
}

}  // namespace plumecast
