#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/face_flows.hpp"

namespace plumecast::two_phase {

/// CO2 that crosses faces side by side, the part of it that is dissolved [kg/day], the volume of brine [m3/day], and
/// the slopes of the first by the masses of the cells on either side.
struct FaceFlows {
    double *mass, *dissolved, *brine, *by_from, *by_to;
};

/// Cells side by side whose CO2 is shared between gas and brine, equation (9) in docs/physics.md.
struct FlashedCells {
    const double *mass, *density, *limit;         ///< of CO2 per volume of pores, of gas, of brine [kg/m3]
    double *saturation, *mass_slope, *dissolved;  ///< slope of saturation by mass, 0 without gas
};

/// Saturation functions over even steps of saturation from 0 to 1: relative permeabilities, capillary pressure [bar].
struct CurveRows {
    const double *gas, *brine, *capillary;
    std::size_t steps;
};

/// Cells side by side, what the fluids and the rock make of relative permeabilities and capillary pressure there, and
/// the mobilities and pressures that come of it, with their slopes by mass.
struct CurvedCells {
    const double *saturation, *mass_slope;
    const double *gas_fluidity, *brine_fluidity, *capillary_factor;  ///< 1 / viscosity [1/cP]
    double *gas, *brine, *capillary, *gas_slope, *brine_slope, *capillary_slope;
};

/// Cells side by side, as equation (12) in docs/physics.md needs them.
struct PressedCells {
    const double *buildup, *gas, *brine, *density;  ///< [bar], mobilities [1/cP], of CO2 [kg/m3]

    /// From a cell on.
    PressedCells from(std::size_t cell) const { return {buildup + cell, gas + cell, brine + cell, density + cell}; }
};

/// Faces side by side: transmissibility [m3 cP/(day bar)], and drops from the first cells to the second of brine at
/// rest and of gas beyond that of brine [bar].
struct FaceDrops {
    const double *transmissibility, *standing, *gas_beyond_brine;
};

/// Flow of volume through faces side by side: coefficients of the drop of build-up across them, and what flows without
/// one.
struct FaceTerms {
    double *in_from, *in_to;  ///< coefficients in the balances of the first and of the second cells [m3/day/bar]
    double *driven_from, *driven_to;  ///< flow without a drop in these balances [m3/day]
    double* driven;                   ///< flow of both phases without a drop [m3/day]
    double* factor;                   ///< coefficient of the flow of both phases [m3/day/bar]
};

/// Loops over cells side by side, compiled once per instruction set. Nothing is contracted, so that all of them give
/// the same bits.
struct ColumnKernels {
    void (*flash)(const FlashedCells& cells, std::size_t count);
    void (*follow_curves)(const CurveRows& rows, const CurvedCells& cells, std::size_t count);
    /// Equations (6) and (8) in docs/physics.md.
    void (*cross)(const FlowingCells& from, const FlowingCells& to, const FaceDrives& faces, const FaceFlows& flows,
                  std::size_t count);
    /// Equation (12) in docs/physics.md.
    void (*flow)(const PressedCells& from, const PressedCells& to, const FaceDrops& faces, const FaceTerms& terms,
                 std::size_t count);
};

/// Of every instruction set that runs here, the widest last.
std::vector<ColumnKernels> runnable_column_kernels();

/// Of the widest instruction set that runs here.
const ColumnKernels& column_kernels();

}  // namespace plumecast::two_phase
