#include <algorithm>
#include <utility>

#include "reservoir/physics/two_phase/adjoint/local_adjoint.hpp"
#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast::two_phase {

/// Faces of a column with the slopes of what crosses them by the masses on both sides, and the cotangents of that. What
/// enters at the inner faces leaves the next column inside, whose outer faces hold its cotangents.
struct StepAdjoint::Column {
    std::vector<Crossing<Dual<2>>> outer, lower;
    std::vector<double> outer_mass, outer_dissolved, lower_dissolved;
    std::vector<double> above, centre, below, answer;  // transposed tridiagonal system
};

namespace {

/// Of a cell with its mobilities and density at some values, and its dissolved CO2 at a state.
FlowingCells flowing_cells(const StepValues& at, const std::vector<double>& density, const State& state) {
    return {at.gas_mobility.data(),    at.brine_mobility.data(), at.gas_slope.data(),    at.brine_slope.data(),
            at.capillary_slope.data(), density.data(),           state.dissolved.data(), at.mass_slope.data()};
}

}  // namespace

StepAdjoint::Side StepAdjoint::from_side(const TransportStage& stage, const Face& face) const {
    return {face.from, stage.values, stage.after};
}

/// The next column is as it was before it was solved.
StepAdjoint::Side StepAdjoint::to_side(const TransportStage& stage, const Face& face) const {
    return face.kind == FaceKind::of_rings ? Side{face.to, stage.values_before, stage.before}
                                           : Side{face.to, stage.values, stage.after};
}

double StepAdjoint::drive_of(const TransportStage& stage, const Face& face) const {
    const StepValues& at = stage.values;
    const Weights<double> weights{at.weight[face.to], at.weight[face.from], at.density[face.to], at.density[face.from]};
    return weights.buoyancy(face.head) + at.capillary[face.from] - to_side(stage, face).at.capillary[face.to];
}

/// Slopes of what crosses a face by the masses of its cells.
Crossing<Dual<2>> StepAdjoint::slopes_by_mass(const TransportStage& stage, const Face& face) const {
    const auto cells = [&](const Side& side) {
        return flowing_cells(side.at, stage.values.density, side.state).from(side.cell);
    };
    const FlowingCells from = cells(from_side(stage, face)), to = cells(to_side(stage, face));
    const double drive = drive_of(stage, face), volume = face.volume(stage.values);
    const FaceDrives drives{&volume, &face.transmissibility, &drive};
    return crossing(simulation_.formulation().upwinding, face.kind, flowing_cell(from, 0, 0), flowing_cell(to, 0, 1),
                    volume, face.transmissibility, face_drive(from, to, drives, 0));
}

/// From the cotangents of what crosses a face to those of all that it depends on.
void StepAdjoint::crossing_back(const TransportStage& stage, const Face& face, double by_mass, double by_dissolved,
                                State& by_state) {
    const Side from = from_side(stage, face), to = to_side(stage, face);
    const double drive = drive_of(stage, face), volume = face.volume(stage.values);
    double by_drive = 0.0;
    // The phases that leave one cell each, which are all that counts where each comes from the cell that it leaves.
    const auto leaving_cells = [&](auto& on, const Side& gas, const Side& brine) {
        using Number = decltype(on(0.0, by_drive));
        return FlowingCell<Number>{on(gas.at.gas_mobility[gas.cell], by_values_.gas_mobility[gas.cell]),
                                   on(brine.at.brine_mobility[brine.cell], by_values_.brine_mobility[brine.cell]),
                                   on(stage.values.density[gas.cell], by_values_.density[gas.cell]),
                                   on(brine.state.dissolved[brine.cell], by_state.dissolved[brine.cell])};
    };
    const auto add = [&](const auto& on, const auto& flow) {
        on.add(by_mass * flow.mass + by_dissolved * flow.dissolved);
    };
    if (is_by_phase(simulation_.formulation().upwinding, face.kind, volume, drive)) {
        const PhaseDirections goes = phase_directions(
            {from.at.gas_mobility[from.cell], from.at.brine_mobility[from.cell]},
            {to.at.gas_mobility[to.cell], to.at.brine_mobility[to.cell]}, volume, face.transmissibility * drive);
        LocalAdjoint<7> on;
        const auto cell = leaving_cells(on, goes.gas >= 0.0 ? from : to, goes.brine >= 0.0 ? from : to);
        add(on, crossing_by_phase(cell, on(volume, face.by_volume), on(face.transmissibility, face.by_transmissibility),
                                  on(drive, by_drive)));
    } else {
        LocalAdjoint<11> on;
        const auto first = leaving_cells(on, from, from), second = leaving_cells(on, to, to);
        auto flow = advected(first, second, on(volume, face.by_volume));
        flow += exchanged(first, second, on(face.transmissibility, face.by_transmissibility), on(drive, by_drive));
        add(on, flow);
    }
    drops_back(face, 0.0, by_drive);
}

