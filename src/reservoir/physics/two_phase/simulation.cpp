#include "reservoir/physics/two_phase/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/units.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double times_to_release = 8.0;  // the length of a step that defers what later ones make up for
constexpr double lowest_pressure = 1.0;   // that a step may end with [bar]
constexpr double overshoot = 0.05;        // of saturation beyond what leaves the irreducible water

}  // namespace

Simulation::Simulation(const RadialCase& radial, Acceptance acceptance, Iterations iterations)
    : reservoir_(radial),
      fluids_(radial),
      curves_(radial),
      largest_rate_(radial.injection().largest_rate() * kilograms_per_megatonne / days_per_year),
      largest_saturation_(1.0 - radial.irreducible_water_saturation),
      acceptance_(acceptance),
      iterations_(iterations),
      now_(reservoir_.cells()),
      system_(reservoir_.columns, reservoir_.rows) {
    const std::size_t cells = reservoir_.cells(), rows = reservoir_.rows;
    std::ranges::fill(now_.dissolvable, std::numeric_limits<double>::infinity());
    for (auto* part : {&state_.buildup, &state_.mass, &state_.saturation, &state_.brine, &state_.dissolved,
                       &gas_fluidity_, &moved_density_, &outward_driven_, &upward_driven_, &standing_, &drive_,
                       &in_from_, &in_to_, &driven_from_, &driven_to_}) {
        part->assign(cells, 0.0);
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
        state_.brine[cell] = now_.weight[cell] = fluids_[cell].brine_density;
    }
    state_.peak.assign(curves_.has_hysteresis() ? cells : 0, 0.0);
    for (auto* part : {&state_.inflow, &lower_, &centre_, &upper_, &residual_}) {
        part->assign(rows, 0.0);
    }
    for (std::size_t column = 0; column < reservoir_.columns; ++column) {
        update_column(column, state_.buildup);
    }
    state_.is_shut.assign(rows, true);
    for (auto* faces : {&in_, &out_, &below_}) {
        faces->resize(rows);
    }
}

double Simulation::dissolved(std::size_t cell) const {
    return state_.dissolved[cell] * (1.0 - state_.saturation[cell]);
}

double Simulation::trapped(std::size_t cell) const {
    const double saturation = state_.saturation[cell];
    return curves_.trapped({saturation, curves_.has_hysteresis() ? state_.peak[cell] : saturation});
}

double Simulation::mass_in_place() const {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        sum += state_.mass[cell] * reservoir_.pore_volume[cell];
    }
    return sum;
}

double Simulation::brine_in_place() const {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        sum += state_.brine[cell] * reservoir_.pore_volume[cell];
    }
    return sum;
}

double Simulation::bottom_hole_pressure() const {
    const std::size_t row = reservoir_.highest;
    return reservoir_.initial_pressure[row] + state_.well + well_head(row) + well_capillary();
}

double flashed_saturation(double mass, double density, double limit) { return Flash(mass, density, limit).saturation; }

void Simulation::inject(double mass_rate) {
    if ((mass_rate == 0.0) != (mass_rate_ == 0.0)) {
        state_.is_shut.assign(reservoir_.rows, mass_rate == 0.0);
    }
    mass_rate_ = mass_rate;
}

bool Simulation::advance(double days, Volumes volumes, TakenStep* taken) {
    const State before = state_;
    // A second round with the mobilities and the dissolution of the first halves the splitting error; where it does not
    // converge, one round is tried.
    for (const int rounds : {2, 1}) {
        const int done = attempt(days, rounds, volumes);
        if (done == rounds && is_plausible(volumes) && (acceptance_ == Acceptance::usual || leaves_room())) {
            if (taken != nullptr) {
                *taken = {days, volumes, rounds, 0, before, mass_rate_};
            }
            return true;
        }
        state_ = before;
        if (done == 0) {
            return false;  // one round would be the same again
        }
    }
    return false;
}

// Equation (7) in docs/physics.md.
void Simulation::limit_dissolution(double days) {
    if (std::isfinite(reservoir_.dissolution_rate)) {
        std::ranges::transform(state_.dissolved, now_.dissolvable.begin(), [&](double dissolved_before) {
            return std::max(0.0, dissolved_before) + reservoir_.dissolution_rate * days;
        });
    }
}

