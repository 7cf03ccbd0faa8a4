#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/units.hpp"
#include "reservoir/metrics/case_well.hpp"
#include "reservoir/physics/fluid_duals.hpp"

/// What a well and a cell give each other, stated once for `double` and for numbers that carry derivatives along.
namespace plumecast::well {

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
inline constexpr double gravity = 9.80665;  // [m/s2]

/// A row of a table of relative permeabilities and capillary pressure, as SaturationRow.
template <class Number>
struct Curves {
    Number saturation = 0.0, gas = 0.0, water = 0.0, capillary = 0.0;
};

/// Between the rows of a table; the nearest end outside.
template <class Number>
Curves<Number> curves_at(const std::vector<Curves<Number>>& table, const Number& saturation) {
    const auto above = std::ranges::find_if(table, [&](const auto& row) { return row.saturation >= saturation; });
    if (above == table.begin() || above == table.end()) {
        return above == table.end() ? table.back() : table.front();
    }
    const Curves<Number>& low = *(above - 1);
    const Number part = (saturation - low.saturation) / (above->saturation - low.saturation);
    const auto between = [&](const Number& from, const Number& to) { return from + part * (to - from); };
    return {saturation, between(low.gas, above->gas), between(low.water, above->water),
            between(low.capillary, above->capillary)};
}

/// A connection at one time, with all that the flow through it depends on.
template <class Number>
struct Connection {
    Number pressure = 0.0;                 ///< of the cell [bar]
    Number factor = 0.0, capillary = 0.0;  ///< as WellConnection has them
    Number temperature = 0.0;              ///< [degC]
    Number salinity = 0.0;                 ///< [kg/kg]
    Curves<Number> curves;                 ///< at the gas saturation of the cell
};

/// The flow between a connection and its cell at one time.
template <class Number>
struct Inflow {
    Number pressure = 0.0;     ///< of the cell, of its gas where the well injects [bar]
    Number conductance = 0.0;  ///< mass per day and bar [kg/(day bar)]
    Number density = 0.0;      ///< of CO2 at the pressure of the cell [kg/m3]
};

/// With a density of CO2 nearby, or NaN.
template <class Number>
Inflow<Number> inflow_of(const Connection<Number>& at, bool is_injecting, double nearby) {
    if (!has_co2_density(value_of(at.pressure))) {
        return {at.pressure, no_value, no_value};
    }
    const Number density = co2_density_near(at.pressure, at.temperature, nearby);
    const Number mobility = at.curves.gas / co2_viscosity(density, at.temperature) +
                            at.curves.water / brine_viscosity(at.temperature, at.salinity);
    const Number above_brine = is_injecting ? at.capillary * at.curves.capillary : Number(0.0);
    return {at.pressure + above_brine, at.factor * mobility * density, density};
}

/// What fills a well, CO2 or brine.
template <class Number>
struct Filling {
    Number temperature = 0.0, salinity = 0.0;
    bool is_gas = false;
    double nearby = no_value;  ///< density of CO2 at about its pressure, from which the search begins [kg/m3]; or NaN
};

/// What the CO2 in a well, or its brine, adds to its pressure at the uppermost connection down to each of them [bar].
template <class Number>
std::vector<Number> heads_of(const CaseWell& well, const Number& bottom_hole, Filling<Number> filling) {
    std::vector<Number> heads(well.connections.size(), Number(0.0));
    for (std::size_t i = 1; i < heads.size(); ++i) {
        const Number above = bottom_hole + heads[i - 1];
        if (!has_co2_density(value_of(above))) {
            heads[i] = no_value;
            continue;
        }
        const double height = well.connections[i].depth - well.connections[i - 1].depth;
        const Number density = filling.is_gas ? co2_density_near(above, filling.temperature, filling.nearby)
                                              : brine_density(above, filling.temperature, filling.salinity);
        filling.nearby = filling.is_gas ? value_of(density) : filling.nearby;
        heads[i] = heads[i - 1] + density * gravity * height / pascals_per_bar;
    }
    return heads;
}

}  // namespace plumecast::well
