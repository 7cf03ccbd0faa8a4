#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

#include <algorithm>
#include <utility>

namespace plumecast::two_phase {

StepAdjoint::StepAdjoint(const Simulation& simulation, TableSlopes slopes)
    : simulation_(simulation),
      reservoir_(simulation.reservoir()),
      fluids_(simulation.fluids()),
      slopes_(slopes),
      by_(simulation),
      by_values_(reservoir_.cells()),
      by_start_(reservoir_.cells()),
      tape_(64 * (reservoir_.rows + 8)) {
    for (auto* part :
         {&by_state_.buildup, &by_state_.mass, &by_state_.saturation, &by_state_.brine, &by_state_.dissolved}) {
        part->resize(reservoir_.cells());
    }
    by_state_.peak.resize(simulation.state().peak.size());
    by_state_.inflow.resize(reservoir_.rows);
}

/// Fluids of a cell at a build-up.
Co2Properties<Taped> StepAdjoint::fluids_at(std::size_t cell, const Taped& buildup) {
    const std::size_t row = cell % reservoir_.rows, table = fluids_.table_of(cell);
    const Taped pressure = tape_(reservoir_.initial_pressure[row], by_.initial_pressure[row]) + buildup;
    auto co2 = FluidTable::at(pressure, [&](std::size_t below, double FluidTable::Row::*part) {
        return tape_(fluids_[cell].rows()[below].*part, by_.fluids[table].rows[below].*part);
    });
    if (slopes_ == TableSlopes::smooth) {
        const auto there = FluidTable::place(pressure);
        co2.density_slope +=
            fluids_[cell].density_curvature(there.below) * FluidTable::pressure_step * (there.part - there.part.value);
    }
    return co2;
}

/// Relative permeability of gas: of drainage, or on a scanning curve, equation (19).
Taped StepAdjoint::gas_permeability(const Taped& now, const Taped& peak) {
    const SaturationCurves& curves = simulation_.curves();
    const auto drained = [&](const Taped& saturation) {
        return SaturationCurves::place(saturation).interpolated([&](std::size_t row) {
            return tape_(curves.rows()[row].gas, by_.curves[row].gas);
        });
    };
    if (!curves.has_hysteresis() || !curves.is_scanning({now.value, peak.value})) {
        return drained(now);
    }
    const Taped trapped = curves.land().trapped(peak, tape_(curves.land().constant(), by_.land));
    const Taped along = scanning_place(now, peak, trapped);
    if (!(along > 0.0)) {
        return {};
    }
    return drained(peak) * SaturationCurves::place(along).interpolated(
                               [&](std::size_t row) { return tape_(curves.shape()[row], by_.shape[row]); });
}

/// Pulls what has a cotangent, which is 0 afterwards; nothing else is computed.
template <typename Result>
void StepAdjoint::pull(double& by, const Result& result) {
    if (const double cotangent = std::exchange(by, 0.0); cotangent != 0.0) {
        result().pull(cotangent);
    }
}

/// Adjoint of the mobilities and the capillary pressure of a cell.
void StepAdjoint::mobilities_back(const State& at, std::size_t cell, const Taped& saturation, const Taped& viscosity) {
    const auto place = SaturationCurves::place(saturation);
    const auto function = [&](double SaturationCurves::Row::*part) {
        return place.interpolated(
            [&](std::size_t row) { return tape_(simulation_.curves().rows()[row].*part, by_.curves[row].*part); });
    };
    pull(by_values_.gas_mobility[cell], [&] {
        return gas_permeability(saturation, at.peak.empty() ? Taped() : of(at, &State::peak, cell)) / viscosity;
    });
    pull(by_values_.brine_mobility[cell], [&] {
        return function(&SaturationCurves::Row::brine) /
               brine(cell, &FluidTable::brine_viscosity, &FluidCotangents::brine_viscosity);
    });
    pull(by_values_.capillary[cell], [&] {
        return function(&SaturationCurves::Row::capillary) * tape_(reservoir_.capillary[cell], by_.capillary[cell]);
    });
}

/// Adjoint of the fluids at the build-up before a solution, and of mobilities and capillary pressure at its saturation.
void StepAdjoint::properties_back(const PressureStage& stage) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        // The slope of equation (9) by which no gas becomes some is 0.
        const bool has_gas = stage.state.saturation[cell] > 0.0;
        const Taped saturation = has_gas ? of(stage.state, &State::saturation, cell) : Taped();
        mobilities_back(stage.state, cell, saturation, of(stage.values, &StepValues::viscosity, cell));
        tape_.back_if_many();
    }
    tape_.back();
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (by_values_.density[cell] == 0.0 && by_values_.density_slope[cell] == 0.0 &&
            by_values_.viscosity[cell] == 0.0 && by_values_.limit[cell] == 0.0) {
            continue;  // no gas there
        }
        const auto co2 = fluids_at(cell, tape_(stage.buildup[cell], by_state_.buildup[cell]));
        co2.density.pull(std::exchange(by_values_.density[cell], 0.0));
        co2.density_slope.pull(std::exchange(by_values_.density_slope[cell], 0.0));
        co2.viscosity.pull(std::exchange(by_values_.viscosity[cell], 0.0));
        std::min(co2.dissolved_limit, of(stage.values, &StepValues::dissolvable, cell))
            .pull(std::exchange(by_values_.limit[cell], 0.0));
        tape_.back_if_many();
    }
    tape_.back();
}

