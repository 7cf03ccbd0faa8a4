#include <algorithm>
#include <utility>

#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast::two_phase {

/// The well beside the pressure solve: what follows from its solution, and what its balances lack.
struct StepAdjoint::Well {
    Taped pressure;             ///< Simulation::bottom_hole_pressure() [bar]
    Taped rate;                 ///< that is injected [kg/day]
    std::vector<Taped> shares;  ///< of the rows in it
    Taped balance;              ///< of the well: the right side of (11), or (24)
    std::vector<Taped> rows;    ///< flow from the well into their cells [m3/day]
};

/// `by_buildup`: where the cotangent of the build-up in the well is added up.
StepAdjoint::Well StepAdjoint::well(const PressureStage& stage, double& by_buildup) {
    const StepValues& at = stage.values;
    const State& state = stage.state;
    const std::size_t rows = reservoir_.rows;
    // The density of CO2 in the well is the mean over what the rows took last.
    const bool has_injected = std::ranges::any_of(state.inflow, [](double share) { return share > 0.0; });
    Taped taken, weighted;
    for (std::size_t row = 0; row < rows; ++row) {
        const Taped share = has_injected ? of(state, &State::inflow, row) : tape_(reservoir_.well[row], by_.well[row]);
        taken += share;
        weighted += share * of(at, &StepValues::density, row);
    }
    const Taped density = weighted / taken, buildup = tape_(state.well, by_buildup);
    const Taped initial_density = tape_(reservoir_.initial_density, by_.initial_density);
    const Taped mass_rate = tape_(simulation_.mass_rate(), by_.mass_rate);
    const auto head = [&](std::size_t row) {
        const Taped over = reservoir_.depth[row] - tape_(reservoir_.well_depth, by_.well_depth);
        return well_head(density, initial_density, over) -
               tape_(reservoir_.added_pressure[row], by_.added_pressure[row]);
    };
    Well well;
    well.rows.resize(rows);
    well.shares.resize(rows);
    Taped injected, total, weights, capillary;
    for (std::size_t row = 0; row < rows; ++row) {
        const Taped drop = buildup + head(row) - of(state, &State::buildup, row);
        // A row that is not perforated would be shut where it gave brine to the well.
        if (state.is_shut[row] || !(reservoir_.well[row] > 0.0 || drop > 0.0)) {
            continue;
        }
        const Taped factor = tape_(reservoir_.well[row], by_.well[row]) *
                             (of(at, &StepValues::gas_mobility, row) + of(at, &StepValues::brine_mobility, row));
        const Taped weight = factor * of(at, &StepValues::density, row), inflow = weight * drop;
        weights += weight;
        capillary += weight * of(at, &StepValues::capillary, row);
        well.rows[row] = factor * drop;
        injected += inflow;
        if (drop > 0.0) {
            well.shares[row] = inflow;
            total += inflow;
        }
    }
    for (Taped& share : well.shares) {
        share = total > 0.0 ? share / total : Taped();
    }
    const Taped over = head(reservoir_.highest) + (weights > 0.0 ? capillary / weights : Taped());
    well.pressure = tape_(reservoir_.initial_pressure[reservoir_.highest], by_.initial_pressure[reservoir_.highest]) +
                    buildup + over;
    well.balance =
        state.is_limited ? tape_(reservoir_.limit, by_.limit) - over - buildup : (mass_rate - injected) / density;
    well.rate = state.is_limited ? total : mass_rate;
    return well;
}

/// Adjoint of the pressure solve A x = b, equation (13) in docs/physics.md: with A^T y = w for the cotangents w of x,
/// all that A and b are made of has the cotangent y times the slope of b - A x by it. So has what the flow is made of,
/// with the cotangents of the flow.
void StepAdjoint::pressure_back(const StepStages& stages, PressureStage& stage, bool has_flow) {
    double by_well = 0.0;
    const Well found = well(stage, by_well);
    found.pressure.pull(std::exchange(by_state_.well, 0.0));
    if (has_flow) {
        found.rate.pull(std::exchange(by_values_.injected_rate, 0.0));
        for (std::size_t row = 0; row < reservoir_.rows; ++row) {
            found.shares[row].pull(std::exchange(by_state_.inflow[row], 0.0));
        }
        for (std::size_t column = 0; column < reservoir_.columns; ++column) {
            visit_faces(column, [&](const Face& face) {
                const auto& factor =
                    face.kind == FaceKind::of_rings ? stage.values.outward_factor : stage.values.upward_factor;
                const double by_drop = *volume(stage.values, face).by * factor[face.cell];
                by_state_.buildup[face.from] += by_drop;
                by_state_.buildup[face.to] -= by_drop;
            });
        }
    }
    tape_.back();
    std::vector<double> y = by_state_.buildup;
    stage.system.solve_transposed(y, by_well);
    const Well balanced = well(stage, by_well);
    balanced.balance.pull(by_well);
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        balanced.rows[row].pull(y[row]);
    }
    tape_.back();
    std::ranges::fill(by_state_.buildup, 0.0);  // the solution's is in y
    for (std::size_t column = 0; column < reservoir_.columns; ++column) {
        visit_faces(column, [&](const Face& face) { face_back(stage, face, y); });
    }
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        storage_back(stages, stage, cell, y[cell]);
    }
    tape_.back();
}

