#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "core/units.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/ledger_cotangents.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/adaptive_steps.hpp"
#include "reservoir/physics/two_phase/adjoint/case_gradient.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"
#include "support/long_tests.hpp"

namespace plumecast {

/// Layers in rings that CO2 does not pass a billion times over in a step, which would cost the differences nine digits.
inline RadialCase layers_in_wide_rings(std::size_t rows, std::size_t columns, unsigned seed) {
    RadialCase radial = layered_radial_case(rows, columns, seed, {4.0, 100.0, 3.0});
    for (std::size_t i = 0; i <= columns; ++i) {
        radial.r_edges[i] = 10.0 * std::pow(1e3, static_cast<double>(i) / static_cast<double>(columns));
    }
    radial.injection_rate = 0.1 * static_cast<double>(rows);
    return radial;
}

/// The same with an inactive row below, a row that the well does not open, and an inactive cell.
inline RadialCase wide_rings_with_inactive_cells() {
    RadialCase radial = layers_in_wide_rings(5, 12, 3);
    std::fill_n(radial.active.begin() + 48, 12, 0);
    radial.active[18] = 0;
    radial.perforation[12] = 0.0;
    radial.initial_pressure = 204.3;  // at 200 bar a cell stands within 1e-6 of a row of the table, where slopes jump
    return radial;
}

/// With saturations weighed as much as bars.
inline PhysicsCotangents drawn_weights(const RadialCase& radial, const std::vector<std::string>& names) {
    PhysicsCotangents weights = random_physics_weights(radial, names);
    if (const auto found = weights.fields.find("physics_gas_saturation"); found != weights.fields.end()) {
        for (double& weight : found->second) {
            weight *= 30.0;
        }
    }
    return weights;
}

/// The derivative of the equations as they stand: differences that are small enough take no cell across a row of the
/// table of CO2.
inline RadialCaseGradient exact_gradient(const RadialCase& radial, const two_phase::StepCount& count,
                                         const PhysicsCotangents& weights) {
    return two_phase::case_gradient(radial, count, weights, "the case", two_phase::TableSlopes::piecewise);
}
inline RadialCaseGradient exact_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& weights) {
    return exact_gradient(radial, two_phase::step_count(radial, substeps), weights);
}

/// Trapped part of the saturation of each cell, with hysteresis.
inline std::vector<double> trapped_saturation(const two_phase::Simulation& simulation, const two_phase::State& state) {
    std::vector<double> values(state.peak.size());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = std::min(state.saturation[cell], simulation.curves().land().trapped(state.peak[cell]));
    }
    return values;
}

/// Dissolved CO2 per pore volume [kg/m3] of each cell.
inline std::vector<double> dissolved_co2(const two_phase::State& state) {
    std::vector<double> values(state.dissolved.size());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = state.dissolved[cell] * (1.0 - state.saturation[cell]);
    }
    return values;
}

/// Pressure in the well at each time as two_phase_fields() joins it [bar], in double precision; NaN at rest.
inline std::vector<double> bottom_hole_pressures(two_phase::RecordedCase& recorded, std::size_t times) {
    std::vector<double> pressures(times, std::numeric_limits<double>::quiet_NaN());
    two_phase::Simulation& simulation = recorded.simulation();
    two_phase::StepStages stages(simulation.reservoir().columns, simulation.reservoir().rows);
    for (const auto& [steps, snapshot, share] : recorded.shares()) {
        if (steps > 0) {
            simulation.repeat(recorded.steps()[steps - 1], stages);
        }
        double& pressure = pressures[snapshot];
        const double now = simulation.bottom_hole_pressure();
        if (steps == 0 || simulation.mass_rate() == 0.0) {
            pressure = std::numeric_limits<double>::quiet_NaN();
        } else {
            pressure = std::isnan(pressure) ? now : (1.0 - share) * pressure + share * now;
        }
    }
    return pressures;
}