/// Adjoint of the properties of a cell at the mass of a state.
void StepAdjoint::cell_back(const TransportStage& stage, std::size_t cell, const State& at, State& by_state) {
    const double by_saturation = mobilities_back(cell, at.saturation[cell], stage.values.viscosity[cell], by_state);
    LocalAdjoint<3> on;
    const Flash<Dual<3>> flash(on(at.mass[cell], by_state.mass[cell]),
                               on(stage.values.density[cell], by_values_.density[cell]),
                               on(stage.values.limit[cell], by_values_.limit[cell]));
    on.add(by_saturation * flash.saturation + std::exchange(by_state.dissolved[cell], 0.0) * flash.dissolved);
}

/// Adjoint of the saturation and the dissolved CO2 of each cell at the end, and of the volume lost to dissolution.
void StepAdjoint::dissolution_back(const StepStages& stages, const TransportStage& stage, State& by_state) {
    std::ranges::fill(by_values_.dissolved_in, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        by_values_.limit[cell] += std::exchange(by_values_.moved_limit[cell], 0.0);
        LocalAdjoint<6> on;
        const auto of = [&](auto part) { return on((stage.values.*part)[cell], (by_values_.*part)[cell]); };
        const auto density = of(&StepValues::density);
        const Flash<Dual<6>> flash(on(stage.after.mass[cell], by_state.mass[cell]), density, of(&StepValues::limit));
        const auto more =
            flash.dissolved * (1.0 - flash.saturation) - of(&StepValues::old_dissolved) - of(&StepValues::dissolved_in);
        const auto lost = lost_volume(more, density, on(fluids_.dissolved_density, by_.dissolved_density));
        on.add(by_state.saturation[cell] * flash.saturation + by_state.dissolved[cell] * flash.dissolved +
               by_values_.dissolution[cell] * lost);
    }
    std::ranges::fill(by_state.saturation, 0.0);
    std::ranges::fill(by_state.dissolved, 0.0);
}

void StepAdjoint::transport_back(const StepStages& stages, const TransportStage& stage, State& by_state) {
    const std::size_t rows = reservoir_.rows;
    dissolution_back(stages, stage, by_state);
    Column at;
    for (auto* part :
         {&at.outer_mass, &at.outer_dissolved, &at.lower_dissolved, &at.above, &at.centre, &at.below, &at.answer}) {
        part->assign(rows, 0.0);
    }
    // The cotangents of the masses become those before the transport, column by column from the outermost.
    for (std::size_t column = stage.columns; column-- > 0;) {
        column_back(stages, stage, column, by_state, at);
    }
    double& by_rate = stage.after.is_limited ? by_values_.injected_rate : by_.mass_rate;
    for (std::size_t row = 0; row < rows; ++row) {
        by_rate += at.outer_mass[row] * stage.after.inflow[row];
        by_state.inflow[row] += at.outer_mass[row] * stage.values.injected_rate;
    }
}

