#include <plumecast/reservoir/metrics/case_series.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/number_text.hpp>
#include <plumecast/core/units.hpp>
#include <plumecast/reservoir/physics/brine.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast {
namespace {

using Marks = std::vector<std::uint8_t>;

/// Everything a measurement looks at.
struct Measured {
    const CaseFields& fields;
    const std::vector<double>& times;
    const SeriesOptions& options;

    const CellGeometry& geometry() const { return fields.geometry; }
    /// Pressure of a cell [bar]; the initial one when the file has no build-up.
    double pressure(std::size_t time, std::size_t cell) const {
        const double initial = fields.initial_pressures[cell];
        return fields.pressure_buildup.empty()
                   ? initial
                   : initial + static_cast<double>(fields.at(fields.pressure_buildup, time)[cell]);
    }
    Marks plume(std::size_t time, double threshold) const {
        return cells_above(fields.at(fields.gas_saturation, time), fields.active, threshold);
    }
    Marks front(std::size_t time) const {
        return cells_above(fields.at(fields.pressure_buildup, time), fields.active, options.pressure_front);
    }
    /// One value per time.
    template <class Measure>
    std::vector<double> over_time(Measure measure) const {
        std::vector<double> values;
        for (std::size_t time = 0; time < times.size(); ++time) {
            values.push_back(measure(time));
        }
        return values;
    }
};

/// Members of sizes as separate series.
std::vector<double> pick(const std::vector<PlumeSize>& sizes, double PlumeSize::*member) {
    std::vector<double> values;
    std::ranges::transform(sizes, std::back_inserter(values), [member](const PlumeSize& size) { return size.*member; });
    return values;
}

void add_plume(const Measured& view, std::vector<NamedSeries>& series) {
    for (const double threshold : view.options.thresholds) {
        if (!(threshold >= 0.0 && threshold < 1.0)) {
            throw InvalidInput(fmt::format(
                "threshold {} is no saturation that a plume exceeds (it must be 0 or more and below 1); choose for "
                "example 0.01",
                number_text(threshold)));
        }
        std::vector<PlumeSize> sizes;
        for (std::size_t time = 0; time < view.times.size(); ++time) {
            sizes.push_back(extent_of(view.plume(time, threshold), view.fields.active, view.geometry()));
        }
        const auto add = [&](const char* name, const char* unit, const char* text, double PlumeSize::*member) {
            series.push_back({fmt::format("{}_{:g}", name, threshold), unit,
                              fmt::format("{}, gas saturation above {:g}", text, threshold), pick(sizes, member)});
        };
        add("plume_radius", "m", "plume radius", &PlumeSize::radius);
        add("plume_area", "m2", "plume area", &PlumeSize::area);
        add("plume_thickness", "m", "plume thickness", &PlumeSize::thickness);
        add("plume_footprint", "m2", "plume area at the top of the formation", &PlumeSize::footprint);
    }
}

/// The active cell of the largest build-up at each time.
std::vector<std::size_t> peaks(const Measured& view) {
    std::vector<std::size_t> cells;
    for (std::size_t time = 0; time < view.times.size(); ++time) {
        const auto buildup = view.fields.at(view.fields.pressure_buildup, time);
        std::size_t peak = 0;
        float most = -std::numeric_limits<float>::infinity();
        for (std::size_t cell = 0; cell < buildup.size(); ++cell) {
            if (view.fields.active[cell] != 0.0F && buildup[cell] > most) {
                most = buildup[cell];
                peak = cell;
            }
        }
        cells.push_back(peak);
    }
    return cells;
}

double mean_pressure(const Measured& view, std::size_t time) {
    double sum = 0.0;
    double volume = 0.0;
    for (std::size_t cell = 0; cell < view.fields.active.size(); ++cell) {
        const double pores = view.fields.pore_volumes[cell];
        if (pores > 0.0) {
            sum += pores * view.pressure(time, cell);
            volume += pores;
        }
    }
    return volume > 0.0 ? sum / volume : 0.0;
}

double fracture_margin(const Measured& view, std::size_t time) {
    double margin = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < view.fields.active.size(); ++cell) {
        if (view.fields.active[cell] != 0.0F) {
            const double depth = view.fields.top_depth + view.geometry().depth_of(cell);
            margin =
                std::min(margin, view.options.fracture.allowed(view.fields.number, depth) - view.pressure(time, cell));
        }
    }
    return margin;
}

