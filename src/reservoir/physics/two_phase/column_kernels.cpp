// Compiled once per instruction set by CMake, which names the factory.
#include "reservoir/physics/two_phase/column_kernels.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double clamped(double value, double low, double high) {
    const double above = value < low ? low : value;
    return above > high ? high : above;
}

void flash(const FlashedCells& of_cells, std::size_t count) {
    const FlashedCells cells = of_cells;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double mass = cells.mass[i], limit = cells.limit[i];
        const bool has_gas = mass > limit;
        const double slope = has_gas ? 1.0 / (cells.density[i] - limit) : 0.0;
        cells.saturation[i] = has_gas ? clamped((mass - limit) * slope, 0.0, 1.0) : 0.0;
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
        const double place = clamped(cells.saturation[i] * steps, 0.0, steps);
        const int inside = static_cast<int>(place);
        const int up_to_last = inside < last ? inside : last, below = up_to_last > 0 ? up_to_last : 0;
        const double part = place - static_cast<double>(below);
        const double low_gas = rows.gas[below], low_brine = rows.brine[below], low = rows.capillary[below];
        const double gas = rows.gas[below + 1] - low_gas, brine = rows.brine[below + 1] - low_brine;
        const double capillary = rows.capillary[below + 1] - low, slope = cells.mass_slope[i];
        const double fluidity = cells.gas_fluidity[i], brine_fluidity = cells.brine_fluidity[i];
        const double factor = cells.capillary_factor[i];
        cells.gas[i] = (low_gas + part * gas) * fluidity;
        cells.brine[i] = (low_brine + part * brine) * brine_fluidity;
        cells.capillary[i] = (low + part * capillary) * factor;
        cells.gas_slope[i] = gas * steps * fluidity * slope;
        cells.brine_slope[i] = brine * steps * brine_fluidity * slope;
        cells.capillary_slope[i] = capillary * steps * factor * slope;
    }
}

// Bodies of loops over faces are functions of their own, whose structs GCC then takes apart into vectors.

[[gnu::always_inline]] inline void cross_face(const FlowingCells& from, const FlowingCells& to, const FaceDrives& faces,
                                              const FaceFlows& flows, std::size_t i) {
    const Crossing<Dual<2>> flow = crossing(flowing_cell(from, i, 0), flowing_cell(to, i, 1), faces.volume[i],
                                            faces.transmissibility[i], face_drive(from, to, faces, i));
    flows.mass[i] = flow.mass.value;
    flows.dissolved[i] = flow.dissolved.value;
    flows.brine[i] = flow.brine.value;
    flows.by_from[i] = flow.mass.by[0];
    flows.by_to[i] = flow.mass.by[1];
}

void cross(const FlowingCells& first, const FlowingCells& second, const FaceDrives& through, const FaceFlows& crossing,
           std::size_t count) {
    const FlowingCells from = first, to = second;
    const FaceDrives faces = through;
    const FaceFlows flows = crossing;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        cross_face(from, to, faces, flows, i);
    }
}

[[gnu::always_inline]] inline void flow_through_face(const PressedCells& from, const PressedCells& to,
                                                     const FaceDrops& faces, const FaceTerms& terms, std::size_t i) {
    const double standing = faces.standing[i], beyond = faces.gas_beyond_brine[i];
    const double brine_drop = from.buildup[i] - to.buildup[i] + standing, gas_drop = brine_drop + beyond;
    const VolumeFlow<double> flow =
        volume_flow<double>({of_side(gas_drop, from.gas[i], to.gas[i]), of_side(brine_drop, from.brine[i], to.brine[i]),
                             from.density[i], to.density[i], faces.transmissibility[i], standing, beyond, gas_drop});
    terms.in_from[i] = flow.in_from;
    terms.in_to[i] = flow.in_to;
    terms.driven_from[i] = flow.driven_from;
    terms.driven_to[i] = flow.driven_to;
    terms.driven[i] = flow.driven;
    terms.factor[i] = flow.factor;
}

void flow(const PressedCells& first, const PressedCells& second, const FaceDrops& through, const FaceTerms& of_faces,
          std::size_t count) {
    const PressedCells from = first, to = second;
    const FaceDrops faces = through;
    const FaceTerms terms = of_faces;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        flow_through_face(from, to, faces, terms, i);
    }
}

}  // namespace

const ColumnKernels& PLUMECAST_COLUMN_FACTORY() {
    static const ColumnKernels kernels{flash, follow_curves, cross, flow};
    return kernels;
}

}  // namespace plumecast::two_phase