/// Adjoint of the column's mass balance: solves the transposed tridiagonal system, equation (14) in docs/physics.md.
/// The solution `answer` is the cotangent of what the balances of the cells receive.
void StepAdjoint::solve_column(std::size_t first, const State& by_state, double days, Column& at) const {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const Crossing<Dual<2>> outer = at.outer.empty() ? Crossing<Dual<2>>{} : at.outer[row];
        const Crossing<Dual<2>> above = row > 0 ? at.lower[row - 1] : Crossing<Dual<2>>{};
        const Crossing<Dual<2>> below = row + 1 < rows ? at.lower[row] : Crossing<Dual<2>>{};
        at.above[row] = -above.mass.by[0];
        at.below[row] = below.mass.by[1];
        at.centre[row] = reservoir_.pore_volume[cell] / days + outer.mass.by[0] + above.mass.by[0] - below.mass.by[1];
        at.answer[row] = by_state.mass[cell] + at.outer_mass[row] * outer.mass.by[0] +
                         at.outer_dissolved[row] * outer.dissolved.by[0];
        at.answer[row] += row > 0 ? at.lower_dissolved[row - 1] * above.dissolved.by[0] : 0.0;
        at.answer[row] += at.lower_dissolved[row] * below.dissolved.by[1];
    }
    for (std::size_t row = 1; row < rows; ++row) {
        const double factor = at.above[row] / at.centre[row - 1];
        at.centre[row] -= factor * at.below[row - 1];
        at.answer[row] -= factor * at.answer[row - 1];
    }
    for (std::size_t row = rows; row-- > 0;) {
        const double next = row + 1 < rows ? at.below[row] * at.answer[row + 1] : 0.0;
        at.answer[row] = (at.answer[row] - next) / at.centre[row];
    }
}

// Balances V / days (m - m_old) - in + out + up - up_below = 0: with the solution y of solve_column(), all that they
// depend on has the cotangent -y times their slope by it.
void StepAdjoint::column_back(const StepStages& stages, const TransportStage& stage, std::size_t column,
                              State& by_state, Column& at) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    at.outer.clear();
    at.lower.clear();
    std::vector<double> entering(rows);  // cotangents of the dissolved CO2 that flows in
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double volume = reservoir_.pore_volume[cell], by_dissolved_in = by_values_.dissolved_in[cell];
        entering[row] = by_dissolved_in * stages.days / volume;
        by_.pore_volume[cell] -= by_dissolved_in * stage.values.dissolved_in[cell] / volume;
        at.outer_dissolved[row] -= entering[row];
        at.lower_dissolved[row] = entering[row];
        if (row > 0) {
            at.lower_dissolved[row - 1] -= entering[row];
            at.lower.push_back(slopes_by_mass(stage, lower_face(cell - 1)));
        }
        if (has_outer(cell)) {
            at.outer.push_back(slopes_by_mass(stage, outer_face(cell)));
        }
    }
    at.lower_dissolved.back() = 0.0;
    solve_column(first, by_state, stages.days, at);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double y = at.answer[row], volume = reservoir_.pore_volume[cell] / stages.days;
        by_values_.old_mass[cell] += y * volume;
        by_.pore_volume[cell] -= y * (stage.after.mass[cell] - stages.before.mass[cell]) / stages.days;
        if (has_outer(cell)) {
            crossing_back(stage, outer_face(cell), at.outer_mass[row] - y, at.outer_dissolved[row], by_state);
            cell_back(stage, cell + rows, stage.before, by_state);
        }
        if (has_lower(cell)) {
            crossing_back(stage, lower_face(cell), y - at.answer[row + 1], at.lower_dissolved[row], by_state);
        }
    }
    for (std::size_t cell = first; cell < first + rows; ++cell) {
        cell_back(stage, cell, stage.after, by_state);
        by_state.mass[cell] = 0.0;
    }
    at.outer_mass = at.answer;
    at.outer_dissolved = entering;
}

}  // namespace plumecast::two_phase
