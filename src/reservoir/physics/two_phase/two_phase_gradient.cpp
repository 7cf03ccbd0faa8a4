#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/units.hpp"
#include "reservoir/physics/ledger_cotangents.hpp"
#include "reservoir/physics/physics_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/case_gradient.hpp"
#include "reservoir/physics/two_phase/adjoint/input_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/adjoint/step_adjoint.hpp"

namespace plumecast {
namespace {

using two_phase::RecordedCase;
using two_phase::State;

constexpr double least_rate = 1e-6;  // whose slope stands for that without injection [Mt/year]

State zero_cotangents(const two_phase::Simulation& simulation) {
    State cotangents;
    for (auto* part : {&cotangents.buildup, &cotangents.mass, &cotangents.saturation, &cotangents.transport_buildup,
                       &cotangents.transport_saturation, &cotangents.shrinkage, &cotangents.dissolved}) {
        part->resize(simulation.reservoir().cells());
    }
    cotangents.peak.resize(simulation.state().peak.size());
    cotangents.inflow.resize(simulation.reservoir().rows);
    return cotangents;
}

/// Adds the cotangents of trapped saturations to those of the state and of Land's constant.
void add_trapped(const RecordedCase& recorded, const State& state, const std::vector<double>& values, State& by,
                 two_phase::SimulationCotangents& constants) {
    const LandTrapping& land = recorded.simulation().curves().land();
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        if (state.saturation[cell] < land.trapped(state.peak[cell])) {
            by.saturation[cell] += values[cell];
        } else {
            by.peak[cell] += values[cell] * land.slope(state.peak[cell]);
            constants.land += values[cell] * land.slope_by_constant(state.peak[cell]);
        }
    }
}

/// Adds the cotangents of the fields of a snapshot to those of a state that has a share in it, and of the constants.
void add_snapshot(const RecordedCase& recorded, const RecordedCase::Share& of, const std::vector<double>& buildup,
                  const PhysicsCotangents& cotangents, State& by, two_phase::SimulationCotangents& constants) {
    const State& state = recorded.state(of.steps);
    const auto shared = [&](const std::vector<double>& field) {
        std::vector<double> values = recorded.get(of.snapshot, field);
        std::ranges::transform(values, values.begin(), [&](double value) { return of.share * value; });
        return values;
    };
    const std::vector<double> by_buildup = shared(buildup);
    for (std::size_t cell = 0; cell < by_buildup.size(); ++cell) {
        by.buildup[cell] += by_buildup[cell];
    }
    if (const auto* field = cotangents_of(cotangents, "physics_gas_saturation")) {
        const std::vector<double> values = shared(*field);
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            by.saturation[cell] += values[cell];
        }
    }
    if (const auto* field = cotangents_of(cotangents, "physics_dissolved_co2")) {
        const std::vector<double> values = shared(*field);
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            by.dissolved[cell] += values[cell] * (1.0 - state.saturation[cell]);
            by.saturation[cell] -= values[cell] * state.dissolved[cell];
        }
    }
    if (const auto* field = cotangents_of(cotangents, trapped_gas_field)) {
        add_trapped(recorded, state, shared(*field), by, constants);
    }
}

/// Cotangents of the pressure in the well after each number of steps; `cotangents` loses those that do not count.
std::vector<double> by_bottom_hole(const RecordedCase& recorded, PhysicsCotangents& cotangents) {
    std::vector<double> by_steps(recorded.steps().size() + 1);
    const auto found = cotangents.series.find("bottom_hole_pressure");
    if (found == cotangents.series.end()) {
        return by_steps;
    }
    std::vector<double> counted(found->second.size());
    for (const auto& [steps, snapshot, share] : recorded.pressure_shares()) {
        counted[snapshot] = found->second[snapshot];
        by_steps[steps] += share * counted[snapshot];
    }
    found->second = std::move(counted);
    return by_steps;
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

RadialCaseGradient two_phase::case_gradient(const RadialCase& radial, int substeps, PhysicsCotangents cotangents,
                                            const std::string& name, TableSlopes slopes,
                                            const Formulation& formulation) {
    check_cotangents(radial, cotangents, name);
    check_known(radial, formulation, name);
    RecordedCase recorded = recorded_case(radial, substeps, name, formulation);
    const std::vector<double> by_pressure = by_bottom_hole(recorded, cotangents);
    const std::vector<double>& rates = radial.schedule.rates;
    const bool has_rest = rates.empty() ? radial.injection_rate == 0.0 : std::ranges::find(rates, 0.0) != rates.end();
    const PhysicsCotangents of_rest = has_rest ? cotangents : PhysicsCotangents{};  // before those of masses are fields
    const std::span<const double> by_injected = series_cotangents(cotangents, "mass_injected");
    const LedgerFields fields = recorded.fields(radial.times.size());
    RadialCaseGradient gradient = zero_gradient(radial);
    if (has_ledger_cotangents(cotangents)) {
        add_ledger_cotangents(radial, fields, cotangents, gradient, name);
    }
    const std::vector<double> buildup = buildup_cotangents(radial, cotangents, fields.buildup);
    two_phase::Simulation& simulation = recorded.simulation();
    SimulationCotangents by(simulation, slopes);
    two_phase::StepAdjoint adjoint(simulation, by);
    two_phase::StepStages stages(simulation.reservoir().columns, simulation.reservoir().rows);
    State by_state = zero_cotangents(simulation);
    gradient.rates.resize(radial.schedule.rates.size());
    auto share = recorded.shares().rbegin();
    for (std::size_t steps = recorded.steps().size(); steps > 0; --steps) {
        for (; share != recorded.shares().rend() && share->steps == steps; ++share) {
            add_snapshot(recorded, *share, buildup, cotangents, by_state, by);
            by_state.injected +=
                by_injected.empty() ? 0.0 : share->share * by_injected[share->snapshot] / kilograms_per_megatonne;
        }
        by_state.well = by_pressure[steps];
        const TakenStep& taken = recorded.steps()[steps - 1];
        simulation.repeat(taken, stages);
        adjoint.back(stages, by_state);
        add_rate_cotangent(radial, taken.end - taken.days, taken.end, std::exchange(by.mass_rate, 0.0), gradient);
    }
    gradient.retaken_steps = recorded.retaken_steps();
    add_input_cotangents(radial, simulation, by, gradient);
    add_injection_fluid_cotangents(radial, cotangents, gradient);
    if (has_rest) {
        const RadialCase injecting = injecting_at_rest(radial);
        take_rates_at_rest(radial, case_gradient(injecting, substeps, of_rest, name, slopes, formulation), gradient);
    }
    return gradient;
}

RadialCaseGradient two_phase_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                      const std::string& name, int version) {
    require_known_physics(version, name + ": physics.version");
    return two_phase::case_gradient(radial, substeps, cotangents, name, two_phase::TableSlopes::smooth,
                                    two_phase::formulation_of(version));
}

}  // namespace plumecast
