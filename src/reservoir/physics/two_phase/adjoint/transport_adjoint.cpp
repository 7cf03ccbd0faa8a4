#include <algorithm>
#include <utility>

#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast::two_phase {

/// The next column is as it was before it was solved.
StepAdjoint::Side StepAdjoint::to_side(const TransportStage& stage, const Face& face) const {
    return face.kind == FaceKind::of_rings ? Side{face.to, stage.values_before, stage.before}
                                           : Side{face.to, stage.values, stage.after};
}

/// Slopes of what crosses a face by the masses of its cells.
Crossing<Dual<2>> StepAdjoint::slopes_by_mass(const TransportStage& stage, const Face& face) {
    const auto cells = [&](const Side& side) {
        const StepValues& at = side.at;
        return FlowingCells{at.gas_mobility.data(),      at.brine_mobility.data(),  at.gas_slope.data(),
                            at.brine_slope.data(),       at.capillary_slope.data(), stage.values.density.data(),
                            side.state.dissolved.data(), at.mass_slope.data()}
            .from(side.cell);
    };
    const FlowingCells from = cells(from_side(stage, face)), to = cells(to_side(stage, face));
    const double driving = drive<double>(stage.values, to_side(stage, face).at, face),
                 flow = volume(stage.values, face).value, factor = transmissibility(face).value;
    return crossing(flowing_cell(from, 0, 0), flowing_cell(to, 0, 1), flow, factor,
                    face_drive(from, to, {&flow, &factor, &driving}, 0));
}

/// Adjoint of what crosses a face, equations (6) and (8).
void StepAdjoint::crossing_back(const TransportStage& stage, const Face& face, const Crossing<double>& by) {
    const auto cell = [&](const Side& side) {
        return FlowingCell<Taped>{
            of(side.at, &StepValues::gas_mobility, side.cell), of(side.at, &StepValues::brine_mobility, side.cell),
            of(stage.values, &StepValues::density, side.cell), of(side.state, &State::dissolved, side.cell)};
    };
    const Side to = to_side(stage, face);
    const auto flow = crossing(cell(from_side(stage, face)), cell(to), volume(stage.values, face),
                               transmissibility(face), drive<Taped>(stage.values, to.at, face));
    flow.mass.pull(by.mass);
    flow.dissolved.pull(by.dissolved);
    flow.brine.pull(std::exchange(*brine_flow(stage.values, face).by, 0.0));
    tape_.back_if_many();
}

/// Adjoint of the properties of a cell at the mass of a state, equation (9).
void StepAdjoint::cell_back(const TransportStage& stage, const State& at, std::size_t cell) {
    const Taped limit = of(stage.values, &StepValues::limit, cell);
    const Flash<Taped> flash(of(at, &State::mass, cell), of(stage.values, &StepValues::density, cell), limit);
    mobilities_back(at, cell, flash.saturation, of(stage.values, &StepValues::viscosity, cell));
    flash.dissolved.pull(std::exchange(by_state_.dissolved[cell], 0.0));
    tape_.back_if_many();
}

/// Adjoint of the saturation and the dissolved CO2 of each cell at the end, and of the volume lost to dissolution.
void StepAdjoint::dissolution_back(const StepStages& stages, const TransportStage& stage) {
    const StepValues& at = stage.values;
    std::ranges::fill(by_values_.dissolved_in, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        const Taped density = of(at, &StepValues::density, cell);
        const Flash<Taped> flash(of(stage.after, &State::mass, cell), density, of(at, &StepValues::limit, cell));
        const Taped more = flash.dissolved * (1.0 - flash.saturation) - of(at, &StepValues::old_dissolved, cell) -
                           of(at, &StepValues::dissolved_in, cell);
        const Taped lost = lost_volume(more, density, dissolved_density(cell));
        flash.saturation.pull(by_state_.saturation[cell]);
        flash.dissolved.pull(by_state_.dissolved[cell]);
        lost.pull(by_values_.dissolution[cell]);
        tape_.back_if_many();
    }
    tape_.back();
    std::ranges::fill(by_state_.saturation, 0.0);
    std::ranges::fill(by_state_.dissolved, 0.0);
}

