#include <algorithm>
#include <cmath>

#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"
#include "reservoir/physics/upstream.hpp"

namespace plumecast::two_phase {

/// Properties of a cell that the flow across its faces depends on, with their slopes by the mass of the cell.
struct StepAdjoint::Cell {
    FilledSaturation flash;
    bool has_gas;
    double density, viscosity, dissolved;
    double gas, brine, capillary;  // mobilities, pressure
    double gas_slope, brine_slope, capillary_slope, dissolved_slope;
};

/// Cotangents of those properties, or slopes by them.
struct StepAdjoint::CellCotangents {
    double gas = 0.0, brine = 0.0, capillary = 0.0, density = 0.0, dissolved = 0.0;

    void add(double factor, const CellCotangents& more) {
        gas += factor * more.gas;
        brine += factor * more.brine;
        capillary += factor * more.capillary;
        density += factor * more.density;
        dissolved += factor * more.dissolved;
    }
    double by_mass(const Cell& of) const {
        return gas * of.gas_slope + brine * of.brine_slope + capillary * of.capillary_slope +
               dissolved * of.dissolved_slope;
    }
};

/// Slopes of a mass that crosses a face by all that it depends on.
struct StepAdjoint::Crossing {
    CellCotangents from, to;
    double volume = 0.0, transmissibility = 0.0, head = 0.0;
};

/// Slopes of the CO2 that crosses a face, and of its dissolved part.
struct StepAdjoint::FaceSlopes {
    Crossing mass, dissolved;
};

/// A column, its outer neighbour as it was when the column was solved, the slopes of what crosses its faces, and the
/// cotangents of that. What enters at the inner faces leaves the next column inside, whose outer faces hold its
/// cotangents.
struct StepAdjoint::Column {
    std::vector<Cell> cells, next;
    std::vector<FaceSlopes> outer, lower;
    std::vector<double> outer_mass, outer_dissolved, lower_mass, lower_dissolved;
    std::vector<double> above, centre, below, answer;  // transposed tridiagonal system
};

namespace {

FilledSaturation flashed(double mass, const Co2State& co2) {
    return {ExpandingGas::flashed, mass, co2.dissolved_limit, co2.density, co2.dissolved_limit};
}

}  // namespace

StepAdjoint::Cell StepAdjoint::cell_of(std::size_t cell, double mass, const Co2State& co2) const {
    const FilledSaturation flash = flashed(mass, co2);
    const bool has_gas = mass > co2.dissolved_limit;
    const SaturationCurves& curves = simulation_.curves();
    const FlowState flow = curves.has_hysteresis() ? curves.at(gas_of(cell, flash.value)) : curves.at(flash.value);
    const double by_gas = 1.0 / co2.viscosity, by_brine = 1.0 / fluids_.brine_viscosity;
    const double factor = reservoir_.capillary[cell];
    return {flash,
            has_gas,
            co2.density,
            co2.viscosity,
            has_gas ? co2.dissolved_limit : mass,
            flow.gas * by_gas,
            flow.brine * by_brine,
            flow.capillary * factor,
            flow.gas_slope * by_gas * flash.by_mass,
            flow.brine_slope * by_brine * flash.by_mass,
            flow.capillary_slope * factor * flash.by_mass,
            has_gas ? 0.0 : 1.0};
}

// Slopes of the flow of equation (8) in docs/physics.md, as Simulation::flow_outwards() and flow_upwards() have it:
// both phases from upstream of the volume flow, and the exchange of the phases, each from the side that it comes from.
StepAdjoint::FaceSlopes StepAdjoint::slopes_of(const Cell& from, const Cell& to, double transmissibility, double volume,
                                               double head) const {
    FaceSlopes slopes;
    const bool is_forward = volume >= 0.0;
    const Cell& up = is_forward ? from : to;
    const double mobility = up.gas + up.brine, share = up.gas / mobility, brine = up.brine / mobility;
    const auto add_both = [&](Crossing& of, double density, double dissolved) {
        CellCotangents& by = is_forward ? of.from : of.to;
        of.volume += share * density * up.density + brine * dissolved * up.dissolved;
        const double by_share = volume * (density * up.density - dissolved * up.dissolved);
        by.gas += by_share * brine / mobility;
        by.brine -= by_share * share / mobility;
        by.density += density * volume * share;
        by.dissolved += dissolved * volume * brine;
    };
    add_both(slopes.mass, 1.0, 1.0);
    add_both(slopes.dissolved, 0.0, 1.0);
    const double drive = head + from.capillary - to.capillary;
    const Cell& gas_from = drive >= 0.0 ? from : to;
    const Cell& brine_from = drive >= 0.0 ? to : from;
    if (gas_from.gas <= 0.0 || brine_from.brine <= 0.0) {
        return slopes;
    }
    const double part = 1.0 / (gas_from.gas + brine_from.brine);
    const double gas_part = gas_from.gas * part, brine_part = brine_from.brine * part;
    const double both = gas_from.gas * brine_part;
    const auto add_exchange = [&](Crossing& of, double density, double dissolved) {
        const double difference = density * gas_from.density - dissolved * brine_from.dissolved;
        const double exchanged = transmissibility * both * drive, by_both = transmissibility * drive * difference;
        const double by_drive = transmissibility * both * difference;
        CellCotangents& gas = drive >= 0.0 ? of.from : of.to;
        CellCotangents& water = drive >= 0.0 ? of.to : of.from;
        of.transmissibility += both * drive * difference;
        of.head += by_drive;
        of.from.capillary += by_drive;
        of.to.capillary -= by_drive;
        gas.gas += by_both * brine_part * brine_part;
        water.brine += by_both * gas_part * gas_part;
        gas.density += density * exchanged;
        water.dissolved -= dissolved * exchanged;
    };
    add_exchange(slopes.mass, 1.0, 1.0);
    add_exchange(slopes.dissolved, 0.0, 1.0);
    return slopes;
}

// Slopes of equations (10) and (28) in docs/physics.md, as ColumnKernels::cross has them.
StepAdjoint::FaceSlopes StepAdjoint::crossing_slopes_of(const Cell& from, const Cell& to, double transmissibility,
                                                        double volume, double drive) const {
    FaceSlopes slopes;
    const Upstream leaves = upstream({from.gas, from.brine}, {to.gas, to.brine}, volume, transmissibility * drive);
    const Cell& brine_cell = leaves.brine ? from : to;
    const Cell& gas_cell = leaves.gas ? from : to;
    const double brine = brine_cell.brine;
    if (!(gas_cell.gas + brine > 0.0)) {
        return slopes;
    }
    const double part = 1.0 / (gas_cell.gas + brine), share = gas_cell.gas * part;
    const double whole = volume + transmissibility * brine * drive, gas_volume = share * whole;
    const auto add = [&](Crossing& of, double density) {
        CellCotangents& by_gas = leaves.gas ? of.from : of.to;
        CellCotangents& by_brine = leaves.brine ? of.from : of.to;
        const double lighter = density * gas_cell.density - brine_cell.dissolved;
        const double by_drive = lighter * share * transmissibility * brine;
        of.volume += lighter * share + brine_cell.dissolved;
        of.transmissibility += lighter * share * brine * drive;
        of.head += by_drive;
        of.from.capillary += by_drive;
        of.to.capillary -= by_drive;
        by_gas.gas += lighter * brine * part * part * whole;
        by_brine.brine += lighter * share * (transmissibility * drive - part * whole);
        by_gas.density += density * gas_volume;
        by_brine.dissolved += volume - gas_volume;
    };
    add(slopes.mass, 1.0);
    add(slopes.dissolved, 0.0);
    return slopes;
}

void StepAdjoint::read_column(const TransportStage& stage, std::size_t column, Column& at) const {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    const bool has_next = column + 1 < reservoir_.columns;
    const Upwinding upwinding = simulation_.formulation().upwinding;
    at.cells.clear();
    at.next.clear();
    at.outer.clear();
    at.lower.clear();
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row, next = cell + rows;
        at.cells.push_back(cell_of(cell, stage.mass[cell], stage.co2[cell]));
        if (has_next) {
            at.next.push_back(cell_of(next, stage.guess[next], stage.co2[next]));
            const Cell &from = at.cells[row], &to = at.next[row];
            at.outer.push_back(upwinding == Upwinding::by_phase
                                   ? crossing_slopes_of(from, to, reservoir_.radial[cell], stage.outward[cell],
                                                        from.capillary - to.capillary)
                                   : slopes_of(from, to, reservoir_.radial[cell], stage.outward[cell], 0.0));
        }
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        const std::size_t cell = first + row;
        const double density = 0.5 * (at.cells[row].density + at.cells[row + 1].density);
        const double head = (mean_weight(cell) - density) * reservoir_.head[row];
        const Cell &from = at.cells[row + 1], &to = at.cells[row];
        const double drive = head + from.capillary - to.capillary, volume = stage.upward[cell];
        const bool is_opposed = (volume >= 0.0) != (drive >= 0.0);
        const bool is_by_phase =
            upwinding == Upwinding::by_phase || (upwinding == Upwinding::by_phase_where_opposed && is_opposed);
        at.lower.push_back(is_by_phase ? crossing_slopes_of(from, to, reservoir_.vertical[cell], volume, drive)
                                       : slopes_of(from, to, reservoir_.vertical[cell], volume, head));
    }
}

