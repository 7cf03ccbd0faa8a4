#include "physics/two_phase/simulation.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/physics/brine.hpp>

namespace plumecast::two_phase {
namespace {

constexpr double kilograms_per_megatonne = 1e9;
constexpr double days_per_year = 365.25;
constexpr double overshoot = 0.01;  // of saturation beyond what leaves the irreducible water

}  // namespace

Simulation::Simulation(const RadialCase& radial)
    : reservoir_(radial, water_density(radial.initial_pressure, radial.temperature)),
      fluids_(radial.temperature, radial.initial_pressure),
      curves_(radial),
      mass_rate_(radial.injection_rate * kilograms_per_megatonne / days_per_year),
      largest_saturation_(1.0 - radial.irreducible_water_saturation + overshoot),
      system_(reservoir_.columns, reservoir_.rows) {
    const std::size_t cells = reservoir_.cells(), rows = reservoir_.rows;
    for (auto* part : {&state_.buildup, &state_.mass, &state_.saturation, &state_.settled, &state_.dissolved,
                       &gas_mobility_, &brine_mobility_, &capillary_, &gas_slope_, &brine_slope_, &capillary_slope_,
                       &mass_slope_, &old_buildup_, &old_mass_, &old_dissolved_, &dissolution_, &next_settled_,
                       &outward_, &upward_}) {
        part->assign(cells, 0.0);
    }
    co2_.resize(cells);
    flow_.resize(cells);
    for (auto* part : {&state_.inflow, &mass_in_, &mass_out_, &lower_, &centre_, &upper_, &residual_, &face_}) {
        part->assign(rows, 0.0);
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

bool Simulation::advance(double days) {
    const State before = state_;
    old_buildup_ = state_.buildup;
    old_mass_ = state_.mass;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        old_dissolved_[cell] = dissolved(cell);
    }
    std::ranges::fill(dissolution_, 0.0);
    update_cells();
    solve_pressure(days, true);
    set_flow();
    bool is_good = move_co2(days);
    if (is_good) {
        update_cells();
        solve_pressure(days, false);
        state_.settled = next_settled_;
        is_good = std::ranges::all_of(state_.saturation, [&](double s) { return s <= largest_saturation_; }) &&
                  std::ranges::all_of(state_.buildup, [](double p) { return std::isfinite(p); });
    }
    if (!is_good) {
        state_ = before;
    }
    return is_good;
}

}  // namespace plumecast::two_phase
