#include "case_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"
#include "reservoir/simulation/deck.hpp"

namespace plumecast {
namespace {

// A saturation may leave [0, 1] by this much, from the simulator's tolerances; it is then limited.
constexpr double rounding = 1e-4;
constexpr double trace_of_gas = 1e-9;      // saturation up to which a cell counts as free of gas
constexpr double rounding_of_days = 1e-6;  // of a day that is the sum of the steps before it, relative
constexpr double largest_drift = 1e-3;     // of pressures before anything is injected [bar]

using Problem = std::optional<CaseProblem>;

Problem check_finite(const Snapshot& snapshot) {
    for (const auto* field : {&snapshot.pressure, &snapshot.gas_saturation, &snapshot.dissolved_ratio,
                              &snapshot.inverse_gas_volume, &snapshot.inverse_brine_volume}) {
        if (!std::ranges::all_of(*field, [](double value) { return std::isfinite(value); })) {
            return CaseProblem{Rejection::not_finite, fmt::format("day {:.4g}", snapshot.time)};
        }
    }
    return std::nullopt;
}

Problem check_saturation(const Snapshot& snapshot) {
    const auto [low, high] = std::ranges::minmax(snapshot.gas_saturation);
    if (low < -rounding || high > 1.0 + rounding) {
        return CaseProblem{Rejection::saturation_range,
                           fmt::format("{:.6g} to {:.6g} on day {:.4g}", low, high, snapshot.time)};
    }
    return std::nullopt;
}

/// A well with a limit of its pressure may inject less than was asked for.
Problem check_injection(const CheckSettings& limits, const InjectionSchedule& injection, bool has_pressure_limit,
                        const Snapshot& snapshot) {
    const double asked = surface_rate(injection.injected(snapshot.time) * days_per_year);  // a year's rate for a day
    const double error = snapshot.injected / asked - 1.0;
    const bool is_less = has_pressure_limit && error <= 0.0;
    if (!is_less && !(std::abs(error) <= limits.injection_error)) {  // a NaN too
        return CaseProblem{Rejection::injection,
                           fmt::format("{:+.2g} of what was asked for until day {:.4g}", error, snapshot.time)};
    }
    return std::nullopt;
}

/// Before anything is injected: brine in hydrostatic equilibrium.
Problem check_rest(const FlowResults& results, const Snapshot& snapshot) {
    if (!(snapshot.injected <= 0.0)) {  // a NaN too
        return CaseProblem{Rejection::injection, fmt::format("{:.3g} sm3 before day {:.4g}, none asked for",
                                                             snapshot.injected, snapshot.time)};
    }
    double drift = 0.0;
    for (std::size_t cell = 0; cell < snapshot.pressure.size(); ++cell) {
        drift = std::max(drift, std::abs(snapshot.pressure[cell] - results.initial_pressure[cell]));
    }
    if (drift > largest_drift) {
        return CaseProblem{Rejection::not_at_rest, fmt::format("{:.2g} bar on day {:.4g}", drift, snapshot.time)};
    }
    return std::nullopt;
}

Problem check_mass(const CheckSettings& limits, const FlowResults& results, const Snapshot& snapshot,
                   double reference_pressure, double compressibility) {
    const double error = co2_in_place(results, snapshot, reference_pressure, compressibility) / snapshot.injected - 1.0;
    if (!(std::abs(error) <= limits.mass_error)) {
        return CaseProblem{Rejection::mass_balance,
                           fmt::format("{:+.2g} of what was injected until day {:.4g}", error, snapshot.time)};
    }
    return std::nullopt;
}

Problem check_dissolved(const CheckSettings& limits, const Snapshot& snapshot) {
    double beside_gas = 0.0;
    double without_gas = 0.0;
    for (std::size_t cell = 0; cell < snapshot.gas_saturation.size(); ++cell) {
        double& most = snapshot.gas_saturation[cell] > trace_of_gas ? beside_gas : without_gas;
        most = std::max(most, snapshot.dissolved_ratio[cell]);
    }
    if (beside_gas > 0.0 && without_gas > limits.supersaturation * beside_gas) {
        return CaseProblem{Rejection::supersaturation, fmt::format("{:.3g} times saturation on day {:.4g}",
                                                                   without_gas / beside_gas, snapshot.time)};
    }
    return std::nullopt;
}

}  // namespace

double co2_in_place(const FlowResults& results, const Snapshot& snapshot, double reference_pressure,
                    double compressibility) {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < results.pore_volume.size(); ++cell) {
        const double x = compressibility * (snapshot.pressure[cell] - reference_pressure);
        const double pores = results.pore_volume[cell] * (1.0 + x + 0.5 * x * x);
        const double gas = snapshot.gas_saturation[cell];
        sum += pores * (gas * snapshot.inverse_gas_volume[cell] +
                        (1.0 - gas) * snapshot.dissolved_ratio[cell] * snapshot.inverse_brine_volume[cell]);
    }
    return sum;
}

std::optional<CaseProblem> check_case(const CheckSettings& limits, const Reservoir& reservoir,
                                      const FlowResults& results) {
    return check_case(limits, reservoir.inputs, results, reservoir.rock_fluid.rock_compressibility);
}

std::optional<CaseProblem> check_case(const CheckSettings& limits, const SampledCase& inputs,
                                      const FlowResults& results, double compressibility) {
    const InjectionSchedule injection = injection_of(inputs);
    const bool has_limit = inputs.bottom_hole_pressure_limit > 0.0;
    for (const Snapshot& snapshot : results.snapshots) {
        const bool injects = injection.injected(snapshot.time * (1.0 - rounding_of_days)) > 0.0;
        for (const Problem& problem :
             {check_finite(snapshot), check_saturation(snapshot),
              injects ? check_injection(limits, injection, has_limit, snapshot) : check_rest(results, snapshot),
              injects ? check_mass(limits, results, snapshot, inputs.initial_pressure, compressibility) : std::nullopt,
              check_dissolved(limits, snapshot)}) {
            if (problem) {
                return problem;
            }
        }
    }
    return std::nullopt;
}

}  // namespace plumecast
