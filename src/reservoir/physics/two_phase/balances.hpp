#pragma once

#include <algorithm>

#include "reservoir/physics/two_phase/face_flows.hpp"

// What cells hold and which flow crosses their faces, stated once for any scalar, as in face_flows.hpp.
namespace plumecast::two_phase {

inline constexpr double gravity = 9.80665e-5;  ///< [bar m2 / kg]

/// Weights of brine and densities of CO2 [kg/m3] of a cell and of the one below.
template <typename Number>
struct Weights {
    Number brine, brine_below, co2, co2_below;

    /// Head of brine over CO2 between their centres [bar], by that of a density [bar m3/kg].
    Number buoyancy(double head) const { return (0.5 * (brine + brine_below) - 0.5 * (co2 + co2_below)) * head; }
    /// Head of the brine of the initial pressures over brine as it is.
    Number standing(const Number& initial_density, double head) const {
        return (initial_density - 0.5 * (brine + brine_below)) * head;
    }
};

/// Build-up in a row of the well over that at the depth where its pressure stands [bar], `over`: how much deeper [m].
template <typename Density, typename Depth>
auto well_head(const Density& density, const Density& initial_density, const Depth& over) {
    return (density - initial_density) * gravity * over;
}

/// Weight of brine [kg/m3] at a build-up [bar] with so much dissolved CO2 [kg/m3], equation (23).
template <typename Number>
[[gnu::always_inline]] constexpr Number brine_weight(const Number& density, const Number& compressibility,
                                                     const Number& dissolved_density, const Number& buildup,
                                                     const Number& dissolved) {
    return density * (1.0 + compressibility * buildup) + (1.0 - density / dissolved_density) * dissolved;
}

/// A saturation, clipped to 0 and 1.
template <typename Number>
[[gnu::always_inline]] constexpr Number clipped_saturation(const Number& saturation) {
    return saturation > 0.0 ? std::min(saturation, Number(1.0)) : Number(0.0);
}

/// Saturation of the free part of a mass [kg/m3 of pores], of which a part is dissolved, at a density [kg/m3].
template <typename Number>
[[gnu::always_inline]] constexpr Number free_saturation(const Number& mass, const Number& dissolved,
                                                        const Number& density) {
    return clipped_saturation<Number>((mass - dissolved) / density);
}

/// Saturation and dissolved CO2 [kg/m3 of brine] of a mass [kg/m3 of pores] at a density of CO2 and a limit of what
/// brine dissolves [kg/m3], equation (9).
template <typename Number>
struct Flash {
    constexpr Flash(const Number& mass, const Number& density, const Number& limit)
        : saturation(clipped_saturation<Number>((mass - limit) / (density - limit))),
          dissolved(mass > limit ? limit : mass) {}
    Number saturation, dissolved;
};

/// Volume lost as so much CO2 dissolved, per pore volume: the last part of equation (11).
template <typename Number>
[[gnu::always_inline]] constexpr Number lost_volume(const Number& dissolved, const Number& density,
                                                    const Number& dissolved_density) {
    return dissolved * (1.0 / density - 1.0 / dissolved_density);
}

/// Largest saturation that storage terms have.
inline constexpr double most_stored_gas = 0.99;

/// Volume that gas of a saturation has gained, per pore volume, over that which the transport before left and the
/// volumes lost in that step and in this one. Gas beyond the largest saturation fills the place of irreducible water
/// and has to leave.
template <typename Number>
[[gnu::always_inline]] constexpr Number gained_volume(const Number& gas, const Number& transport_saturation,
                                                      const Number& shrinkage, const Number& dissolution,
                                                      const Number& largest_saturation) {
    const Number excess = std::max(Number(0.0), transport_saturation - largest_saturation);
    return gas - transport_saturation - shrinkage - dissolution + excess;
}

/// A cell as the storage terms of equation (11) need it: pores [m3] per day of the step, saturation of gas and the
/// volume that it has gained, its density and the slope of that, build-ups before and in the transport before.
template <typename Number>
struct StoringCell {
    Number volume, gas, gained, density, density_slope, buildup, transport_buildup, brine_compressibility;
};

/// Coefficient of the build-up [m3/day/bar] and right side [m3/day].
template <typename Number>
struct Storage {
    Number diagonal, right;
};

/// Compression of rock, brine and gas, expansion of gas since the transport of the step before, and volumes lost.
template <typename Number>
[[gnu::always_inline]] constexpr Storage<Number> storage(const StoringCell<Number>& cell, double rock_compressibility) {
    const Number expanded = cell.volume * cell.gas * cell.density_slope / cell.density;
    const Number solid = cell.volume * (rock_compressibility + (1.0 - cell.gas) * cell.brine_compressibility);
    return {expanded + solid, expanded * cell.buildup + cell.volume * cell.gained + solid * cell.transport_buildup};
}

}  // namespace plumecast::two_phase
