#include "reservoir/metrics/case_series.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/metrics/series_view.hpp"

namespace plumecast {
namespace {

constexpr double highest_known_pressure = 1000.0;  // [bar], up to which CO2 has a known density

void add_plume(const SeriesView& view, std::vector<NamedSeries>& series) {
    for (const double threshold : view.options.thresholds) {
        if (!(threshold >= 0.0 && threshold < 1.0)) {
            throw InvalidInput(fmt::format(
                "threshold {} is no saturation that a plume exceeds (it must be 0 or more and below 1); choose for "
                "example 0.01",
                number_text(threshold)));
        }
        std::vector<PlumeSize> sizes;
        for (std::size_t time = 0; time < view.times.size(); ++time) {
            sizes.push_back(size_of(view.plume(time, threshold), view.geometry()));
        }
        const auto add = [&](const char* name, double PlumeSize::*member, double PlumeSize::*resolution) {
            series.push_back(named_series(fmt::format("{}_{:g}", name, threshold), pick(sizes, member),
                                          resolution != nullptr ? pick(sizes, resolution) : std::vector<double>(),
                                          fmt::format(", gas saturation above {:g}", threshold)));
        };
        add("plume_radius", &PlumeSize::radius, &PlumeSize::resolution);
        add("plume_area", &PlumeSize::area, &PlumeSize::area_resolution);
        add("plume_thickness", &PlumeSize::thickness, nullptr);
        add("plume_footprint", &PlumeSize::footprint, &PlumeSize::area_resolution);
    }
}

/// First time after the last injection from which the plume radius stays within a hundredth of its last value [year];
/// NaN where that is the last time itself, or injection does not end before it.
double stabilisation(const SeriesView& view, const std::vector<double>& radius) {
    constexpr double near = 0.01;
    const double never = std::numeric_limits<double>::quiet_NaN();
    if (view.fields.schedule.ends.empty()) {
        return never;
    }
    std::size_t first = radius.size() - 1;
    while (first > 0 && view.times[first - 1] >= view.fields.schedule.ends.back() &&
           std::abs(radius[first - 1] - radius.back()) <= near * radius.back()) {
        --first;
    }
    const bool is_stable = first + 1 < radius.size() && radius.back() > 0.0;
    return is_stable ? view.times[first] / days_per_year : never;
}

void add_stabilisation(const SeriesView& view, std::vector<NamedSeries>& series) {
    const double threshold = *std::ranges::min_element(view.options.thresholds);
    const auto radius = std::ranges::find(series, fmt::format("plume_radius_{:g}", threshold), &NamedSeries::name);
    const double year = stabilisation(view, radius->values);
    series.push_back(named_series("plume_stabilisation", std::vector<double>(view.times.size(), year)));
}

/// What becomes of pressures at which CO2 has no known density.
enum class UnknownDensity { refuse, leave_out };

/// Densities of CO2 at the temperatures of the cells, over all pressures of a case.
class CellDensities {
   public:
    CellDensities(const SeriesView& view, UnknownDensity unknown) : fields_(view.fields) {
        double low = *std::ranges::min_element(fields_.initial_pressures);
        double high = *std::ranges::max_element(fields_.initial_pressures);
        for (std::size_t time = 0; time < view.times.size(); ++time) {
            for (std::size_t cell = 0; cell < fields_.active.size(); ++cell) {
                if (fields_.active[cell] != 0.0F) {
                    const double pressure = view.pressure(time, cell);
                    low = std::min(low, pressure);
                    high = std::max(high, pressure);
                }
            }
        }
        if (unknown == UnknownDensity::leave_out) {
            low = std::clamp(low, 0.0, highest_known_pressure);
            high = std::clamp(high, 0.0, highest_known_pressure);
        }
        if (fields_.temperatures.empty()) {
            tables_.try_emplace(fields_.temperature, fields_.temperature, low, high);
        }
        for (const double temperature : fields_.temperatures) {
            tables_.try_emplace(temperature, temperature, low, high);
        }
    }
    /// In a cell at a pressure [kg/m3]; NaN where it is not known.
    double at(std::size_t cell, double pressure) const {
        const Co2DensityTable& table =
            fields_.temperatures.empty() ? tables_.begin()->second : tables_.at(fields_.temperatures[cell]);
        return has_co2_density(pressure) ? table.at(pressure) : std::numeric_limits<double>::quiet_NaN();
    }

