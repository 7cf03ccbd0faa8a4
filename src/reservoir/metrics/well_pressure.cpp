#include "reservoir/metrics/well_pressure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/limited_rate.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast {
namespace {

constexpr double no_pressure = std::numeric_limits<double>::quiet_NaN();
constexpr double no_density = std::numeric_limits<double>::quiet_NaN();
constexpr double gravity = 9.80665;  // [m/s2]

/// Relative permeabilities between the rows of the tables that the reduced physics uses too.
class RelativePermeabilities {
   public:
    RelativePermeabilities(const CaseFields& fields, const std::vector<SaturationRow>& usual)
        : fields_(fields), usual_(usual) {}

    SaturationRow at(std::size_t cell, double saturation) const {
        const bool has_region = !fields_.regions.empty() && fields_.regions[cell] > 0;
        const std::vector<SaturationRow>& table = has_region ? fields_.tables[fields_.regions[cell] - 1] : usual_;
        const auto above = std::ranges::find_if(
            table, [saturation](const SaturationRow& row) { return row.gas_saturation >= saturation; });
        if (above == table.begin() || above == table.end()) {
            return above == table.end() ? table.back() : table.front();
        }
        const SaturationRow& low = *(above - 1);
        const double part = (saturation - low.gas_saturation) / (above->gas_saturation - low.gas_saturation);
        const auto between = [part](double from, double to) { return from + part * (to - from); };
        return {saturation, between(low.gas_permeability, above->gas_permeability),
                between(low.water_permeability, above->water_permeability),
                between(low.capillary_pressure, above->capillary_pressure)};
    }