/// The cotangents of the masses become those before the transport, column by column from the outermost.
void StepAdjoint::transport_back(const StepStages& stages, const TransportStage& stage) {
    dissolution_back(stages, stage);
    std::vector<Crossing<double>> by_entering(reservoir_.rows);
    for (std::size_t column = stage.columns; column-- > 0;) {
        column_back(stages, stage, column, by_entering);
    }
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const Taped rate = tape_(stage.values.injected_rate, by_values_.injected_rate);
        (rate * of(stage.after, &State::inflow, row)).pull(by_entering[row].mass);
    }
    tape_.back();
}

/// Adjoint of the column's mass balance: solves the transposed tridiagonal system, equation (14) in docs/physics.md.
/// The solution is the cotangent of what the balances of the cells receive.
std::vector<double> StepAdjoint::solve_column(const StepStages& stages, const TransportStage& stage, std::size_t column,
                                              const std::vector<Crossing<double>>& by_outer,
                                              const std::vector<Crossing<double>>& by_lower) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    std::vector<double> y(rows), above(rows), centre(rows), below(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        y[row] = by_state_.mass[first + row];
        centre[row] = reservoir_.pore_volume[first + row] / stages.days;
    }
    visit_faces(column, [&](const Face& face) {
        const auto [mass, dissolved, brine] = slopes_by_mass(stage, face);
        const std::size_t row = face.cell - first, from = face.from - first;
        const double by_brine = *brine_flow(stage.values, face).by;
        centre[from] += mass.by[0];
        if (face.kind == FaceKind::of_rings) {
            y[row] +=
                by_outer[row].mass * mass.by[0] + by_outer[row].dissolved * dissolved.by[0] + by_brine * brine.by[0];
        } else {
            centre[row] -= mass.by[1];
            above[from] = -mass.by[0];
            below[row] = mass.by[1];
            y[from] += by_lower[row].dissolved * dissolved.by[0] + by_brine * brine.by[0];
            y[row] += by_lower[row].dissolved * dissolved.by[1] + by_brine * brine.by[1];
        }
    });
    for (std::size_t row = 1; row < rows; ++row) {
        const double factor = above[row] / centre[row - 1];
        centre[row] -= factor * below[row - 1];
        y[row] -= factor * y[row - 1];
    }
    for (std::size_t row = rows; row-- > 0;) {
        y[row] = (y[row] - (row + 1 < rows ? below[row] * y[row + 1] : 0.0)) / centre[row];
    }
    return y;
}

/// Adjoint of the balances V / days (m_old - m) + in - out + below - above = 0 of a column, and of the dissolved part
/// of what comes in. `by_outer`: cotangents of what crosses the outer faces; on return the inner ones.
void StepAdjoint::column_back(const StepStages& stages, const TransportStage& stage, std::size_t column,
                              std::vector<Crossing<double>>& by_outer) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    std::vector<Crossing<double>> by_inner(rows), by_lower(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double volume = reservoir_.pore_volume[cell], by_dissolved_in = by_values_.dissolved_in[cell];
        const double by_dissolved = by_dissolved_in * stages.days / volume;
        by_.pore_volume[cell] -= by_dissolved_in * stage.values.dissolved_in[cell] / volume;
        by_inner[row].dissolved = by_dissolved;
        by_outer[row].dissolved -= by_dissolved;
        by_lower[row].dissolved += by_dissolved;
        if (row > 0) {
            by_lower[row - 1].dissolved -= by_dissolved;
        }
    }
    const std::vector<double> y = solve_column(stages, stage, column, by_outer, by_lower);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const Taped gone = of(stage.values, &StepValues::old_mass, cell) - stage.after.mass[cell];
        (tape_(reservoir_.pore_volume[cell], by_.pore_volume[cell]) / stages.days * gone).pull(y[row]);
        by_inner[row].mass = y[row];
        by_outer[row].mass -= y[row];
        by_lower[row].mass = y[row] - (row + 1 < rows ? y[row + 1] : 0.0);
    }
    tape_.back();
    visit_faces(column, [&](const Face& face) {
        crossing_back(stage, face, (face.kind == FaceKind::of_rings ? by_outer : by_lower)[face.cell - first]);
    });
    tape_.back();
    for (std::size_t cell = first; cell < first + rows; ++cell) {
        if (column + 1 < reservoir_.columns) {
            cell_back(stage, stage.before, cell + rows);
        }
        cell_back(stage, stage.after, cell);
    }
    tape_.back();
    std::fill_n(by_state_.mass.begin() + static_cast<std::ptrdiff_t>(first), rows, 0.0);
    by_outer = by_inner;
}

}  // namespace plumecast::two_phase