/// The weighted sum of fields in double precision, by steps that are solved as those of the gradient are.
inline double exact_sum(const RadialCase& radial, const two_phase::StepCount& count, const PhysicsCotangents& weights) {
    two_phase::RecordedCase recorded = two_phase::recorded_case(radial, count, "the case");
    double sum = 0.0, squares = 0.0;
    std::vector<double> buildup(radial.times.size() * radial.cells());
    std::map<std::string, std::vector<double>, std::less<>> series;
    series["mass_injected"].resize(radial.times.size());
    for (const auto& [steps, snapshot, share] : recorded.shares()) {
        const two_phase::State& state = recorded.state(steps);
        const auto add = [&](const char* name, const std::vector<double>& values) {
            if (const auto found = weights.fields.find(name); found != weights.fields.end()) {
                recorded.visit_cells(snapshot, [&, part = share](std::size_t cell, std::size_t place) {
                    sum += part * found->second[place] * (values.empty() ? 0.0 : values[cell]);
                });
            }
        };
        add("physics_pressure_buildup", state.buildup);
        add("physics_gas_saturation", state.saturation);
        add("physics_dissolved_co2", dissolved_co2(state));
        add("physics_trapped_gas_saturation", trapped_saturation(recorded.simulation(), state));
        recorded.visit_cells(snapshot, [&, part = share](std::size_t cell, std::size_t place) {
            buildup[place] += part * state.buildup[cell];
        });
        series["mass_injected"][snapshot] += share * state.injected / kilograms_per_megatonne;
    }
    if (has_ledger_cotangents(weights)) {
        series.merge(ledger_series(radial, recorded.fields(radial.times.size())));
    }
    if (weights.series.contains("bottom_hole_pressure")) {
        series["bottom_hole_pressure"] = bottom_hole_pressures(recorded, radial.times.size());
    }
    for (const auto& [name, by] : weights.series) {
        for (std::size_t time = 0; time < by.size(); ++time) {
            const double value = series.at(name)[time];
            sum += std::isnan(value) ? 0.0 : by[time] * value;
        }
    }
    for (const double value : buildup) {
        squares += value * value;
    }
    const auto active = static_cast<double>(std::ranges::count_if(radial.active, [](char cell) { return cell != 0; }));
    const InjectionFluids fluids = injection_fluids(radial);
    const std::map<std::string, double> scalars = {
        {"physics_buildup_rms", std::sqrt(squares / (active * static_cast<double>(radial.times.size())))},
        {"physics_viscosity_ratio", fluids.viscosity_ratio()},
        {"physics_co2_density", fluids.co2_density}};
    for (const auto& [name, weight] : weights.scalars) {
        sum += weight * scalars.at(name);
    }
    return sum;
}

/// Of the cells of maps every third is tried, which is one in each neighbourhood of rows and columns; all in the label
/// long, every seventeenth with sanitizers.
inline std::size_t map_stride() { return testing::are_tests_long() ? 1 : testing::are_tests_short() ? 17 : 3; }

/// How the derivatives by the entries of an input agree with differences.
struct Agreement {
    double off = 0.0;  ///< root of squares, relative to that of the differences or to a thousandth of that by rates
    std::size_t rough = 0;   ///< entries that do not count in it, at which no step shows the slope
    double beyond = 0.0;     ///< largest deviation at these, in what their differences disagree by
    double rough_off = 0.0;  ///< as `off`, of these alone
};

/// Central differences of exact_sum() by the logarithms of inputs. Short steps show the rounding of the sum, long ones
/// pass kinks. So each difference is taken with steps a factor of 4 apart, long ones first, until two of them agree and
/// what the slopes of both sides differ by grows with the step, as it does beside no kink. The two that agree best are
/// extrapolated (Richardson). Derivatives have no part in the choice.
class Differences {
   public:
    Differences(const RadialCase& radial, const two_phase::StepCount& count, const PhysicsCotangents& weights)
        : radial_(radial), count_(count), weights_(weights), sum_(sum()) {
        least_ = 1e-3 * std::abs(at(1, radial_.injection_rate).slope);
        for (double& rate : radial_.schedule.rates) {
            least_ = std::max(least_, 1e-3 * std::abs(at(1, rate).slope));
        }
    }

    Agreement by(std::vector<double>& input, const std::vector<double>& slopes) {
        std::vector<double*> entries;
        std::vector<double> expected;
        const bool is_map = input.size() == radial_.cells();
        for (std::size_t i = 0; i < input.size(); i += is_map ? map_stride() : 1) {
            if (!is_map || radial_.active[i] != 0) {
                entries.push_back(&input[i]);
                expected.push_back(slopes[i] * input[i]);
            }
        }
        return agreement(entries, expected);
    }
    Agreement by(double& input, double slope) { return agreement({&input}, {slope * input}); }
    /// By the logarithm of an input over a relative step of one's own.
    double central(double& input, double step) { return over(step, input).slope; }
    RadialCase& radial() { return radial_; }

   private:
    /// Slope, and by how much it is larger ahead than behind.
    struct Slopes {
        double slope, bend;
    };
    struct Stable {
        double slope = 0.0, doubt = std::numeric_limits<double>::infinity();
    };

    double sum() const { return exact_sum(radial_, count_, weights_); }

    Slopes at(int power, double& input) { return over(4e-6 * std::pow(4.0, power), input); }
    Slopes over(double step, double& input) {
        const double value = input;
        const auto moved = [&](double change) {
            input = value * (1.0 + change);
            const double there = sum();
            input = value;
            return there;
        };
        const double ahead = moved(step), behind = moved(-step);
        return {(ahead - behind) / (2.0 * step), (ahead - 2.0 * sum_ + behind) / step};
    }

    /// From the slopes with the longest step on.
    Stable stable(double& input, Slopes coarse, double size) {
        Stable best;
        for (int power = 2; power >= -2 && best.doubt > agreed * size; --power) {
            const Slopes fine = at(power, input);
            const double doubt = std::abs(fine.slope - coarse.slope) + std::abs(4.0 * fine.bend - coarse.bend) / 6.0;
            if (doubt < best.doubt) {
                best = {(16.0 * fine.slope - coarse.slope) / 15.0, doubt};
            }
            coarse = fine;
        }
        return best;
    }

