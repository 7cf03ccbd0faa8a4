#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units.hpp"
#include "reservoir/physics/ledger_cotangents.hpp"
#include "reservoir/physics/physics_cotangents.hpp"
#include "reservoir/physics/two_phase/adaptive_steps.hpp"
#include "reservoir/physics/two_phase/adjoint/case_gradient.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast {
namespace {

using two_phase::RecordedCase;
using two_phase::State;

constexpr double least_rate = 1e-6;  // whose slope stands for that without injection [Mt/year]

/// Adds the cotangents of the fields of a snapshot to those of a state that has a share in it, and of the constants.
void add_snapshot(const RecordedCase& recorded, const RecordedCase::Share& of, const PhysicsCotangents& cotangents,
                  two_phase::StepAdjoint& adjoint) {
    const State& state = recorded.state(of.steps);
    const LandTrapping& land = recorded.simulation().curves().land();
    State& by = adjoint.by_state();
    Tape tape(16);
    const auto pull = [&](std::string_view name, const auto& value_in) {
        if (const std::vector<double>* field = cotangents_of(cotangents, name)) {
            recorded.visit_cells(of.snapshot, [&](std::size_t cell, std::size_t place) {
                value_in(cell).pull(of.share * (*field)[place]);
                tape.back();
            });
        }
    };
    const auto saturation = [&](std::size_t cell) { return tape(state.saturation[cell], by.saturation[cell]); };
    pull("physics_pressure_buildup", [&](std::size_t cell) { return tape(state.buildup[cell], by.buildup[cell]); });
    pull("physics_gas_saturation", saturation);
    pull("physics_dissolved_co2",
         [&](std::size_t cell) { return tape(state.dissolved[cell], by.dissolved[cell]) * (1.0 - saturation(cell)); });
    pull(trapped_gas_field, [&](std::size_t cell) {
        const Taped constant = tape(land.constant(), adjoint.by_constants().land);
        return std::min(land.trapped(tape(state.peak[cell], by.peak[cell]), constant), saturation(cell));
    });
}

/// Cotangents of the pressure in the well after each number of steps, as joined_pressure() makes that of a snapshot;
/// `cotangents` loses those of snapshots at rest.
std::vector<double> by_bottom_hole(const RecordedCase& recorded, PhysicsCotangents& cotangents) {
    std::vector<double> by_steps(recorded.steps().size() + 1);
    const auto found = cotangents.series.find("bottom_hole_pressure");
    if (found == cotangents.series.end()) {
        return by_steps;
    }
    std::vector<std::map<std::size_t, double>> shares(found->second.size());  // by the number of steps
    for (const auto& [steps, snapshot, share] : recorded.shares()) {
        std::map<std::size_t, double>& joined = shares[snapshot];
        if (steps == 0 || recorded.steps()[steps - 1].mass_rate == 0.0) {
            joined.clear();  // the well is at rest, or comes to it
            continue;
        }
        const double part = joined.empty() ? 1.0 : share;
        for (auto& [before, other] : joined) {
            other *= 1.0 - part;
        }
        joined[steps] = part;
    }
    for (std::size_t snapshot = 0; snapshot < shares.size(); ++snapshot) {
        double& cotangent = found->second[snapshot];
        cotangent = shares[snapshot].empty() ? 0.0 : cotangent;
        for (const auto& [steps, share] : shares[snapshot]) {
            by_steps[steps] += share * cotangent;
        }
    }
    return by_steps;
}

/// Adds what a step leaves for the rate of injection [kg/day] to the derivatives by the rates of the periods that it
/// shares, in proportion, or by the one rate.
void add_rate_cotangent(const RadialCase& radial, const two_phase::TakenStep& step, double mass_rate,
                        RadialCaseGradient& gradient) {
    const double by_rate = mass_rate * kilograms_per_megatonne / days_per_year, start = step.end - step.days;
    const std::vector<double>& ends = radial.schedule.ends;
    if (ends.empty()) {
        gradient.injection_rate += by_rate;
    }
    for (std::size_t period = 0; period < ends.size(); ++period) {
        const double from = std::max(start, period > 0 ? ends[period - 1] : 0.0);
        gradient.rates[period] += by_rate * std::max(std::min(step.end, ends[period]) - from, 0.0) / step.days;
    }
}

/// The case with the least rate where nothing is injected.
RadialCase injecting_at_rest(RadialCase radial) {
    std::ranges::replace(radial.schedule.rates, 0.0, least_rate);
    radial.injection_rate = radial.injection_rate == 0.0 ? least_rate : radial.injection_rate;
    return radial;
}

/// Takes the derivatives by rates of 0 from the gradient of injecting_at_rest().
void take_rates_at_rest(const RadialCase& radial, const RadialCaseGradient& injecting, RadialCaseGradient& gradient) {
    for (std::size_t period = 0; period < gradient.rates.size(); ++period) {
        if (radial.schedule.rates[period] == 0.0) {
            gradient.rates[period] = injecting.rates[period];
        }
    }
    gradient.injection_rate = radial.injection_rate == 0.0 ? injecting.injection_rate : gradient.injection_rate;
}

}  // namespace