   private:
    const CaseFields& fields_;
    const std::vector<SaturationRow>& usual_;
};

double temperature_of(const CaseFields& fields, std::size_t cell) {
    return fields.temperatures.empty() ? fields.well_fluids.temperature : fields.temperatures[cell];
}

/// A connection at one time.
struct Inflow {
    double pressure = 0.0;     ///< of the cell, of its gas where the well injects [bar]
    double conductance = 0.0;  ///< mass per day and bar [kg/(day bar)]
    double density = 0.0;      ///< of CO2 at the pressure of the cell [kg/m3]
};

/// With the density of CO2 in the connection before, or NaN.
Inflow inflow_of(const CaseFields& fields, const WellConnection& connection, std::size_t time,
                 const RelativePermeabilities& curves, bool is_injecting, double nearby) {
    const std::size_t cell = connection.cell;
    const double pressure =
        fields.initial_pressures[cell] + static_cast<double>(fields.at(fields.pressure_buildup, time)[cell]);
    if (!has_co2_density(pressure)) {
        return {pressure, no_pressure, no_density};
    }
    const double saturation =
        fields.gas_saturation.empty() ? 0.0 : static_cast<double>(fields.at(fields.gas_saturation, time)[cell]);
    const double temperature = temperature_of(fields, cell);
    const double density = co2_density_near(pressure, temperature, nearby);
    const SaturationRow row = curves.at(cell, saturation);
    const double mobility = row.gas_permeability / co2_viscosity(density, temperature) +
                            row.water_permeability / brine_viscosity(temperature, fields.well_fluids.salinity);
    const double above_brine = is_injecting ? connection.capillary * row.capillary_pressure : 0.0;
    return {pressure + above_brine, connection.factor * mobility * density, density};
}

/// Whether CO2 has entered a well by a time, or enters it: a well into which nothing was injected is full of brine.
bool holds_co2(const CaseFields& fields, const CaseWell& well, std::size_t time, double day, double mass) {
    if (!well.injected.empty()) {
        return mass > 0.0 || well.injected[time] > 0.0;
    }
    const double injected = fields.injected_mass.empty() ? fields.injected(day) : fields.injected_mass[time];
    return mass > 0.0 || (well.share > 0.0 && injected > 0.0);
}

/// Whether the pressures of the cells about a well are those before injection, and nothing flows.
bool is_at_rest(const CaseFields& fields, const CaseWell& well, std::size_t time, double mass) {
    const auto buildup = fields.at(fields.pressure_buildup, time);
    return mass == 0.0 && std::ranges::all_of(well.connections, [&](const WellConnection& connection) {
               return buildup[connection.cell] == 0.0F;
           });
}

/// What the CO2 in a well, or its brine, adds to its pressure at the uppermost connection down to each of them [bar];
/// with the density of CO2 there, about.
std::vector<double> heads_of(const CaseFields& fields, const CaseWell& well, double bottom_hole, bool is_gas,
                             double co2) {
    const double temperature = temperature_of(fields, well.connections.front().cell);
    std::vector<double> heads(well.connections.size(), 0.0);
    for (std::size_t i = 1; i < heads.size(); ++i) {
        const double above = bottom_hole + heads[i - 1];
        if (!has_co2_density(above)) {
            heads[i] = no_pressure;
            continue;
        }
        const double height = well.connections[i].depth - well.connections[i - 1].depth;
        co2 = is_gas ? co2_density_near(above, temperature, co2) : co2;
        const double density = is_gas ? co2 : brine_density(above, temperature, fields.well_fluids.salinity);
        heads[i] = heads[i - 1] + density * gravity * height / pascals_per_bar;
    }
    return heads;
}

/// Pressure at the uppermost connection that drives a mass per day [kg/day] through all connections together, of which
/// those that would give brine to the well are shut while it injects; NaN where none lets any through.
double balanced_pressure(const std::vector<Inflow>& inflows, const std::vector<double>& heads, double mass) {
    std::vector<bool> is_open(inflows.size(), true);
    double bottom_hole = no_pressure;
    for (bool has_changed = true; has_changed;) {
        double conductance = 0.0, driven = mass;
        for (std::size_t i = 0; i < inflows.size(); ++i) {
            if (is_open[i]) {
                conductance += inflows[i].conductance;
                driven += inflows[i].conductance * (inflows[i].pressure - heads[i]);
            }
        }
        bottom_hole = conductance > 0.0 ? driven / conductance : no_pressure;
        has_changed = false;
        for (std::size_t i = 0; mass > 0.0 && i < inflows.size(); ++i) {
            if (is_open[i] && bottom_hole + heads[i] < inflows[i].pressure) {
                is_open[i] = false;
                has_changed = true;
            }
        }
    }
    return bottom_hole;
}

WellPressure pressure_of(const CaseFields& fields, const CaseWell& well, std::size_t time, double day, double rate,
                         const RelativePermeabilities& curves) {
    constexpr int rounds = 4;  // the head changes the density that makes it by a thousandth
    const double mass = well.rates.empty() ? rate * well.share : well.rates[time];
    std::vector<Inflow> inflows;
    for (const WellConnection& connection : well.connections) {
        const double nearby = inflows.empty() ? no_density : inflows.back().density;
        inflows.push_back(inflow_of(fields, connection, time, curves, mass > 0.0, nearby));
    }
    const bool is_gas = holds_co2(fields, well, time, day, mass);
    double bottom_hole = inflows.front().pressure;
    std::vector<double> heads;
    for (int round = 0; round < rounds; ++round) {
        heads = heads_of(fields, well, bottom_hole, is_gas, inflows.front().density);
        bottom_hole = balanced_pressure(inflows, heads, mass);
    }
    if (!is_gas && std::isfinite(bottom_hole) && is_at_rest(fields, well, time, mass)) {
        bottom_hole = inflows.front().pressure;  // exactly, and not to the rounding of heads
    }
    const double limit = fields.bottom_hole_pressure_limit;
    return {bottom_hole > limit ? limit : bottom_hole, std::move(heads)};
}

/// At each time the mean since the one before, of a case that knows the mass injected until each [kg/day].
std::vector<double> mean_injection_rates(const CaseFields& fields, std::span<const double> times) {
    std::vector<double> rates;
    double mass = 0.0, day = 0.0;
    for (std::size_t time = 0; time < times.size(); ++time) {
        const double days = times[time] - day;
        rates.push_back(days > 0.0 ? (fields.injected_mass[time] - mass) * kilograms_per_megatonne / days : 0.0);
        mass = fields.injected_mass[time];
        day = times[time];
    }
    return rates;
}

}  // namespace

std::vector<double> injection_rates(const CaseFields& fields, std::span<const double> times) {
    const bool is_limited = std::isfinite(fields.bottom_hole_pressure_limit);
    if (fields.schedule.ends.empty() && !fields.injected_mass.empty() && !is_limited) {
        return mean_injection_rates(fields, times);
    }
    std::vector<double> rates;
    for (const double day : times) {
        rates.push_back(fields.rate(day) * kilograms_per_megatonne / days_per_year);
    }
    return rates;
}

std::vector<double> injected_rates(const CaseFields& fields, std::span<const double> times) {
    return limited_rate(fields, times) ? mean_injection_rates(fields, times) : injection_rates(fields, times);
}

WellPressures::WellPressures(const CaseFields& fields, std::span<const double> times)
    : fields_(fields),
      times_(times),
      usual_(saturation_table(fields.well_fluids.irreducible_water, fields.well_fluids.lambda,
                              fields.well_fluids.residual_gas)) {}

std::vector<WellPressure> WellPressures::at(std::size_t time, double rate) const {
    const RelativePermeabilities curves(fields_, usual_);
    std::vector<WellPressure> pressures;
    for (const CaseWell& well : fields_.wells) {
        pressures.push_back(pressure_of(fields_, well, time, times_[time], rate, curves));
    }
    return pressures;
}

}  // namespace plumecast