/// Adjoint of the saturation and the dissolved CO2 of each cell at the end, equation (9) in docs/physics.md, and of the
/// volume lost to dissolution in equation (11).
void StepAdjoint::dissolution_back(const StepStages& stages, const TransportStage& stage, State& cotangents) {
    std::ranges::fill(dissolved_in_, 0.0);
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        const Co2State& co2 = stage.co2[cell];
        Co2State& by_co2 = properties_.co2[cell];
        const double saturation = stage.saturation[cell], dissolved = stage.dissolved[cell];
        const double old = stages.before.dissolved[cell] * (1.0 - stages.before.saturation[cell]);
        const double lost = dissolved * (1.0 - saturation) - old - stage.dissolved_in[cell];
        const double cotangent = dissolution_[cell], whole = fluids_.dissolved_density;
        const double by_lost = cotangent * (1.0 / co2.density - 1.0 / whole);
        by_co2.density -= cotangent * lost / (co2.density * co2.density);
        by_.dissolved_density += cotangent * lost / (whole * whole);
        old_dissolved_[cell] -= by_lost;
        dissolved_in_[cell] = -by_lost;
        const double by_dissolved = cotangents.dissolved[cell] + by_lost * (1.0 - saturation);
        const double by_saturation = cotangents.saturation[cell] - by_lost * dissolved;
        const FilledSaturation flash = flashed(stage.mass[cell], co2);
        cotangents.mass[cell] += by_saturation * flash.by_mass;
        by_co2.density += by_saturation * flash.by_density;
        by_co2.dissolved_limit += by_saturation * flash.by_limit + limit_[cell];
        (stage.mass[cell] > co2.dissolved_limit ? by_co2.dissolved_limit : cotangents.mass[cell]) += by_dissolved;
    }
    std::ranges::fill(limit_, 0.0);
    std::ranges::fill(cotangents.saturation, 0.0);
    std::ranges::fill(cotangents.dissolved, 0.0);
}