/// Mass of brine without CO2 in a volume of it, as in equations (25) and (26).
Taped StepAdjoint::brine_content(std::size_t cell, const Taped& buildup, const Taped& dissolved) {
    return two_phase::brine_content(brine_density(cell), brine_compressibility(cell), dissolved_density(cell), buildup,
                                    dissolved);
}

/// Adjoint of what a step leaves to the next beside its fields: the largest saturation, what was injected.
void StepAdjoint::leave_over_back(const StepStages& stages) {
    const State& moved = stages.transports[stages.rounds - 1].after;
    for (std::size_t cell = 0; cell < moved.peak.size(); ++cell) {
        const double by_peak = std::exchange(by_state_.peak[cell], 0.0);
        std::max(of(moved, &State::peak, cell), of(moved, &State::saturation, cell)).pull(by_peak);
        tape_.back_if_many();
    }
    tape_.back();
    by_values_.injected_rate = by_state_.injected * stages.days;
}

/// Adjoint of the mass of brine, equation (25).
void StepAdjoint::brine_back(const StepStages& stages) {
    const TransportStage& stage = stages.transports[stages.rounds - 1];
    const StepValues& at = stages.pressures[stages.rounds].values;  // with the flow of brine
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double volume = reservoir_.pore_volume[cell];
        by_.pore_volume[cell] -= by_state_.brine[cell] *
                                 (stages.pressures[stages.rounds].state.brine[cell] - stages.before.brine[cell]) /
                                 volume;
        by_values_.old_brine[cell] += by_state_.brine[cell];
        by_state_.brine[cell] /= volume;
    }
    for (std::size_t column = 0; column < reservoir_.columns; ++column) {
        visit_faces(column, [&](const Face& face) {
            const Taped volume = brine_flow(at, face);
            const std::size_t upstream = volume.value >= 0.0 ? face.from : face.to;
            const Taped content = brine_content(
                upstream, tape_(stages.pressures[stages.rounds].buildup[upstream], by_state_.buildup[upstream]),
                of(stage.after, &State::dissolved, upstream));
            (stages.days * volume * content).pull(by_state_.brine[face.to] - by_state_.brine[face.from]);
            tape_.back_if_many();
        });
    }
    tape_.back();
    std::ranges::fill(by_state_.brine, 0.0);
    // Where no CO2 moved, all of the flow is brine.
    for (std::size_t cell = stage.columns * reservoir_.rows; cell < reservoir_.cells(); ++cell) {
        by_values_.outward[cell] += std::exchange(by_values_.brine_outward[cell], 0.0);
        by_values_.upward[cell] += std::exchange(by_values_.brine_upward[cell], 0.0);
    }
}

/// Adjoint of what a step knows of its start: masses, dissolved CO2, weights of brine (23), and what brine may hold at
/// its end (7).
void StepAdjoint::start_back(const StepStages& stages) {
    const State& before = stages.before;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Taped dissolved = tape_(before.dissolved[cell], by_state_.dissolved[cell]);
        const Taped weight = brine_weight(brine_density(cell), brine_compressibility(cell), dissolved_density(cell),
                                          of(before, &State::buildup, cell), dissolved);
        const Taped dissolvable = dissolved + tape_(reservoir_.dissolution_rate, by_.dissolution_rate) * stages.days;
        const Taped old_dissolved = dissolved * (1.0 - of(before, &State::saturation, cell));
        weight.pull(std::exchange(by_values_.weight[cell], 0.0));
        dissolvable.pull(std::exchange(by_values_.dissolvable[cell], 0.0));
        old_dissolved.pull(std::exchange(by_values_.old_dissolved[cell], 0.0));
        dissolved.pull(std::exchange(by_values_.old_concentration[cell], 0.0));
        if (const double by_deferred = std::exchange(by_values_.deferred[cell], 0.0); stages.released < 1.0) {
            const Taped buildup = of(before, &State::buildup, cell);
            const Taped gas =
                cell < stages.reached * reservoir_.rows
                    ? free_volume(of(before, &State::mass, cell), old_dissolved, fluids_at(cell, buildup).density)
                    : Taped();
            const Taped brine = of(before, &State::brine, cell) / brine_content(cell, buildup, dissolved);
            volume_beyond(gas, brine, buildup, reservoir_.rock_compressibility)
                .pull((1.0 - stages.released) * by_deferred);
        }
        by_state_.brine[cell] += std::exchange(by_values_.old_brine[cell], 0.0);
        by_state_.buildup[cell] += std::exchange(by_start_[cell], 0.0);
        by_state_.mass[cell] += std::exchange(by_values_.old_mass[cell], 0.0);  // beside that of the first guess
        tape_.back_if_many();
    }
    tape_.back();
}

void StepAdjoint::back(StepStages& stages) {
    leave_over_back(stages);
    pressure_back(stages, stages.pressures[stages.rounds], false);
    properties_back(stages.pressures[stages.rounds]);
    brine_back(stages);
    for (std::size_t round = stages.rounds; round-- > 0;) {
        transport_back(stages, stages.transports[round]);
        std::ranges::fill(by_values_.dissolution, 0.0);
        pressure_back(stages, stages.pressures[round], true);
        properties_back(stages.pressures[round]);
    }
    std::ranges::fill(by_values_.dissolution, 0.0);  // none is known of in the first round
    start_back(stages);
}

void StepAdjoint::to_initial_brine() {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        by_.fluids[fluids_.table_of(cell)].brine_density += by_state_.brine[cell];
    }
    std::ranges::fill(by_state_.brine, 0.0);
}

}  // namespace plumecast::two_phase
