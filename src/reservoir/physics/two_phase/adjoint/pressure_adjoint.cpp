#include <algorithm>
#include <numeric>
#include <utility>

#include "reservoir/physics/two_phase/adjoint/local_adjoint.hpp"
#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast::two_phase {

/// Adjoint of the pressure solve A x = b, equation (13) in docs/physics.md: with A^T y = w for the cotangents w of x,
/// all that A and b are made of has the cotangent y times the slope of b - A x by it. So has what the flow is made of,
/// with the cotangents of the flow.
void StepAdjoint::pressure_back(const StepStages& stages, PressureStage& stage, State& by_state, bool has_flow) {
    const std::size_t rows = reservoir_.rows;
    std::ranges::fill(by_inflow_, 0.0);
    const double by_bottom_hole = std::exchange(by_state.well, 0.0);
    well_ = by_bottom_hole;
    if (has_flow) {
        for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
            const double by_drop = by_values_.outward[cell] * stage.values.outward_factor[cell];
            const double by_rise = by_values_.upward[cell] * stage.values.upward_factor[cell];
            by_state.buildup[cell] += by_drop - by_rise;
            if (has_outer(cell)) {
                by_state.buildup[cell + rows] -= by_drop;
            }
            if (has_lower(cell)) {
                by_state.buildup[cell + 1] += by_rise;
            }
        }
        shares_back(stage, by_state);
    }
    answer_ = by_state.buildup;
    stage.system.solve_transposed(answer_, well_);
    std::ranges::fill(by_state.buildup, 0.0);
    storage_back(stages, stage, by_state);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (has_outer(cell)) {
            face_back(stage, outer_face(cell));
        }
        if (has_lower(cell)) {
            face_back(stage, lower_face(cell));
        }
    }
    std::ranges::fill(by_values_.outward, 0.0);
    std::ranges::fill(by_values_.upward, 0.0);
    well_back(stage, by_bottom_hole, by_state);
}

double StepAdjoint::well_factor(const PressureStage& stage, std::size_t row) const {
    return stage.state.is_shut[row]
               ? 0.0
               : reservoir_.well[row] * (stage.values.gas_mobility[row] + stage.values.brine_mobility[row]);
}

double StepAdjoint::well_drop(const PressureStage& stage, std::size_t row) const {
    return stage.state.well +
           well_head(stage.values.well_density, reservoir_.initial_density,
                     reservoir_.depth[row] - reservoir_.well_depth) -
           stage.state.buildup[row];
}

/// Adjoint of the shares of the rows of the well in what is injected, and of all that a well at its limit lets in: the
/// cotangents of what flows into the rows, and of the pressures by it.
void StepAdjoint::shares_back(const PressureStage& stage, State& by_state) {
    double total = 0.0, mean = 0.0;
    const auto by_drop = [&](std::size_t row) {
        return well_drop(stage, row) > 0.0 ? stage.values.density[row] * well_factor(stage, row) : 0.0;
    };
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double flow = by_drop(row) * well_drop(stage, row);
        total += flow;
        mean += by_state.inflow[row] * flow;
    }
    for (std::size_t row = 0; total > 0.0 && row < reservoir_.rows; ++row) {
        by_inflow_[row] = (by_state.inflow[row] - mean / total) / total + by_values_.injected_rate;
        well_ += by_inflow_[row] * by_drop(row);
        by_state.buildup[row] -= by_inflow_[row] * by_drop(row);
    }
    by_values_.injected_rate = 0.0;
    std::ranges::fill(by_state.inflow, 0.0);
}

/// Adjoint of Simulation::add_storage().
void StepAdjoint::storage_back(const StepStages& stages, const PressureStage& stage, State& by_state) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (!reservoir_.active[cell]) {
            continue;
        }
        double gas = 0.0, gained = 0.0, by_gas = 0.0, by_gained = 0.0;
        const bool has_co2 = cell < stages.reached * reservoir_.rows;
        const auto back = [&](auto& on, auto part) { return on((stage.values.*part)[cell], (by_values_.*part)[cell]); };
        const auto of_before = [&](auto& on, auto part) {
            return on((stages.before.*part)[cell], (by_before_.*part)[cell]);
        };
        LocalAdjoint<4> on_filled;
        LocalAdjoint<5> on_gained;
        Dual<4> filled;
        Dual<5> more;
        if (has_co2) {
            filled = std::min(
                filled_saturation(simulation_.formulation().expanding_gas, back(on_filled, &StepValues::old_mass),
                                  back(on_filled, &StepValues::old_dissolved), back(on_filled, &StepValues::density),
                                  back(on_filled, &StepValues::limit)),
                Dual<4>(most_stored_gas));
            gas = filled.value;
            more = gained_volume(on_gained(gas, by_gas), of_before(on_gained, &State::transport_saturation),
                                 stages.released * of_before(on_gained, &State::shrinkage),
                                 back(on_gained, &StepValues::dissolution),
                                 on_gained(simulation_.largest_saturation(), by_.largest_saturation));
            gained = more.value;
        }
        LocalAdjoint<8> on;
        const auto stored = storage<Dual<8>>(
            {on(reservoir_.pore_volume[cell], by_.pore_volume[cell]) / stages.days, on(gas, by_gas),
             on(gained, by_gained), back(on, &StepValues::density), back(on, &StepValues::density_slope),
             on(stage.buildup[cell], by_state.buildup[cell]), of_before(on, &State::transport_buildup),
             on(fluids_.brine_compressibility, by_.brine_compressibility)},
            reservoir_.rock_compressibility);
        on.add(answer_[cell] * (stored.right - stored.diagonal * stage.state.buildup[cell]));
        on_gained.add(by_gained * more);
        on_filled.add(by_gas * filled);
    }
}