void StepAdjoint::transport_back(const StepStages& stages, const TransportStage& stage, State& cotangents) {
    const std::size_t rows = reservoir_.rows;
    dissolution_back(stages, stage, cotangents);
    std::ranges::fill(outward_, 0.0);
    std::ranges::fill(upward_, 0.0);
    Column at;
    for (auto* part : {&at.outer_mass, &at.outer_dissolved, &at.lower_mass, &at.lower_dissolved, &at.above, &at.centre,
                       &at.below, &at.answer}) {
        part->assign(rows, 0.0);
    }
    // The cotangents of the masses become those before the transport, column by column from the outermost.
    for (std::size_t column = stage.columns; column-- > 0;) {
        read_column(stage, column, at);
        column_back(stages, stage, column, cotangents, at);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        (stage.is_limited ? injected_rate_ : by_.mass_rate) += at.outer_mass[row] * stage.inflow[row];
        cotangents.inflow[row] += at.outer_mass[row] * stage.injected_rate;
    }
}

/// Adjoint of the column's mass balance: solves the transposed tridiagonal system, equation (14) in docs/physics.md.
/// The solution `answer` is the cotangent of what the balances of the cells receive.
void StepAdjoint::solve_column(std::size_t first, const State& cotangents, double days, Column& at) const {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const Cell& centre = at.cells[row];
        double cotangent = cotangents.mass[cell];
        double outflow = 0.0, from_above = 0.0, to_below = 0.0;
        if (!at.outer.empty()) {
            outflow = at.outer[row].mass.from.by_mass(centre);
            cotangent +=
                at.outer_mass[row] * outflow + at.outer_dissolved[row] * at.outer[row].dissolved.from.by_mass(centre);
        }
        if (row > 0) {
            from_above = at.lower[row - 1].mass.from.by_mass(centre);
            cotangent += at.lower_dissolved[row - 1] * at.lower[row - 1].dissolved.from.by_mass(centre);
        }
        if (row + 1 < rows) {
            to_below = at.lower[row].mass.to.by_mass(centre);
            cotangent += at.lower_dissolved[row] * at.lower[row].dissolved.to.by_mass(centre);
        }
        at.above[row] = -from_above;
        at.below[row] = to_below;
        at.centre[row] = reservoir_.pore_volume[cell] / days + outflow + from_above - to_below;
        at.answer[row] = cotangent;
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
                              State& cotangents, Column& at) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    std::vector<double> entering(rows);  // cotangents of the dissolved CO2 that flows in
    for (std::size_t row = 0; row < rows; ++row) {
        const double volume = reservoir_.pore_volume[first + row], cotangent = dissolved_in_[first + row];
        entering[row] = cotangent * stages.days / volume;
        by_.pore_volume[first + row] -= cotangent * stage.dissolved_in[first + row] / volume;
        at.outer_dissolved[row] -= entering[row];
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        at.lower_dissolved[row] = entering[row] - entering[row + 1];
    }
    solve_column(first, cotangents, stages.days, at);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double y = at.answer[row];
        at.outer_mass[row] -= y;
        if (row + 1 < rows) {
            at.lower_mass[row] = y - at.answer[row + 1];
        }
        old_mass_[cell] += y * reservoir_.pore_volume[cell] / stages.days;
        by_.pore_volume[cell] -= y * (stage.mass[cell] - stages.before.mass[cell]) / stages.days;
        cotangents.mass[cell] = 0.0;
    }
    spread(first, cotangents, at);
    at.outer_mass = at.answer;
    at.outer_dissolved = entering;
}

