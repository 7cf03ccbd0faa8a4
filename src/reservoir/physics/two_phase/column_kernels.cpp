// Compiled once per instruction set by CMake, which names the factory.
#include "reservoir/physics/two_phase/column_kernels.hpp"

#include "reservoir/physics/upstream.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double between(double value, double low, double high) {
    const double above = value < low ? low : value;
    return above > high ? high : above;
}

constexpr double of_side(double direction, double from, double to) { return direction >= 0.0 ? from : to; }

void flash(const FlashedCells& of_cells, std::size_t count) {
    const FlashedCells cells = of_cells;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double mass = cells.mass[i], limit = cells.limit[i];
        const bool has_gas = mass > limit;
        const double slope = has_gas ? 1.0 / (cells.density[i] - limit) : 0.0;
        cells.saturation[i] = has_gas ? between((mass - limit) * slope, 0.0, 1.0) : 0.0;
        cells.mass_slope[i] = slope;
        cells.dissolved[i] = has_gas ? limit : mass;
    }
}

void follow_curves(const CurveRows& of_rows, const CurvedCells& of_cells, std::size_t count) {
    const CurveRows rows = of_rows;
    const CurvedCells cells = of_cells;
    const int last = static_cast<int>(rows.steps) - 1;
    const auto steps = static_cast<double>(rows.steps);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double place = between(cells.saturation[i] * steps, 0.0, steps);
        const int inside = static_cast<int>(place);
        const int up_to_last = inside < last ? inside : last, below = up_to_last > 0 ? up_to_last : 0;
        const double part = place - static_cast<double>(below);
        const double low_gas = rows.gas[below], low_brine = rows.brine[below], low = rows.capillary[below];
        const double gas = rows.gas[below + 1] - low_gas, brine = rows.brine[below + 1] - low_brine;
        const double capillary = rows.capillary[below + 1] - low, slope = cells.mass_slope[i];
        const double fluidity = cells.gas_fluidity[i], factor = cells.capillary_factor[i];
        cells.gas[i] = (low_gas + part * gas) * fluidity;
        cells.brine[i] = (low_brine + part * brine) * cells.brine_fluidity;
        cells.capillary[i] = (low + part * capillary) * factor;
        cells.gas_slope[i] = gas * steps * fluidity * slope;
        cells.brine_slope[i] = brine * steps * cells.brine_fluidity * slope;
        cells.capillary_slope[i] = capillary * steps * factor * slope;
    }
}

// With the share of gas upstream of the flow instead, gas is taken below a plume that spreads under the top, leaves its
// residual saturation there and dissolves; with brine of the cell that gas enters, capillarity drives gas too far
// ahead.
void cross(const FlowingCells& first, const FlowingCells& second, const FaceDrives& through, const FaceFlows& crossing,
           std::size_t count) {
    const FlowingCells from = first, to = second;
    const FaceDrives faces = through;
    const FaceFlows flows = crossing;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double transmissibility = faces.transmissibility[i], driven = transmissibility * faces.drive[i];
        const auto goes =
            phase_directions({from.gas[i], from.brine[i]}, {to.gas[i], to.brine[i]}, faces.volume[i], driven);
        const double gas = of_side(goes.gas, from.gas[i], to.gas[i]);
        const double gas_slope = of_side(goes.gas, from.gas_slope[i], to.gas_slope[i]);
        const double density = of_side(goes.gas, from.density[i], to.density[i]);
        const double brine = of_side(goes.brine, from.brine[i], to.brine[i]);
        const double brine_slope = of_side(goes.brine, from.brine_slope[i], to.brine_slope[i]);
        const double dissolved = of_side(goes.brine, from.dissolved[i], to.dissolved[i]);
        const double mass_slope = of_side(goes.brine, from.mass_slope[i], to.mass_slope[i]);
        const double sum = gas + brine, part = sum > 0.0 ? 1.0 / sum : 0.0, share = gas * part;
        const double volume = sum > 0.0 ? faces.volume[i] : 0.0;
        const double whole = volume + transmissibility * brine * faces.drive[i], gas_volume = share * whole;
        const double brine_volume = volume - gas_volume, in_brine = brine_volume * dissolved;
        flows.mass[i] = in_brine + gas_volume * density;
        flows.dissolved[i] = in_brine;
        const double lighter = density - dissolved, by_drive = lighter * share * transmissibility * brine;
        const double by_gas = lighter * brine * part * part * whole * gas_slope;
        const double by_brine =
            lighter * share * (driven - part * whole) * brine_slope + brine_volume * (mass_slope == 0.0 ? 1.0 : 0.0);
        flows.by_from[i] =
            by_drive * from.capillary_slope[i] + of_side(goes.gas, by_gas, 0.0) + of_side(goes.brine, by_brine, 0.0);
        flows.by_to[i] =
            -by_drive * to.capillary_slope[i] + of_side(goes.gas, 0.0, by_gas) + of_side(goes.brine, 0.0, by_brine);
    }
}

void flow(const PressedCells& first, const PressedCells& second, const FaceDrops& through, const FaceTerms& of_faces,
          std::size_t count) {
    const PressedCells from = first, to = second;
    const FaceDrops faces = through;
    const FaceTerms terms = of_faces;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double standing = faces.standing[i], other = faces.gas_beyond_brine[i],
                     transmissibility = faces.transmissibility[i];
        const double brine_drop = from.buildup[i] - to.buildup[i] + standing, gas_drop = brine_drop + other;
        const double gas = of_side(gas_drop, from.gas[i], to.gas[i]);
        const double density = of_side(gas_drop, from.density[i], to.density[i]);
        const double brine = of_side(brine_drop, from.brine[i], to.brine[i]);
        // Volumes of gas count at the density of the cell that the equation is of.
        const double there = gas > 0.0 ? density / from.density[i] : 1.0;
        const double here = gas > 0.0 ? density / to.density[i] : 1.0;
        const double gas_driven = transmissibility * gas * (other + standing);
        const double brine_driven = transmissibility * brine * standing;
        terms.in_from[i] = transmissibility * (gas * there + brine);
        terms.in_to[i] = transmissibility * (gas * here + brine);
        terms.driven_from[i] = gas_driven * there + brine_driven;
        terms.driven_to[i] = gas_driven * here + brine_driven;
        terms.driven[i] = gas_driven + brine_driven;
        terms.factor[i] = transmissibility * (gas + brine);
    }
}

}  // namespace

const ColumnKernels& PLUMECAST_COLUMN_FACTORY() {
    static const ColumnKernels kernels{flash, follow_curves, cross, flow};
    return kernels;
}

}  // namespace plumecast::two_phase
