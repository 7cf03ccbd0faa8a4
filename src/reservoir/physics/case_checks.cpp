#include "reservoir/physics/case_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/physics/brine.hpp"

namespace plumecast {
namespace {

constexpr double lowest_temperature = 12.0;    // [degC]
constexpr double highest_temperature = 170.0;  // [degC]
constexpr double lowest_pressure = 1.0;        // [bar]
constexpr double highest_pressure = 1000.0;    // [bar]
constexpr double highest_salinity = 0.25;      // [kg/kg]; halite falls out above 0.26

}  // namespace

void CaseChecks::size(const char* what, std::size_t found, std::size_t expected) const {
    if (found != expected) {
        throw InvalidInput(fmt::format("{}: {} has {} values (the grid has {}); give one value for each cell", name_,
                                       what, found, expected));
    }
}

void CaseChecks::increasing(const char* what, const std::vector<double>& values, std::size_t fewest) const {
    if (values.size() < fewest) {
        throw InvalidInput(fmt::format("{}: {} has {} values (at least {} are needed); give more", name_, what,
                                       values.size(), fewest));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::isfinite(values[i]) && (i == 0 || values[i] > values[i - 1]))) {
            throw InvalidInput(
                fmt::format("{}: value {} of {} is {} (values must be finite and increase); correct the grid", name_, i,
                            what, number_text(values[i])));
        }
    }
}

void CaseChecks::range(const char* what, double value, double low, double high, const std::string& why) const {
    // Files hold float32: 0.99 is 0.9900000095 there, and lies on its bound all the same.
    const auto rounded = static_cast<float>(value);
    if (!(rounded >= static_cast<float>(low) && rounded <= static_cast<float>(high))) {
        throw InvalidInput(fmt::format("{}: {} is {} ({}, from {:g} to {:g}); correct the case or leave it out", name_,
                                       what, number_text(value), why, low, high));
    }
}

void CaseChecks::rock(const char* what, const std::vector<double>& values, double high, const std::vector<char>& active,
                      const std::function<std::string(std::size_t)>& place) const {
    size(what, values.size(), active.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (active[i] != 0 && !(values[i] > 0.0 && values[i] <= high)) {
            throw InvalidInput(fmt::format(
                "{}: {} of the active cell in {} is {} (nothing flows or is stored without a value above 0 and up to "
                "{:g}); correct it or mark the cell as inactive",
                name_, what, place(i), number_text(values[i]), high));
        }
    }
}

void CaseChecks::state(double initial_pressure, double temperature, double salinity, double height) const {
    const std::string why = "the properties of CO2 and brine are known there";
    range("temperature [degC]", temperature, lowest_temperature, highest_temperature, why);
    range("initial_pressure [bar]", initial_pressure, lowest_pressure, highest_pressure, why);
    range("salinity", salinity, 0.0, highest_salinity, why);
    range("the initial pressure at the bottom [bar]",
          hydrostatic_pressure(initial_pressure, temperature, salinity, height), lowest_pressure, highest_pressure,
          why);
}

void CaseChecks::compressibility(double rock) const {
    range("rock_compressibility [1/bar]", rock, 0.0, 0.1, "pores grow a little with pressure");
}

void CaseChecks::saturation_functions(double irreducible_water, double residual_gas, double lambda,
                                      double entry) const {
    range("residual_gas_saturation", residual_gas, 0.0, 0.95, "it is a share of the pores");
    range("irreducible_water_saturation", irreducible_water, 0.0, 0.99 - residual_gas,
          "gas needs room beside water and residual gas");
    range("van_genuchten_lambda", lambda, 0.01, 0.99, "the exponent lies between 0 and 1");
    range("entry_pressure [bar]", entry, 0.0, 1e3, "a capillary pressure is not negative");
}

void CaseChecks::rate(const char* what, double value) const {
    constexpr double highest_rate = 1e6;
    range(what, value, 0.0, highest_rate, "CO2 is injected at a known rate");
}

void CaseChecks::schedule(const std::vector<double>& ends, const std::vector<double>& rates) const {
    if (ends.size() != rates.size()) {
        throw InvalidInput(fmt::format(
            "{}: the schedule has {} ends and {} rates (each period has one of both); give as many rates as ends",
            name_, ends.size(), rates.size()));
    }
    for (std::size_t period = 0; period < ends.size(); ++period) {
        const double start = period > 0 ? ends[period - 1] : 0.0;
        if (!(std::isfinite(ends[period]) && ends[period] > start)) {
            throw InvalidInput(
                fmt::format("{}: period {} of the schedule ends on day {} (it begins on day {:g}, and periods follow "
                            "each other from day 0 on); give ends that increase",
                            name_, period, number_text(ends[period]), start));
        }
        rate(fmt::format("the rate of period {} of the schedule [Mt/year]", period).c_str(), rates[period]);
    }
}

}  // namespace plumecast
