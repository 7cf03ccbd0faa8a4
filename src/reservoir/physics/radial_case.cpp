#include <plumecast/reservoir/physics/radial_case.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/physics/case_checks.hpp"

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

void check_injection(const CaseChecks& check, const std::string& name, const RadialCase& radial) {
    constexpr double highest_rate = 1e6;
    check.range("injection_rate [Mt/year]", radial.injection_rate, 0.0, highest_rate,
                "CO2 is injected at a known rate");
    const auto& [ends, rates] = radial.schedule;
    if (ends.size() != rates.size()) {
        throw InvalidInput(fmt::format(
            "{}: the schedule has {} ends and {} rates (each period has one of both); give as many rates as ends", name,
            ends.size(), rates.size()));
    }
    for (std::size_t period = 0; period < ends.size(); ++period) {
        const double start = period > 0 ? ends[period - 1] : 0.0;
        if (!(std::isfinite(ends[period]) && ends[period] > start)) {
            throw InvalidInput(
                fmt::format("{}: period {} of the schedule ends on day {} (it begins on day {:g}, and periods follow "
                            "each other from day 0 on); give ends that increase",
                            name, period, number_text(ends[period]), start));
        }
        check.range(fmt::format("the rate of period {} of the schedule [Mt/year]", period).c_str(), rates[period], 0.0,
                    highest_rate, "CO2 is injected at a known rate");
    }
}

void check_fluids(const CaseChecks& check, const RadialCase& radial) {
    check.state(radial.initial_pressure, radial.temperature, radial.salinity, radial.z_edges.back());
    const RockFluidSettings& rock = radial.rock_fluid;
    check.range("residual_gas_saturation", rock.residual_gas_saturation, 0.0, 0.95, "it is a share of the pores");
    check.range("irreducible_water_saturation", radial.irreducible_water_saturation, 0.0,
                0.99 - rock.residual_gas_saturation, "gas needs room beside water and residual gas");
    check.range("residual_gas_saturation of hysteresis", radial.residual_gas_saturation, 0.0,
                std::min(0.5, 0.99 - radial.irreducible_water_saturation), "brine traps a share of the pores");
    check.range("van_genuchten_lambda", radial.van_genuchten_lambda, 0.01, 0.99, "the exponent lies between 0 and 1");
    check.range("entry_pressure [bar]", rock.entry_pressure, 0.0, 1e3, "a capillary pressure is not negative");
    check.compressibility(rock.rock_compressibility);
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

void RadialCase::check(const std::string& name) const {
    const CaseChecks check(name);
    check.increasing("r_edges [m]", r_edges, 2);
    check.range("the well's radius, first of r_edges [m],", r_edges.front(), 1e-3, 1e3,
                "the flow into a point has no finite pressure");
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
    check_injection(check, name, *this);
    check_fluids(check, *this);
}

}  // namespace plumecast