/// Adjoint of the flow of volume through a face, in the balances of both cells and as the transport has it.
void StepAdjoint::face_back(const PressureStage& stage, const Face& face) {
    const StepValues& at = stage.values;
    const Weights<double> weights{at.weight[face.to], at.weight[face.from], at.density[face.to], at.density[face.from]};
    const double standing = weights.standing(reservoir_.initial_density, face.head);
    const double beyond = weights.buoyancy(face.head) + at.capillary[face.from] - at.capillary[face.to];
    const double brine_drop = stage.buildup[face.from] - stage.buildup[face.to] + standing;
    const double gas_drop = brine_drop + beyond;
    double by_standing = 0.0, by_beyond = 0.0;
    LocalAdjoint<7> on;
    const auto of = [&](auto part, std::size_t cell) { return on((at.*part)[cell], (by_values_.*part)[cell]); };
    const auto flow = volume_flow<Dual<7>>({of(&StepValues::gas_mobility, gas_drop >= 0.0 ? face.from : face.to),
                                            of(&StepValues::brine_mobility, brine_drop >= 0.0 ? face.from : face.to),
                                            of(&StepValues::density, face.from), of(&StepValues::density, face.to),
                                            on(face.transmissibility, face.by_transmissibility),
                                            on(standing, by_standing), on(beyond, by_beyond), gas_drop});
    const double drop = stage.state.buildup[face.from] - stage.state.buildup[face.to];
    on.add(face.by_volume * (flow.driven + flow.factor * drop) +
           answer_[face.to] * (flow.driven_to + flow.in_to * drop) -
           answer_[face.from] * (flow.driven_from + flow.in_from * drop));
    drops_back(face, by_standing, by_beyond);
}

/// Adjoint of Simulation::add_well(), set_well_density() and, but for the build-up in the well, bottom_hole_pressure().
void StepAdjoint::well_back(const PressureStage& stage, double by_bottom_hole, State& by_state) {
    double by_density = 0.0, weights = 0.0, capillary = 0.0;  // as Simulation::well_capillary() has them
    double by_beyond = by_bottom_hole;  // of what that pressure has beyond the build-up in the well
    by_.initial_pressure[reservoir_.highest] += by_bottom_hole;
    if (stage.state.is_limited) {
        by_.limit += well_;
        by_beyond -= well_;
    } else {
        LocalAdjoint<2> on;
        const auto rate = on(simulation_.mass_rate(), by_.mass_rate);
        on.add(well_ * rate / on(stage.values.well_density, by_density));
    }
    if (by_beyond != 0.0) {
        LocalAdjoint<3> on;
        const auto over = reservoir_.depth[reservoir_.highest] - on(reservoir_.well_depth, by_.well_depth);
        on.add(by_beyond * well_head(on(stage.values.well_density, by_density),
                                     on(reservoir_.initial_density, by_.initial_density), over));
        for (std::size_t row = 0; row < reservoir_.rows; ++row) {
            const double weight = stage.values.density[row] * well_factor(stage, row);
            weights += weight;
            capillary += weight * stage.values.capillary[row];
        }
    }
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        // A row that is not perforated would be shut where it gave brine to the well.
        if (!stage.state.is_shut[row] && (reservoir_.well[row] > 0.0 || well_drop(stage, row) > 0.0)) {
            row_back(stage, row, weights > 0.0 ? capillary / weights : 0.0, weights > 0.0 ? by_beyond / weights : 0.0,
                     by_density);
        }
    }
    well_density_back(stage, by_density, by_state);
}

/// Adjoint of a row of the well: in the balances of its cell and of the well, and of what flows into it.
void StepAdjoint::row_back(const PressureStage& stage, std::size_t row, double mean_capillary, double by_capillary,
                           double& by_density) {
    LocalAdjoint<8> on;
    const auto of = [&](auto part) { return on((stage.values.*part)[row], (by_values_.*part)[row]); };
    const auto well_density = on(stage.values.well_density, by_density);
    const auto over = reservoir_.depth[row] - on(reservoir_.well_depth, by_.well_depth);
    const auto drop = stage.state.well +
                      well_head(well_density, on(reservoir_.initial_density, by_.initial_density), over) -
                      stage.state.buildup[row];
    const auto factor =
        on(reservoir_.well[row], by_.well[row]) * (of(&StepValues::gas_mobility) + of(&StepValues::brine_mobility));
    const auto density = of(&StepValues::density), inflow = density * factor * drop;
    auto sum = answer_[row] * (factor * drop) + (drop > 0.0 ? by_inflow_[row] : 0.0) * inflow;
    sum += by_capillary * (density * factor * (of(&StepValues::capillary) - mean_capillary));
    if (!stage.state.is_limited) {
        sum += -well_ * (inflow / well_density);
    }
    on.add(sum);
}

/// Adjoint of the density of CO2 in the well, the mean over what the rows took last.
void StepAdjoint::well_density_back(const PressureStage& stage, double by_density, State& by_state) {
    const std::vector<double>& inflow = stage.state.inflow;
    const bool has_injected = std::ranges::any_of(inflow, [](double share) { return share > 0.0; });
    const std::vector<double>& shares = has_injected ? inflow : reservoir_.well;
    std::vector<double>& by_shares = has_injected ? by_state.inflow : by_.well;
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        by_values_.density[row] += by_density * shares[row] / sum;
        by_shares[row] += by_density * (stage.values.density[row] - stage.values.well_density) / sum;
    }
}

}  // namespace plumecast::two_phase