void add_pressure(const Measured& view, std::vector<NamedSeries>& series) {
    const std::vector<std::size_t> cells = peaks(view);
    series.push_back({"max_buildup", "bar", "largest pressure build-up", view.over_time([&](std::size_t t) {
                          return static_cast<double>(view.fields.at(view.fields.pressure_buildup, t)[cells[t]]);
                      })});
    series.push_back(
        {"max_buildup_distance", "m", "distance of the largest build-up from the well",
         view.over_time([&](std::size_t t) { return view.geometry().centres[cells[t] % view.geometry().columns]; })});
    series.push_back({"max_buildup_depth", "m", "depth of the largest build-up below the top of the formation",
                      view.over_time([&](std::size_t t) { return view.geometry().depth_of(cells[t]); })});
    std::vector<PlumeSize> fronts;
    for (std::size_t time = 0; time < view.times.size(); ++time) {
        fronts.push_back(extent_of(view.front(time), view.fields.active, view.geometry()));
    }
    const std::string above = fmt::format(", build-up above {:g} bar", view.options.pressure_front);
    series.push_back({"front_radius", "m", "radius of the pressure front" + above, pick(fronts, &PlumeSize::radius)});
    series.push_back({"front_area", "m2", "area of the pressure front" + above, pick(fronts, &PlumeSize::area)});
    series.push_back({"mean_pressure", "bar", "pressure in the mean over pore volume",
                      view.over_time([&](std::size_t t) { return mean_pressure(view, t); })});
    if (view.options.fracture.is_known()) {
        series.push_back({"fracture_margin", "bar", "smallest margin to the allowed pressure",
                          view.over_time([&](std::size_t t) { return fracture_margin(view, t); })});
    }
}

void add_area_of_review(const Measured& view, std::vector<NamedSeries>& series) {
    const double threshold = *std::ranges::min_element(view.options.thresholds);
    std::vector<PlumeSize> sizes;
    for (std::size_t time = 0; time < view.times.size(); ++time) {
        Marks both = view.plume(time, threshold);
        const Marks front = view.front(time);
        std::ranges::transform(both, front, both.begin(), [](auto a, auto b) { return a | b; });
        sizes.push_back(extent_of(both, view.fields.active, view.geometry()));
    }
    series.push_back({"review_radius", "m", "radius of the area of review", pick(sizes, &PlumeSize::radius)});
    series.push_back({"review_area", "m2", "area of review", pick(sizes, &PlumeSize::area)});
}

/// Mass of free CO2 in place [Mt] at each time: sum of pore volume, saturation and density.
std::vector<double> free_mass(const Measured& view) {
    const CaseFields& fields = view.fields;
    double low = *std::ranges::min_element(fields.initial_pressures);
    double high = *std::ranges::max_element(fields.initial_pressures);
    for (std::size_t time = 0; time < view.times.size(); ++time) {
        for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
            if (fields.active[cell] != 0.0F) {
                const double pressure = view.pressure(time, cell);
                low = std::min(low, pressure);
                high = std::max(high, pressure);
            }
        }
    }
    const Co2DensityTable density(fields.temperature, low, high);
    return view.over_time([&](std::size_t time) {
        const auto saturation = fields.at(fields.gas_saturation, time);
        double mass = 0.0;
        for (std::size_t cell = 0; cell < saturation.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0 && saturation[cell] > 0.0F) {
                mass += fields.pore_volumes[cell] * static_cast<double>(saturation[cell]) *
                        density.at(view.pressure(time, cell));
            }
        }
        return mass / kilograms_per_megatonne;
    });
}

