#pragma once

#include <cstddef>

#include "reservoir/physics/scalars/dual.hpp"
#include "reservoir/physics/upstream.hpp"

// What flows through faces, stated once for any scalar: `double` where values are needed, Dual where slopes are as
// well.
namespace plumecast::two_phase {

/// The number of the side that something comes from, the first where `direction` is at least 0.
template <typename Number>
[[gnu::always_inline]] constexpr Number of_side(double direction, const Number& from, const Number& to) {
    return chosen(direction >= 0.0, from, to);
}

/// A cell as the flow of CO2 through its faces needs it: mobilities [1/cP], density of CO2 and CO2 in brine [kg/m3].
template <typename Number>
struct FlowingCell {
    Number gas, brine, density, dissolved;
};

/// Cells side by side, as the flow through their faces needs them.
struct FlowingCells {
    const double *gas, *brine;                                ///< mobilities [1/cP]
    const double *gas_slope, *brine_slope, *capillary_slope;  ///< by the mass of CO2 [kg/m3 of pores]
    const double *density, *dissolved;                        ///< of CO2, of CO2 in brine [kg/m3]
    const double* mass_slope;                                 ///< of saturation by mass, 0 without gas

    /// From a cell on.
    FlowingCells from(std::size_t cell) const {
        return {gas + cell,     brine + cell,     gas_slope + cell, brine_slope + cell, capillary_slope + cell,
                density + cell, dissolved + cell, mass_slope + cell};
    }
};

/// What drives both phases through faces side by side, from the first cells to the second: their volume flow [m3/day],
/// the transmissibility [m3 cP/(day bar)] and the pressure that drives gas beyond brine [bar].
struct FaceDrives {
    const double *volume, *transmissibility, *drive;
};

/// A cell of a list with slopes by the masses of the cells on both sides of a face, of which it is on one.
[[gnu::always_inline]] inline FlowingCell<Dual<2>> flowing_cell(const FlowingCells& cells, std::size_t i,
                                                                std::size_t side) {
    FlowingCell<Dual<2>> cell{cells.gas[i], cells.brine[i], cells.density[i], cells.dissolved[i]};
    cell.gas.by[side] = cells.gas_slope[i];
    cell.brine.by[side] = cells.brine_slope[i];
    cell.dissolved.by[side] = cells.mass_slope[i] == 0.0 ? 1.0 : 0.0;
    return cell;
}

/// The pressure that drives gas beyond brine through a face [bar], likewise.
[[gnu::always_inline]] inline Dual<2> face_drive(const FlowingCells& from, const FlowingCells& to,
                                                 const FaceDrives& faces, std::size_t i) {
    return {faces.drive[i], {from.capillary_slope[i], -to.capillary_slope[i]}};
}

/// CO2 that crosses a face, the part of it that is dissolved [kg/day], and the volume of brine [m3/day].
template <typename Number>
struct Crossing {
    Number mass, dissolved, brine;
};

/// What crosses a face with a volume flow of both phases, each from the cell that it leaves: equations (6) and (8), by
/// gas and its density of the one cell, brine and what is dissolved in it of the other. With the share of gas upstream
/// of the flow instead, gas is taken below a plume that spreads under the top, leaves its residual saturation there and
/// dissolves; with brine of the cell that gas enters, capillarity drives gas too far ahead. `transmissibility` [m3
/// cP/(day bar)], `drive`: the pressure that drives gas beyond brine [bar].
template <typename Number, typename Volume>
[[gnu::always_inline]] constexpr Crossing<Number> crossing(const FlowingCell<Number>& from,
                                                           const FlowingCell<Number>& to, const Volume& volume,
                                                           const Volume& transmissibility, const Number& drive) {
    const PhaseDirections goes =
        phase_directions({value_of(from.gas), value_of(from.brine)}, {value_of(to.gas), value_of(to.brine)},
                         value_of(volume), value_of(transmissibility) * value_of(drive));
    const Number gas = of_side(goes.gas, from.gas, to.gas), brine = of_side(goes.brine, from.brine, to.brine);
    const Number sum = gas + brine;
    const bool is_mobile = sum > 0.0;
    const Number part = chosen(is_mobile, 1.0 / sum, Number(0.0));
    const Volume moved = chosen(is_mobile, volume, Volume(0.0));
    const Number gas_volume = gas * part * (moved + transmissibility * brine * drive);
    const Number brine_volume = moved - gas_volume,
                 in_brine = brine_volume * of_side(goes.brine, from.dissolved, to.dissolved);
    return {in_brine + gas_volume * of_side(goes.gas, from.density, to.density), in_brine, brine_volume};
}

/// A face as equation (12) needs it: mobilities of the phases that leave its cells [1/cP], densities of CO2 in both
/// [kg/m3], drops of brine at rest and of gas beyond that of brine [bar]; gas comes from the first cell where
/// `gas_drop` is at least 0.
template <typename Number>
struct PressedFace {
    Number gas, brine, density_from, density_to, transmissibility, standing, beyond;
    double gas_drop;
};

/// Flow of volume through a face: coefficients of the drop of build-up across it [m3/day/bar], and what flows without
/// one [m3/day], in the balances of the first and of the second cell and of both phases alike.
template <typename Number>
struct VolumeFlow {
    Number in_from, in_to, driven_from, driven_to, driven, factor;
};

/// Equation (12). Volumes of gas count at the density of the cell that a balance is of.
template <typename Number>
[[gnu::always_inline]] constexpr VolumeFlow<Number> volume_flow(const PressedFace<Number>& face) {
    const bool has_gas = face.gas > 0.0;
    const Number density = of_side(face.gas_drop, face.density_from, face.density_to);
    const Number there = chosen(has_gas, density / face.density_from, Number(1.0));
    const Number here = chosen(has_gas, density / face.density_to, Number(1.0));
    const Number gas = face.transmissibility * face.gas, brine = face.transmissibility * face.brine;
    const Number gas_driven = gas * (face.beyond + face.standing), brine_driven = brine * face.standing;
    return {face.transmissibility * (face.gas * there + face.brine),
            face.transmissibility * (face.gas * here + face.brine),
            gas_driven * there + brine_driven,
            gas_driven * here + brine_driven,
            gas_driven + brine_driven,
            face.transmissibility * (face.gas + face.brine)};
}

}  // namespace plumecast::two_phase