    Agreement agreement(const std::vector<double*>& entries, const std::vector<double>& expected) {
        double squares = 0.0, off = 0.0, rough_off = 0.0;
        std::vector<Slopes> longest;
        for (double* entry : entries) {
            longest.push_back(at(3, *entry));
            squares += std::pow(longest.back().slope, 2);
        }
        const double size = std::max(std::sqrt(squares), least_);
        Agreement result;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Stable found = stable(*entries[i], longest[i], size);
            const double deviation = std::abs(found.slope - expected[i]);
            if (found.doubt > doubtful * size) {
                ++result.rough;
                result.beyond = std::max(result.beyond, deviation / found.doubt);
                rough_off += deviation * deviation;
            } else {
                off += deviation * deviation;
            }
        }
        result.off = std::sqrt(off) / size;
        result.rough_off = std::sqrt(rough_off) / size;
        return result;
    }

    static constexpr double agreed = 5e-7, doubtful = 5e-6;

    RadialCase radial_;
    two_phase::StepCount count_;
    const PhysicsCotangents& weights_;
    double sum_, least_ = 0.0;
};

/// Differences that are rough, as those by the initial pressure where a front stands at the edge of a cell, disagree
/// among themselves by a little more than this.
inline constexpr double rough_agreement = 3e-4;

/// Expects derivatives within a bound of their differences, and by entries whose differences are rough within what
/// these disagree by, and within a wider bound. Returns how many these are.
inline std::size_t expect_agreement(const Agreement& found, double bound, double rough_bound = rough_agreement) {
    EXPECT_LT(found.off, bound);
    EXPECT_LT(found.beyond, 3.0);
    EXPECT_LT(found.rough_off, rough_bound);
    return found.rough;
}

/// Of the 71 to 195 entries of a case.
inline std::size_t most_rough() { return map_stride() == 1 ? 18 : 10; }

/// Expects derivatives by all inputs within 1e-5 of their differences, few of which may be rough.
inline void expect_two_phase_gradient(const RadialCase& given, const two_phase::StepCount& count,
                                      const PhysicsCotangents& weights, double rough_bound = rough_agreement) {
    const RadialCaseGradient gradient = exact_gradient(given, count, weights);
    Differences differences(given, count, weights);
    RadialCase& radial = differences.radial();
    std::vector<std::pair<std::string, Agreement>> found = {
        {"permeability_r", differences.by(radial.permeability_r, gradient.permeability_r)},
        {"permeability_z", differences.by(radial.permeability_z, gradient.permeability_z)},
        {"porosity", differences.by(radial.porosity, gradient.porosity)},
        {"perforation", differences.by(radial.perforation, gradient.perforation)},
        {"injection_rate", differences.by(radial.injection_rate, gradient.injection_rate)},
        {"rates", differences.by(radial.schedule.rates, gradient.rates)},
        {"initial_pressure", differences.by(radial.initial_pressure, gradient.initial_pressure)},
        {"temperature", differences.by(radial.temperature, gradient.temperature)},
        {"irreducible_water_saturation",
         differences.by(radial.irreducible_water_saturation, gradient.irreducible_water_saturation)},
        {"van_genuchten_lambda", differences.by(radial.van_genuchten_lambda, gradient.van_genuchten_lambda)},
        {"salinity", differences.by(radial.salinity, gradient.salinity)},
        {"residual_gas_saturation", differences.by(radial.residual_gas_saturation, gradient.residual_gas_saturation)}};
    if (given.has_pressure_limit()) {
        found.emplace_back("bottom_hole_pressure_limit",
                           differences.by(radial.bottom_hole_pressure_limit, gradient.bottom_hole_pressure_limit));
    }
    if (given.has_dissolution_limit()) {
        found.emplace_back("dissolution_rate_limit",
                           differences.by(radial.dissolution_rate_limit, gradient.dissolution_rate_limit));
    }
    std::size_t left_out = 0;
    for (const auto& [name, agreement] : found) {
        SCOPED_TRACE(name);
        left_out += expect_agreement(agreement, 1e-5, rough_bound);
        ::testing::Test::RecordProperty(name, fmt::format("{:.1e}, {} rough", agreement.off, agreement.rough));
    }
    EXPECT_LE(left_out, most_rough());
}

inline void expect_two_phase_gradient(const RadialCase& given, int substeps, const PhysicsCotangents& weights,
                                      double rough_bound = rough_agreement) {
    expect_two_phase_gradient(given, two_phase::step_count(given, substeps), weights, rough_bound);
}

/// A ramp, a pause and a stop with eleven years after it; times in each of them.
inline RadialCase ramp_pause_and_stop() {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.times = {2.0, 40.0, 300.0, 700.0, 4800.0};
    radial.schedule = {{1.0, 20.0, 60.0, 350.0, 600.0}, {0.1, 0.3, 0.0, 0.25, 0.4}};
    return radial;
}

/// The adjoint goes back through whatever steps were taken: of few and long ones the differences are sharp.
inline two_phase::StepCount few_steps(int substeps, double grows_from = 200.0, int times_at_end = 2) {
    return {.substeps = substeps, .times_at_end = times_at_end, .grows_from = grows_from};
}

}  // namespace plumecast
