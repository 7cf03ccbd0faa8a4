#include <plumecast/reservoir/physics/radial_case.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/case_checks.hpp"
#include "reservoir/physics/temperature_profile.hpp"

namespace plumecast {
namespace {

void check_perforation(const CaseChecks& check, const std::string& name, const RadialCase& radial) {
    check.size("perforation", radial.perforation.size(), radial.cells());
    bool open = false;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        if (radial.active[cell] != 0) {
            check.range("perforation of a cell", radial.perforation[cell], 0.0, 1.0, "it is a share of its height");
            open = open || radial.perforation[cell] > 0.0;
        }
    }
    if (!open) {
        throw InvalidInput(
            fmt::format("{}: no active cell of the first column is perforated (the well could not "
                        "inject); set perforation in at least one of them",
                        name));
    }
}

/// A limit lets CO2 into the formation: it is above the initial pressure beside it.
void check_pressure_limit(const CaseChecks& check, const RadialCase& radial) {
    if (!radial.has_pressure_limit()) {
        return;
    }
    std::size_t row = 0;
    while (radial.active[row * radial.columns()] == 0 || radial.perforation[row * radial.columns()] == 0.0) {
        ++row;
    }
    const double depth = 0.5 * (radial.z_edges[row] + radial.z_edges[row + 1]);
    check.range("bottom_hole_pressure_limit [bar]", radial.bottom_hole_pressure_limit,
                hydrostatic_pressure(radial.initial_pressure, radial.temperatures().initial_brine_above(depth),
                                     radial.salinity, depth),
                1e4, "below the initial pressure of the uppermost perforated cell nothing could be injected");
}

}  // namespace

double InjectionSchedule::rate(double day) const {
    const auto period = std::ranges::lower_bound(ends, day);
    return period == ends.end() ? 0.0 : rates[static_cast<std::size_t>(period - ends.begin())];
}

double InjectionSchedule::injected(double day) const {
    double sum = 0.0, start = 0.0;
    for (std::size_t period = 0; period < ends.size() && start < day; ++period) {
        sum += rates[period] * (std::min(ends[period], day) - start);
        start = ends[period];
    }
    return sum / days_per_year;
}

double InjectionSchedule::largest_rate() const { return rates.empty() ? 0.0 : *std::ranges::max_element(rates); }

InjectionSchedule InjectionSchedule::joined() const {
    InjectionSchedule fewest;
    for (std::size_t period = 0; period < ends.size(); ++period) {
        if (fewest.rates.empty() || fewest.rates.back() != rates[period]) {
            fewest.ends.push_back(ends[period]);
            fewest.rates.push_back(rates[period]);
        } else {
            fewest.ends.back() = ends[period];
        }
    }
    if (!fewest.rates.empty() && fewest.rates.back() == 0.0) {
        fewest.ends.pop_back();
        fewest.rates.pop_back();
    }
    return fewest;
}

InjectionSchedule RadialCase::injection() const {
    return schedule.ends.empty() ? InjectionSchedule{{std::numeric_limits<double>::infinity()}, {injection_rate}}
                                 : schedule.joined();
}

TemperatureProfile RadialCase::temperatures() const {
    return {temperature, middle_depth(z_edges, active), rock_fluid.temperature_gradient,
            rock_fluid.initial_brine_temperature};
}

void RadialCase::check(const std::string& name) const {
    const CaseChecks check(name);
    check.increasing("r_edges [m]", r_edges, 2);
    check.range("the well's radius, first of r_edges [m],", r_edges.front(), least_well_radius, 1e3, why_well_radius);
    check.increasing("z_edges [m]", z_edges, 2);
    check.range("the first of z_edges [m]", z_edges.front(), 0.0, 1e4, "the top of the formation is at 0");
    check.increasing("times [day]", times, 1);
    check.range("the first of times [day]", times.front(), 1e-6, 1e9, "injection starts at 0, when all fields are 0");
    check.size("active", active.size(), cells());
    const auto place = [this](std::size_t cell) {
        return fmt::format("row {}, column {}", cell / columns(), cell % columns());
    };
    check.rock("permeability_r [mD]", permeability_r, 1e9, active, place);
    check.rock("permeability_z [mD]", permeability_z, 1e9, active, place);
    check.rock("porosity", porosity, 1.0, active, place);
    check_perforation(check, name, *this);
    check.rate("injection_rate [Mt/year]", injection_rate);
    check.schedule(schedule.ends, schedule.rates);
    if (const double gradient = rock_fluid.temperature_gradient; !std::isnan(gradient)) {
        check.range("temperature_gradient [degC/m]", gradient, 0.0, 0.2, "it is that of the Earth's crust");
    }
    for (const double edge : {z_edges.front(), active_base(z_edges, active)}) {
        check.state(initial_pressure, temperatures().at(edge), salinity, z_edges.back());
    }
    check.saturation_functions(irreducible_water_saturation, rock_fluid.residual_gas_saturation, van_genuchten_lambda,
                               rock_fluid.entry_pressure);
    check.range("residual_gas_saturation of hysteresis", residual_gas_saturation, 0.0,
                std::min(0.5, 0.99 - irreducible_water_saturation), "brine traps a share of the pores");
    check.compressibility(rock_fluid.rock_compressibility);
    check_pressure_limit(check, *this);
    if (!(dissolution_rate_limit >= 0.0)) {
        throw InvalidInput(fmt::format(
            "{}: dissolution_rate_limit [kg/(m3 year)] is {:g} (it is a rate at which brine takes up CO2); give 0 or "
            "more, or infinity where gas and brine are in equilibrium",
            name, dissolution_rate_limit));
    }
}

}  // namespace plumecast
