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

/// Volume of the free part of a mass [kg/m3 of pores], of which a part is dissolved, at a density [kg/m3], per pore
/// volume; more than 1 where gas has expanded beyond the pores.
template <typename Number>
[[gnu::always_inline]] constexpr Number free_volume(const Number& mass, const Number& dissolved,
                                                    const Number& density) {
    return std::max(Number(0.0), (mass - dissolved) / density);
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

/// Mass of brine without CO2 in a volume of brine with so much CO2 [kg/m3], at a build-up [bar], in equations (25) and
/// (26).
template <typename Number>
[[gnu::always_inline]] constexpr Number brine_content(const Number& density, const Number& compressibility,
                                                      const Number& dissolved_density, const Number& buildup,
                                                      const Number& dissolved) {
    return density * (1.0 + compressibility * buildup) * (1.0 - dissolved / dissolved_density);
}

/// By how much the volumes of gas and brine in a cell are larger than its pores, per pore volume, equation (26).
template <typename Number>
[[gnu::always_inline]] constexpr Number volume_beyond(const Number& gas, const Number& brine, const Number& buildup,
                                                      double rock_compressibility) {
    return gas + brine - 1.0 - rock_compressibility * buildup;
}

/// A cell as the storage terms of equation (11) need it: pores [m3] per day of the step, volumes of free gas and of
/// brine per pore volume at the build-up before the solution, and what of both is not to be made room for, the density
/// of gas and the slope of that, and the build-up.
template <typename Number>
struct StoringCell {
    Number volume, gas, brine, left_out, density, density_slope, buildup, brine_compressibility;
};

/// Coefficient of the build-up [m3/day/bar] and right side [m3/day].
template <typename Number>
struct Storage {
    Number diagonal, right;
};

/// Compression of rock, brine and gas, and the volume that both have beyond the pores.
template <typename Number>
[[gnu::always_inline]] constexpr Storage<Number> storage(const StoringCell<Number>& cell, double rock_compressibility) {
    const Number saturation = clipped_saturation(cell.gas);
    const Number compressibility = saturation * cell.density_slope / cell.density + rock_compressibility +
                                   (1.0 - saturation) * cell.brine_compressibility;
    const Number diagonal = cell.volume * compressibility;
    const Number beyond = volume_beyond(cell.gas, cell.brine, cell.buildup, rock_compressibility) - cell.left_out;
    return {diagonal, diagonal * cell.buildup + cell.volume * beyond};
}

}  // namespace plumecast::two_phase
