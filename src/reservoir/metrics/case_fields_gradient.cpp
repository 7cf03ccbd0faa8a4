#include "reservoir/metrics/case_fields_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/units.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/temperature_profile.hpp"

namespace plumecast {
namespace {

/// A factor grows with permeability and perforation (cylinder::well_connection_factor()), a capillary pressure with the
/// root of porosity over permeability (leverett_factor()).
void add_connections(const Dataset& dataset, const CaseFields& fields, const CaseFieldsCotangents& cotangents,
                     RadialCaseGradient& gradient) {
    const auto values_of = [&](const char* name) {
        std::vector<float> values(fields.active.size());
        dataset.read_map(name, {&fields.number, 1}, values);
        return values;
    };
    const std::vector<float> permeability = values_of("permeability_r"), perforation = values_of("perforation");
    for (const CaseWell& well : fields.wells) {
        for (const WellConnection& connection : well.connections) {
            const std::size_t cell = connection.cell;
            const double by_factor = cotangents.factors[cell] * connection.factor;
            const double by_root = 0.5 * cotangents.capillary[cell] * connection.capillary;
            gradient.permeability_r[cell] += (by_factor - by_root) / static_cast<double>(permeability[cell]);
            gradient.perforation[cell] += by_factor / static_cast<double>(perforation[cell]);
            gradient.porosity[cell] += by_root / static_cast<double>(fields.porosity[cell]);
        }
    }
}

void add_initial_pressures(const Dataset& dataset, const CaseFields& fields, const CaseFieldsCotangents& cotangents,
                           RadialCaseGradient& gradient) {
    const RockFluidSettings rock_fluid = rock_fluid_of(dataset);
    const TemperatureProfile temperatures(fields.temperature, middle_depth(dataset.z_edges(), fields.active),
                                          rock_fluid.temperature_gradient, rock_fluid.initial_brine_temperature);
    for (std::size_t cell = 0; cell < cotangents.initial_pressures.size(); ++cell) {
        if (const double cotangent = cotangents.initial_pressures[cell]; cotangent != 0.0) {
            const double depth = fields.geometry.depth_of(cell);
            const HydrostaticSlopes slopes = hydrostatic_pressure_slopes(
                fields.initial_pressure, temperatures.initial_brine_above(depth), fields.salinity, depth);
            gradient.initial_pressure += cotangent * slopes.pressure;
            gradient.salinity += cotangent * slopes.salinity;
            gradient.temperature += temperatures.weighs_brine_as_it_is() ? cotangent * slopes.temperature : 0.0;
        }
    }
}

/// Of rates [kg/day] at the times to those of the case, or of the periods of its schedule that the times lie in or end.
void add_rates(const Dataset& dataset, const CaseFieldsCotangents& cotangents, RadialCaseGradient& gradient) {
    const std::vector<double>& ends = dataset.schedule_ends();
    gradient.rates.resize(ends.size());
    for (std::size_t time = 0; time < cotangents.rates.size(); ++time) {
        const double by_rate = cotangents.rates[time] * kilograms_per_megatonne / days_per_year;
        const auto period = std::ranges::lower_bound(ends, dataset.times()[time]);
        if (ends.empty()) {
            gradient.injection_rate += by_rate;
        } else if (period != ends.end()) {
            gradient.rates[static_cast<std::size_t>(period - ends.begin())] += by_rate;
        }
    }
}

/// Pore volumes are in proportion to porosity; Land's constant is 1/(S_r - S_c) - 1/(1 - S_w - S_c) of residual and
/// critical gas and irreducible water.
void add_rock(const Dataset& dataset, const CaseFields& fields, const CaseFieldsCotangents& cotangents,
              RadialCaseGradient& gradient) {
    for (std::size_t cell = 0; cell < cotangents.pore_volumes.size(); ++cell) {
        if (fields.pore_volumes[cell] > 0.0) {
            gradient.porosity[cell] +=
                cotangents.pore_volumes[cell] * fields.pore_volumes[cell] / static_cast<double>(fields.porosity[cell]);
        }
    }
    if (fields.trapping.is_active()) {
        const auto residual =
            static_cast<double>(dataset.scalar("residual_gas_saturation")[static_cast<std::size_t>(fields.number)]);
        const double critical = fields.trapping.critical(), above = residual - critical;
        const double largest = 1.0 - fields.well_fluids.irreducible_water - critical;
        gradient.residual_gas_saturation -= cotangents.land_constant / (above * above);
        gradient.irreducible_water_saturation -= cotangents.land_constant / (largest * largest);
    }
}

}  // namespace

CaseFieldsCotangents::CaseFieldsCotangents(const CaseFields& fields, std::size_t times)
    : pressure_buildup(times * fields.active.size()),
      gas_saturation(times * fields.active.size()),
      initial_pressures(fields.active.size()),
      pore_volumes(fields.active.size()),
      factors(fields.active.size()),
      capillary(fields.active.size()),
      rates(times) {}

void require_well_derivatives(const Dataset& dataset) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidInput(
            "bottom-hole pressures in boxes have no derivatives (those on rings have); state them as pressure_buildup "
            "in the cell of the well");
    }
}

RadialCaseGradient case_fields_gradient(const Dataset& dataset, const CaseFields& fields,
                                        const CaseFieldsCotangents& cotangents) {
    require_well_derivatives(dataset);
    RadialCaseGradient gradient;
    for (std::vector<double>* map :
         {&gradient.permeability_r, &gradient.permeability_z, &gradient.porosity, &gradient.perforation}) {
        map->resize(fields.active.size());
    }
    add_connections(dataset, fields, cotangents, gradient);
    add_initial_pressures(dataset, fields, cotangents, gradient);
    add_rates(dataset, cotangents, gradient);
    add_rock(dataset, fields, cotangents, gradient);
    gradient.temperature += cotangents.temperature;
    gradient.salinity += cotangents.salinity;
    gradient.irreducible_water_saturation += cotangents.irreducible_water;
    gradient.van_genuchten_lambda = cotangents.lambda;
    gradient.bottom_hole_pressure_limit = cotangents.limit;
    return gradient;
}

}  // namespace plumecast
