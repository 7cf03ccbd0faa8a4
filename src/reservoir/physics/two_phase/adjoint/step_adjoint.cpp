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
      tape_(64 * (reservoir_.rows + 8)) {
    for (auto* part : {&by_state_.buildup, &by_state_.mass, &by_state_.saturation, &by_state_.transport_buildup,
                       &by_state_.transport_saturation, &by_state_.shrinkage, &by_state_.dissolved}) {
        part->resize(reservoir_.cells());
    }
    by_state_.peak.resize(simulation.state().peak.size());
    by_state_.inflow.resize(reservoir_.rows);
}

/// Fluids of a cell at a build-up.
Co2Properties<Taped> StepAdjoint::fluids_at(std::size_t row, const Taped& buildup) {
    const Taped pressure = tape_(reservoir_.initial_pressure[row], by_.initial_pressure[row]) + buildup;
    auto co2 = FluidTable::at(pressure, [&](std::size_t below, double FluidTable::Row::*part) {
        return tape_(fluids_.rows()[below].*part, by_.fluids[below].*part);
    });
    if (slopes_ == TableSlopes::smooth) {
        const auto there = FluidTable::place(pressure);
        co2.density_slope +=
            fluids_.density_curvature(there.below) * FluidTable::pressure_step * (there.part - there.part.value);
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
    pull(by_values_.brine_mobility[cell],
         [&] { return function(&SaturationCurves::Row::brine) / tape_(fluids_.brine_viscosity, by_.brine_viscosity); });
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
        const auto co2 = fluids_at(cell % reservoir_.rows, tape_(stage.buildup[cell], by_state_.buildup[cell]));
        co2.density.pull(std::exchange(by_values_.density[cell], 0.0));
        co2.density_slope.pull(std::exchange(by_values_.density_slope[cell], 0.0));
        co2.viscosity.pull(std::exchange(by_values_.viscosity[cell], 0.0));
        std::min(co2.dissolved_limit, of(stage.values, &StepValues::dissolvable, cell))
            .pull(std::exchange(by_values_.limit[cell], 0.0));
        tape_.back_if_many();
    }
    tape_.back();
}

/// Saturation that the free CO2 of a cell fills at a density.
Taped StepAdjoint::free_gas(const State& at, std::size_t cell, const Taped& density) {
    const Taped dissolved = of(at, &State::dissolved, cell) * (1.0 - of(at, &State::saturation, cell));
    return free_saturation(of(at, &State::mass, cell), dissolved, density);
}

/// Adjoint of what a step leaves to the next: the volume lost to dissolution, the saturation that the transport left,
/// the largest saturation, what was injected.
void StepAdjoint::leave_over_back(const StepStages& stages) {
    const State& moved = stages.transports[stages.rounds - 1].after;
    const StepValues& end = stages.pressures[stages.rounds].values;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const double by_shrinkage = std::exchange(by_state_.shrinkage[cell], 0.0);
        by_state_.shrinkage[cell] = (1.0 - stages.released) * by_shrinkage;
        by_values_.dissolution[cell] = by_shrinkage;
        by_values_.assumed[cell] = -by_shrinkage;
        if (!moved.peak.empty()) {
            const double by_peak = std::exchange(by_state_.peak[cell], 0.0);
            std::max(of(moved, &State::peak, cell), of(moved, &State::saturation, cell)).pull(by_peak);
        }
    }
    for (std::size_t cell = 0; cell < stages.reached * reservoir_.rows; ++cell) {
        const double by_left = std::exchange(by_state_.transport_saturation[cell], 0.0);
        free_gas(moved, cell, of(end, &StepValues::density, cell)).pull(by_left);
        tape_.back_if_many();
    }
    tape_.back();
    by_values_.injected_rate = by_state_.injected * stages.days;
}

/// Adjoint of what a step knows of its start: masses, dissolved CO2, weights of brine (23), and what brine may hold at
/// its end (7).
void StepAdjoint::start_back(const StepStages& stages) {
    const State& before = stages.before;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Taped dissolved = tape_(before.dissolved[cell], by_state_.dissolved[cell]);
        const Taped density = tape_(fluids_.brine_density, by_.brine_density);
        const Taped weight = brine_weight(density, tape_(fluids_.brine_compressibility, by_.brine_compressibility),
                                          tape_(fluids_.dissolved_density, by_.dissolved_density),
                                          of(before, &State::buildup, cell), dissolved);
        const Taped dissolvable = dissolved + tape_(reservoir_.dissolution_rate, by_.dissolution_rate) * stages.days;
        const Taped old_dissolved = dissolved * (1.0 - of(before, &State::saturation, cell));
        weight.pull(std::exchange(by_values_.weight[cell], 0.0));
        dissolvable.pull(std::exchange(by_values_.dissolvable[cell], 0.0));
        old_dissolved.pull(std::exchange(by_values_.old_dissolved[cell], 0.0));
        by_state_.mass[cell] += std::exchange(by_values_.old_mass[cell], 0.0);  // beside that of the first guess
        tape_.back_if_many();
    }
    tape_.back();
}

/// Adjoint of Simulation::forget_volumes(): build-up and saturation of the transport set anew.
void StepAdjoint::forget_back(const StepStages& stages) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Taped buildup = of(stages.before, &State::buildup, cell);
        const auto co2 = fluids_at(cell % reservoir_.rows, buildup);
        const double by_left = std::exchange(by_state_.transport_saturation[cell], 0.0);
        free_gas(stages.before, cell, co2.density).pull(by_left);
        buildup.pull(std::exchange(by_state_.transport_buildup[cell], 0.0));
        by_state_.shrinkage[cell] = 0.0;
        tape_.back_if_many();
    }
    tape_.back();
}

void StepAdjoint::back(StepStages& stages) {
    const std::vector<double> by_moved =
        std::exchange(by_state_.transport_buildup, std::vector<double>(reservoir_.cells()));
    leave_over_back(stages);
    pressure_back(stages, stages.pressures[stages.rounds], false);
    properties_back(stages.pressures[stages.rounds]);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        by_state_.buildup[cell] += by_moved[cell];
    }
    for (std::size_t round = stages.rounds; round-- > 0;) {
        transport_back(stages, stages.transports[round]);
        std::swap(by_values_.dissolution, by_values_.assumed);
        std::ranges::fill(by_values_.assumed, 0.0);
        pressure_back(stages, stages.pressures[round], true);
        properties_back(stages.pressures[round]);
    }
    start_back(stages);
    if (stages.has_forgotten) {
        forget_back(stages);
    }
}

}  // namespace plumecast::two_phase