RadialCaseGradient two_phase::case_gradient(const RadialCase& radial, const StepCount& count,
                                            PhysicsCotangents cotangents, const std::string& name, TableSlopes slopes) {
    check_cotangents(radial, cotangents, name);
    RecordedCase recorded = recorded_case(radial, count, name);
    const std::vector<double> by_pressure = by_bottom_hole(recorded, cotangents);
    const std::vector<double>& rates = radial.schedule.rates;
    const bool has_rest = rates.empty() ? radial.injection_rate == 0.0 : std::ranges::find(rates, 0.0) != rates.end();
    const PhysicsCotangents of_rest = has_rest ? cotangents : PhysicsCotangents{};  // before those of masses are fields
    std::vector<double> by_injected(radial.times.size());
    std::ranges::copy(series_cotangents(cotangents, "mass_injected"), by_injected.begin());
    const LedgerFields fields = recorded.fields(radial.times.size());
    RadialCaseGradient gradient = zero_gradient(radial);
    gradient.rates.resize(rates.size());
    gradient.retaken_steps = recorded.retaken_steps();
    add_ledger_cotangents(radial, fields, cotangents, gradient, name);
    cotangents.fields["physics_pressure_buildup"] = buildup_cotangents(radial, cotangents, fields.buildup);
    Simulation& simulation = recorded.simulation();
    StepAdjoint adjoint(simulation, slopes);
    StepStages stages(simulation.reservoir().columns, simulation.reservoir().rows);
    auto share = recorded.shares().rbegin();
    for (std::size_t steps = recorded.steps().size(); steps > 0; --steps) {
        for (; share != recorded.shares().rend() && share->steps == steps; ++share) {
            add_snapshot(recorded, *share, cotangents, adjoint);
            adjoint.by_state().injected += share->share * by_injected[share->snapshot] / kilograms_per_megatonne;
        }
        adjoint.by_state().well = by_pressure[steps];
        const TakenStep& taken = recorded.steps()[steps - 1];
        simulation.repeat(taken, stages);
        adjoint.back(stages);
        add_rate_cotangent(radial, taken, std::exchange(adjoint.by_constants().mass_rate, 0.0), gradient);
    }
    adjoint.to_initial_brine();
    add_input_cotangents(radial, simulation, adjoint.by_constants(), gradient);
    add_injection_fluid_cotangents(radial, cotangents, gradient);
    if (has_rest) {
        const RadialCase injecting = injecting_at_rest(radial);
        take_rates_at_rest(radial, case_gradient(injecting, count, of_rest, name, slopes), gradient);
    }
    return gradient;
}

RadialCaseGradient two_phase_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                      const std::string& name) {
    return two_phase::case_gradient(radial, two_phase::step_count(radial, substeps), cotangents, name,
                                    two_phase::TableSlopes::smooth);
}

}  // namespace plumecast
