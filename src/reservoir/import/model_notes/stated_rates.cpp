#include "reservoir/import/model_notes/stated_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/units.hpp"

namespace plumecast {
namespace {

bool are_same_rates(double one, double other) {
    constexpr double tolerance = 0.01;
    return std::abs(one - other) <= tolerance * std::max(one, other);
}

double sum_of_wells(const CaseValues& values) {
    return std::accumulate(values.wells.begin(), values.wells.end(), 0.0,
                           [](double sum, const WellValues& well) { return sum + well.rate; });
}

}  // namespace

std::optional<double> stated_rate(const CaseValues& values) {
    return values.injection_rate || values.wells.empty() ? values.injection_rate : sum_of_wells(values);
}

void note_wells_departure(const CaseValues& values, std::vector<std::string>& notes) {
    const double sum = sum_of_wells(values);
    if (!values.injection_rate || sum == 0.0 || are_same_rates(*values.injection_rate, sum)) {
        return;
    }
    notes.push_back(fmt::format(
        "injection_rate states {:.4g} Mt/year, but the rates of wells add up to {:.4g} Mt/year (they are scaled to "
        "injection_rate, which counts); correct one of them, or leave injection_rate out",
        *values.injection_rate, sum));
}

void note_run_departure(const CaseValues& values, double yearly_volume, std::vector<std::string>& notes) {
    const std::optional<double> stated = stated_rate(values);
    const double of_run = yearly_volume * values.surface_density.value_or(0.0) / kilograms_per_megatonne;
    if (!stated || !values.surface_density || are_same_rates(*stated, of_run)) {
        return;
    }
    notes.push_back(fmt::format(
        "the values state {:.4g} Mt/year (injection_rate, or the rates of wells), but what the run injects is {:.4g} "
        "Mt/year by surface_density (the stated rate counts for injected masses, surface_density for dissolved CO2, so "
        "that these do not balance); correct one of them, or leave the rate out",
        *stated, of_run));
}

}  // namespace plumecast