/// Mass of dissolved CO2 in place [Mt] at each time.
std::vector<double> dissolved_mass(const Measured& view) {
    const CaseFields& fields = view.fields;
    return view.over_time([&](std::size_t time) {
        const auto dissolved = fields.at(fields.dissolved_co2, time);
        double mass = 0.0;
        for (std::size_t cell = 0; cell < dissolved.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0) {
                mass += fields.pore_volumes[cell] * static_cast<double>(dissolved[cell]);
            }
        }
        return mass / kilograms_per_megatonne;
    });
}

/// What was injected, and what of it is free and dissolved, as far as the fields tell.
void add_mass(const Measured& view, std::vector<NamedSeries>& series) {
    const CaseFields& fields = view.fields;
    const std::vector<double> injected =
        fields.injected_mass.empty()
            ? view.over_time([&](std::size_t t) { return mass_injected(fields.injection_rate, view.times[t]); })
            : fields.injected_mass;
    const auto share = [&](std::size_t t, double mass) { return injected[t] > 0.0 ? mass / injected[t] : 0.0; };
    series.push_back({"mass_injected", "Mt", "CO2 injected", injected});
    std::vector<double> free(view.times.size(), 0.0);
    if (!fields.gas_saturation.empty()) {
        free = free_mass(view);
        series.push_back({"mass_free", "Mt", "free CO2 in place", free});
        series.push_back({"free_share", "1", "free CO2 in place per CO2 injected",
                          view.over_time([&](std::size_t t) { return share(t, free[t]); })});
    }
    if (!fields.dissolved_co2.empty()) {
        const std::vector<double> dissolved = dissolved_mass(view);
        series.push_back({"mass_dissolved", "Mt", "dissolved CO2 in place", dissolved});
        if (!fields.gas_saturation.empty()) {
            series.push_back({"mass_balance", "1", "free and dissolved CO2 in place per CO2 injected",
                              view.over_time([&](std::size_t t) { return share(t, free[t] + dissolved[t]); })});
        }
    }
}

}  // namespace

double FractureLimit::allowed(std::int64_t number, double depth) const {
    if (gradient) {
        return factor * *gradient * depth;
    }
    if (pressure) {
        return factor * *pressure;
    }
    if (number < 0 || static_cast<std::size_t>(number) >= pressures.size()) {
        throw InvalidInput(
            fmt::format("no fracture pressure of case {} ({} are given, counted from case 0); give one per "
                        "case",
                        number, pressures.size()));
    }
    return factor * pressures[static_cast<std::size_t>(number)];
}

double mass_injected(double rate, double time) { return rate * time / days_per_year; }

std::vector<double> free_co2_mass(const CaseFields& fields, const std::vector<double>& times) {
    return free_mass({fields, times, {}});
}

std::vector<NamedSeries> case_series(const CaseFields& fields, const std::vector<double>& times,
                                     const SeriesOptions& options) {
    expects(!options.thresholds.empty(), "a threshold of saturation");
    const Measured view{fields, times, options};
    std::vector<NamedSeries> series;
    add_mass(view, series);
    if (!fields.gas_saturation.empty()) {
        add_plume(view, series);
    }
    if (!fields.pressure_buildup.empty()) {
        add_pressure(view, series);
    }
    if (!fields.gas_saturation.empty() && !fields.pressure_buildup.empty()) {
        add_area_of_review(view, series);
    }
    return series;
}

const NamedSeries* find_series(const std::vector<NamedSeries>& series, const std::string& name) {
    const auto found = std::ranges::find(series, name, &NamedSeries::name);
    return found == series.end() ? nullptr : &*found;
}

}  // namespace plumecast