/// From the cotangents of what crosses the faces to those of all that it depends on, but the masses of the column.
void StepAdjoint::spread(std::size_t first, State& cotangents, Column& at) {
    const std::size_t rows = reservoir_.rows;
    std::vector<CellCotangents> column(rows), next(rows);
    for (std::size_t row = 0; row < at.outer.size(); ++row) {
        const FaceSlopes& face = at.outer[row];
        const double mass = at.outer_mass[row], dissolved = at.outer_dissolved[row];
        column[row].add(mass, face.mass.from);
        column[row].add(dissolved, face.dissolved.from);
        next[row].add(mass, face.mass.to);
        next[row].add(dissolved, face.dissolved.to);
        outward_[first + row] += mass * face.mass.volume + dissolved * face.dissolved.volume;
        by_.radial[first + row] += mass * face.mass.transmissibility + dissolved * face.dissolved.transmissibility;
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        const FaceSlopes& face = at.lower[row];
        const double mass = at.lower_mass[row], dissolved = at.lower_dissolved[row];
        column[row + 1].add(mass, face.mass.from);
        column[row + 1].add(dissolved, face.dissolved.from);
        column[row].add(mass, face.mass.to);
        column[row].add(dissolved, face.dissolved.to);
        upward_[first + row] += mass * face.mass.volume + dissolved * face.dissolved.volume;
        by_.vertical[first + row] += mass * face.mass.transmissibility + dissolved * face.dissolved.transmissibility;
        const double by_head = (mass * face.mass.head + dissolved * face.dissolved.head) * reservoir_.head[row];
        add_weight(first + row, by_head);
        column[row].density -= 0.5 * by_head;
        column[row + 1].density -= 0.5 * by_head;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        cell_back(first + row, at.cells[row], column[row]);
        if (!at.next.empty()) {
            cotangents.mass[first + rows + row] += cell_back(first + rows + row, at.next[row], next[row]);
        }
    }
}

/// Adds the cotangents of fluids and constants of a cell; returns that of its mass.
double StepAdjoint::cell_back(std::size_t cell, const Cell& of, const CellCotangents& cotangents) {
    Co2State& co2 = properties_.co2[cell];
    const GasSaturation by_gas =
        add_mobility_cotangents(simulation_, cell, gas_of(cell, of.flash.value), of.viscosity,
                                {cotangents.gas, cotangents.brine, cotangents.capillary}, co2, by_);
    add_peak(cell, by_gas.peak);
    co2.density += cotangents.density + by_gas.now * of.flash.by_density;
    co2.dissolved_limit += by_gas.now * of.flash.by_limit + (of.has_gas ? cotangents.dissolved : 0.0);
    return cotangents.by_mass(of);
}

}  // namespace plumecast::two_phase