/// Takes a step with so many rounds; returns after how many of them the transport converged, all if the step is done.
int Simulation::attempt(double days, int rounds, Volumes volumes) {
    now_.old_mass = state_.mass;
    now_.old_brine = state_.brine;
    now_.old_concentration = state_.dissolved;
    for (std::size_t cell = 0; cell < reached_ * reservoir_.rows; ++cell) {
        now_.old_dissolved[cell] = dissolved(cell);
    }
    weigh_brine();
    limit_dissolution(days);
    std::ranges::fill(now_.dissolution, 0.0);
    released_ = volumes == Volumes::defer ? 0.0 : days / std::max(days, state_.release_days);
    defer_volumes();
    keep_step(days);
    for (int round = 0; round < rounds; ++round) {
        update_cells();
        solve_pressure(days, round == 0);
        keep_pressure();
        set_flow();
        if (!move_co2(days)) {
            return round;
        }
        keep_transport();
    }
    move_brine(days);
    for (std::size_t cell = 0; cell < reached_ * reservoir_.rows; ++cell) {
        moved_density_[cell] = now_.density[cell];
    }
    update_cells();
    solve_pressure(days, false);
    keep_pressure();
    state_.release_days = volumes == Volumes::defer ? std::max(state_.release_days, times_to_release * days)
                                                    : std::max(days, state_.release_days - days);
    state_.injected += now_.injected_rate * days;
    remember_peaks();
    return rounds;
}

double Simulation::brine_content(std::size_t cell, double buildup, double dissolved) const {
    const FluidTable& fluids = fluids_[cell];
    return two_phase::brine_content(fluids.brine_density, fluids.brine_compressibility, fluids.dissolved_density,
                                    buildup, dissolved);
}

// Equation (26) in docs/physics.md.
double Simulation::volume_beyond(std::size_t cell) const {
    double gas = 0.0;
    if (cell < reached_ * reservoir_.rows) {
        const double pressure = reservoir_.initial_pressure[cell % reservoir_.rows] + state_.buildup[cell];
        const Co2State co2 = fluids_[cell].at(pressure);
        gas = free_volume(state_.mass[cell], dissolved(cell), co2.density);
    }
    const double brine = state_.brine[cell] / brine_content(cell, state_.buildup[cell], state_.dissolved[cell]);
    return two_phase::volume_beyond(gas, brine, state_.buildup[cell], reservoir_.rock_compressibility);
}

/// The part of the volume beyond the pores that later steps make up for.
void Simulation::defer_volumes() {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        now_.deferred[cell] = released_ < 1.0 ? (1.0 - released_) * volume_beyond(cell) : 0.0;
    }
}

/// Saturations from which gas is trapped grow at the ends of steps; within a step they are those of the step before.
void Simulation::remember_peaks() {
    for (std::size_t cell = 0; cell < state_.peak.size(); ++cell) {
        state_.peak[cell] = std::max(state_.peak[cell], state_.saturation[cell]);
    }
}

/// Whether a step ended with possible pressures and saturations and, unless it defers volumes, with a density of CO2
/// close to that of its transport, whose build-up is in `solution_`.
bool Simulation::is_plausible(Volumes volumes) const {
    constexpr double trace_of_gas = 0.02;
    constexpr double largest_ratio = 1.2840254166877414;  // of densities: exp(0.25)
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = 0, row = 0; cell < reservoir_.cells(); ++cell, row = row + 1 < rows ? row + 1 : 0) {
        const double pressure = reservoir_.initial_pressure[row] + solution_[cell];
        if (!(pressure >= lowest_pressure) || !(state_.saturation[cell] <= largest_saturation_ + overshoot) ||
            !std::isfinite(state_.buildup[cell])) {
            return false;
        }
        if (volumes == Volumes::release && state_.saturation[cell] > trace_of_gas) {
            const double ratio = fluids_[cell].at(pressure).density / moved_density_[cell];
            if (ratio > largest_ratio || ratio * largest_ratio < 1.0) {
                return false;
            }
        }
    }
    return true;
}

/// Whether the CO2 of each cell fits in it at the pressure that the step ended with.
bool Simulation::leaves_room() const {
    for (std::size_t cell = 0; cell < reached_ * reservoir_.rows; ++cell) {
        const double pressure = reservoir_.initial_pressure[cell % reservoir_.rows] + state_.buildup[cell];
        const Co2State co2 = fluids_[cell].at(pressure);
        const double saturation =
            flashed_saturation(state_.mass[cell], co2.density, std::min(co2.dissolved_limit, now_.dissolvable[cell]));
        if (!(pressure >= lowest_pressure) || saturation > largest_saturation_ + overshoot) {
            return false;
        }
    }
    return true;
}

}  // namespace plumecast::two_phase