   private:
    const CaseFields& fields_;
    std::map<double, Co2DensityTable> tables_;
};

/// A share of each column, or the whole of all where there are no shares.
double share_of(const std::vector<double>& shares, std::size_t cell) {
    return shares.empty() ? 1.0 : shares[cell % shares.size()];
}

/// Mass of CO2 in place [Mt] at each time that fills a saturation [T, cells], in shares of the columns: sum of pore
/// volume, saturation, density.
std::vector<double> gas_mass(const SeriesView& view, const CellDensities& densities,
                             const std::vector<float>& gas_saturation, const std::vector<double>& shares = {}) {
    const CaseFields& fields = view.fields;
    return view.over_time([&](std::size_t time) {
        const auto saturation = fields.at(gas_saturation, time);
        double mass = 0.0;
        for (std::size_t cell = 0; cell < saturation.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0 && saturation[cell] > 0.0F) {
                mass += share_of(shares, cell) * fields.pore_volumes[cell] * static_cast<double>(saturation[cell]) *
                        densities.at(cell, view.pressure(time, cell));
            }
        }
        return mass / kilograms_per_megatonne;
    });
}

/// Mass of dissolved CO2 in place [Mt] at each time, in shares of the columns.
std::vector<double> dissolved_mass(const SeriesView& view, const std::vector<double>& shares = {}) {
    const CaseFields& fields = view.fields;
    return view.over_time([&](std::size_t time) {
        const auto dissolved = fields.at(fields.dissolved_co2, time);
        double mass = 0.0;
        for (std::size_t cell = 0; cell < dissolved.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0) {
                mass += share_of(shares, cell) * fields.pore_volumes[cell] * static_cast<double>(dissolved[cell]);
            }
        }
        return mass / kilograms_per_megatonne;
    });
}

/// CO2 injected until each time [Mt].
std::vector<double> injected_until(const SeriesView& view) {
    const CaseFields& fields = view.fields;
    return fields.injected_mass.empty() ? view.over_time([&](std::size_t t) { return fields.injected(view.times[t]); })
                                        : fields.injected_mass;
}

/// Of masses [Mt]; `otherwise` before any is injected.
double share_of_injected(double mass, double injected, double otherwise) {
    return injected > 0.0 ? mass / injected : otherwise;
}

/// What was injected, and what of it is free and dissolved, as far as the fields tell; densities where there is gas.
void add_mass(const SeriesView& view, const CellDensities* densities, std::vector<NamedSeries>& series) {
    const CaseFields& fields = view.fields;
    const std::vector<double> injected = injected_until(view);
    const auto share = [&](std::size_t t, double mass) {
        return share_of_injected(mass, injected[t], std::numeric_limits<double>::quiet_NaN());
    };
    series.push_back(named_series("mass_injected", injected));
    const bool is_limited = std::isfinite(fields.bottom_hole_pressure_limit) && !fields.injected_mass.empty();
    if (is_limited) {
        series.push_back(
            named_series("mass_asked", view.over_time([&](std::size_t t) { return fields.injected(view.times[t]); })));
    }
    if (fields.is_scheduled) {
        series.push_back(
            named_series("injection_rate", view.over_time([&](std::size_t t) { return fields.rate(view.times[t]); })));
        if (is_limited) {
            series.back().description = "rate of injection that was asked for";
        }
        const double stop = fields.schedule.ends.empty() ? view.times.back() : fields.schedule.ends.back();
        series.push_back(named_series("years_since_stop", view.over_time([&](std::size_t t) {
            return std::max(view.times[t] - stop, 0.0) / days_per_year;
        })));
    }
    std::vector<double> free(view.times.size(), 0.0);
    if (densities != nullptr) {
        free = gas_mass(view, *densities, fields.gas_saturation);
        series.push_back(named_series("mass_free", free));
        series.push_back(named_series("free_share", view.over_time([&](std::size_t t) { return share(t, free[t]); })));
        const std::vector<double> trapped = gas_mass(view, *densities, trapped_saturation(fields));
        series.push_back(
            named_series("mass_mobile", view.over_time([&](std::size_t t) { return free[t] - trapped[t]; })));
        series.push_back(named_series("mass_trapped", trapped));
    }
    if (!fields.dissolved_co2.empty()) {
        const std::vector<double> dissolved = dissolved_mass(view);
        series.push_back(named_series("mass_dissolved", dissolved));
        if (!fields.gas_saturation.empty()) {
            series.push_back(named_series(
                "mass_balance", view.over_time([&](std::size_t t) { return share(t, free[t] + dissolved[t]); })));
            series.push_back(named_series(
                "closing_error", view.over_time([&](std::size_t t) { return injected[t] - free[t] - dissolved[t]; })));
        }
    }
}