/// Adjoint of what a cell stores, equation (11).
void StepAdjoint::storage_back(const StepStages& stages, const PressureStage& stage, std::size_t cell, double y) {
    if (!reservoir_.active[cell]) {
        return;
    }
    const StepValues& at = stage.values;
    const bool has_co2 = cell < stages.reached * reservoir_.rows;
    const Taped density = of(at, &StepValues::density, cell),
                buildup = cell < stage.updated_columns * reservoir_.rows
                              ? tape_(stage.buildup[cell], by_state_.buildup[cell])
                              : tape_(stages.before.buildup[cell], by_start_[cell]);
    const Taped deferred = of(at, &StepValues::deferred, cell);
    const Taped gas =
        has_co2 ? free_volume(of(at, &StepValues::old_mass, cell), of(at, &StepValues::old_dissolved, cell), density)
                : Taped();
    const Taped dissolved = has_co2 ? of(at, &StepValues::old_concentration, cell) : Taped();
    const Taped brine = of(at, &StepValues::old_brine, cell) / brine_content(cell, buildup, dissolved);
    const auto stored =
        storage<Taped>({tape_(reservoir_.pore_volume[cell], by_.pore_volume[cell]) / stages.days, gas, brine,
                        has_co2 ? deferred + of(at, &StepValues::dissolution, cell) : deferred, density,
                        of(at, &StepValues::density_slope, cell), buildup, brine_compressibility(cell)},
                       reservoir_.rock_compressibility);
    stored.right.pull(y);
    stored.diagonal.pull(-y * stage.state.buildup[cell]);
    tape_.back_if_many();
}

/// Adjoint of the flow of volume through a face, equation (12), in the balances of both cells and as the transport has
/// it.
void StepAdjoint::face_back(const PressureStage& stage, const Face& face, const std::vector<double>& y) {
    const StepValues& at = stage.values;
    const double by_volume = std::exchange(*volume(at, face).by, 0.0);
    const std::vector<double>& buildup = stage.buildup;
    const bool has_gas = at.gas_mobility[face.from] > 0.0 || at.gas_mobility[face.to] > 0.0;
    const Taped beyond = has_gas ? drive<Taped>(at, at, face) : Taped();
    const Taped standing =
        face.kind == FaceKind::of_rows ? weights(at, face).standing(face_density(face), head(face)) : Taped();
    const double brine_drop = buildup[face.from] - buildup[face.to] + standing.value;
    const double gas_drop = brine_drop + beyond.value;
    const std::size_t gas_from = gas_drop >= 0.0 ? face.from : face.to;
    // Where no gas flows, all of it are constants.
    const auto of_gas = [&](ValuesPart part, std::size_t cell) {
        return at.gas_mobility[gas_from] > 0.0 ? of(at, part, cell) : Taped();
    };
    const auto flow =
        volume_flow<Taped>({of_gas(&StepValues::gas_mobility, gas_from),
                            of(at, &StepValues::brine_mobility, brine_drop >= 0.0 ? face.from : face.to),
                            of_gas(&StepValues::density, face.from), of_gas(&StepValues::density, face.to),
                            transmissibility(face), standing, beyond, gas_drop});
    const double drop = stage.state.buildup[face.from] - stage.state.buildup[face.to];
    const auto pull = [&](const Taped& driven, const Taped& factor, double by) {
        driven.pull(by);
        factor.pull(by * drop);
    };
    pull(flow.driven, flow.factor, by_volume);
    pull(flow.driven_to, flow.in_to, y[face.to]);
    pull(flow.driven_from, flow.in_from, -y[face.from]);
    tape_.back_if_many();
}

}  // namespace plumecast::two_phase
