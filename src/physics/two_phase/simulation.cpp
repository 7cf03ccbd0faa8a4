#include "physics/two_phase/simulation.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast::two_phase {
namespace {

constexpr double kilograms_per_megatonne = 1e9;
constexpr double days_per_year = 365.25;
constexpr double overshoot = 0.05;  // of saturation beyond what leaves the irreducible water

}  // namespace

Simulation::Simulation(const RadialCase& radial)
    : reservoir_(radial),
      fluids_(radial.temperature, radial.initial_pressure),
      curves_(radial),
      mass_rate_(radial.injection_rate * kilograms_per_megatonne / days_per_year),
      largest_saturation_(1.0 - radial.irreducible_water_saturation),
      system_(reservoir_.columns, reservoir_.rows) {
    const std::size_t cells = reservoir_.cells(), rows = reservoir_.rows;
    for (auto* part :
         {&state_.buildup,   &state_.mass,   &state_.saturation, &state_.carried,  &state_.settled, &state_.shrinkage,
          &state_.dissolved, &gas_mobility_, &brine_mobility_,   &capillary_,      &gas_slope_,     &brine_slope_,
          &capillary_slope_, &mass_slope_,   &old_mass_,         &old_dissolved_,  &dissolution_,   &assumed_,
          &dissolved_in_,    &outward_,      &upward_,           &outward_factor_, &upward_factor_}) {
        part->assign(cells, 0.0);
    }
    co2_.resize(cells);
    flow_.resize(cells);
    for (auto* part : {&state_.inflow, &lower_, &centre_, &upper_, &residual_}) {
        part->assign(rows, 0.0);
    }
    state_.is_shut.assign(rows, false);
    for (auto* faces : {&in_, &out_, &below_}) {
        faces->resize(rows);
    }
}

double Simulation::dissolved(std::size_t cell) const {
    return state_.dissolved[cell] * (1.0 - state_.saturation[cell]);
}

double Simulation::mass_in_place() const {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        sum += state_.mass[cell] * reservoir_.pore_volume[cell];
    }
    return sum;
}

double flashed_saturation(double mass, double density, double limit) {
    return std::clamp((mass - limit) / (density - limit), 0.0, 1.0);
}

bool Simulation::advance(double days) {
    const State before = state_;
    // A second round with the mobilities and the dissolution of the first halves the error of the splitting; where that
    // runs away, one round is the safer step.
    for (const int rounds : {2, 1}) {
        if (attempt(days, rounds)) {
            return true;
        }
        state_ = before;
    }
    return false;
}

bool Simulation::attempt(double days, int rounds) {
    old_mass_ = state_.mass;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        old_dissolved_[cell] = dissolved(cell);
    }
    std::ranges::fill(dissolution_, 0.0);
    for (int round = 0; round < rounds; ++round) {
        update_cells();
        evaluated_ = state_.buildup;
        assumed_ = dissolution_;
        solve_pressure(days, round == 0);
        set_flow();
        if (!move_co2(days)) {
            return false;
        }
    }
    const std::vector<double> moved = state_.buildup;
    moved_with_ = co2_;
    update_cells();
    solve_pressure(days, false);
    state_.carried = moved;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Co2State& co2 = moved_with_[cell];
        const double density = co2.density + co2.density_slope * (moved[cell] - evaluated_[cell]);
        state_.settled[cell] = flashed_saturation(state_.mass[cell], density, co2.dissolved_limit);
        state_.shrinkage[cell] = dissolution_[cell] - assumed_[cell];
    }
    return std::ranges::all_of(state_.saturation, [&](double s) { return s <= largest_saturation_ + overshoot; }) &&
           std::ranges::all_of(state_.buildup, [](double p) { return std::isfinite(p); });
}

}  // namespace plumecast::two_phase