/// CO2 in place within the polygon and beyond it, free and, where the fields tell, dissolved.
void add_containment(const SeriesView& view, const CellDensities& densities, std::vector<NamedSeries>& series) {
    const CaseFields& fields = view.fields;
    std::vector<double> beyond;
    for (const double share : fields.inside) {
        beyond.push_back(1.0 - share);
    }
    for (const auto& [where, shares] : {std::pair("inside", &fields.inside), {"outside", &beyond}}) {
        const NamedSeries free =
            named_series(fmt::format("mass_free_{}", where), gas_mass(view, densities, fields.gas_saturation, *shares));
        NamedSeries mass = named_series(fmt::format("mass_{}", where), free.values);
        if (fields.dissolved_co2.empty()) {
            mass.description = free.description;
        } else {
            std::ranges::transform(free.values, dissolved_mass(view, *shares), mass.values.begin(), std::plus<>());
        }
        series.push_back(free);
        series.push_back(std::move(mass));
    }
}

}  // namespace

std::vector<float> trapped_saturation(const CaseFields& fields) {
    if (!fields.trapped_gas_saturation.empty()) {
        return fields.trapped_gas_saturation;
    }
    std::vector<float> trapped = fields.gas_saturation, peak(fields.active.size(), 0.0F);
    for (std::size_t begin = 0; begin < trapped.size(); begin += peak.size()) {
        for (std::size_t cell = 0; cell < peak.size(); ++cell) {
            float &largest = peak[cell], &here = trapped[begin + cell];
            largest = std::max(largest, here);
            const double most = fields.trapping_in(cell).trapped(static_cast<double>(largest));
            here = std::min(here, static_cast<float>(most));
        }
    }
    return trapped;
}

std::vector<double> free_co2_mass(const CaseFields& fields, const std::vector<double>& times) {
    const SeriesOptions none;
    const SeriesView view{fields, times, none};
    return gas_mass(view, CellDensities(view, UnknownDensity::refuse), fields.gas_saturation);
}

CarbonBalance carbon_balance(const CaseFields& fields, const std::vector<double>& times) {
    const SeriesOptions none;
    const SeriesView view{fields, times, none};
    CarbonBalance balance{injected_until(view),
                          gas_mass(view, CellDensities(view, UnknownDensity::leave_out), fields.gas_saturation)};
    const std::vector<double> dissolved =
        fields.dissolved_co2.empty() ? std::vector<double>(times.size(), 0.0) : dissolved_mass(view);
    for (std::size_t t = 0; t < times.size(); ++t) {
        balance.found[t] = share_of_injected(balance.found[t] + dissolved[t], balance.injected[t], 0.0);
    }
    return balance;
}

std::vector<NamedSeries> case_series(const CaseFields& fields, const std::vector<double>& times,
                                     const SeriesOptions& options) {
    expects(!options.thresholds.empty(), "a threshold of saturation");
    const SeriesView view{fields, times, options};
    std::vector<NamedSeries> series;
    const auto densities = fields.gas_saturation.empty()
                               ? std::unique_ptr<const CellDensities>()
                               : std::make_unique<const CellDensities>(view, UnknownDensity::leave_out);
    add_mass(view, densities.get(), series);
    if (!fields.inside.empty() && densities != nullptr) {
        add_containment(view, *densities, series);
    }
    if (!fields.gas_saturation.empty()) {
        add_plume(view, series);
        if (fields.is_scheduled) {
            add_stabilisation(view, series);
        }
    }
    if (!fields.pressure_buildup.empty()) {
        add_pressure(view, series);
    }
    if (!fields.gas_saturation.empty() && !fields.pressure_buildup.empty()) {
        add_area_of_review(view, series);
    }
    return series;
}

std::vector<double> series_of(const std::string& name, const CaseFields& fields, const std::vector<double>& times) {
    const SeriesOptions none;
    const SeriesView view{fields, times, none};
    if (name == "bottom_hole_pressure") {
        return bottom_hole_pressures(view);
    }
    expects(name == "mass_free" || name == "mass_trapped", "a series of one of these names");
    const CellDensities densities(view, UnknownDensity::leave_out);
    return gas_mass(view, densities, name == "mass_free" ? fields.gas_saturation : trapped_saturation(fields));
}

const NamedSeries* find_series(const std::vector<NamedSeries>& series, const std::string& name) {
    const auto found = std::ranges::find(series, name, &NamedSeries::name);
    return found == series.end() ? nullptr : &*found;
}

}  // namespace plumecast
