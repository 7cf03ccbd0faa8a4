#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/series_view.hpp"
#include "reservoir/metrics/well_pressure.hpp"

namespace plumecast {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// The active cell of the largest build-up at each time.
std::vector<std::size_t> peaks(const SeriesView& view) {
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

double mean_pressure(const SeriesView& view, std::size_t time) {
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

/// What a depth below the top of the formation [m] allows [bar].
double allowed_at(const SeriesView& view, double below) {
    return view.options.fracture.allowed(view.fields.number, view.fields.top_depth + below);
}

double cell_margin(const SeriesView& view, std::size_t time) {
    double margin = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < view.fields.active.size(); ++cell) {
        if (view.fields.active[cell] != 0.0F) {
            margin = std::min(margin, allowed_at(view, view.geometry().depth_of(cell)) - view.pressure(time, cell));
        }
    }
    return margin;
}

/// The pressures of the wells at all times, [T][wells].
std::vector<std::vector<WellPressure>> pressures_of_wells(const SeriesView& view) {
    const std::vector<double> rates = injection_rates(view.fields, view.times);
    const WellPressures wells(view.fields, view.times);
    std::vector<std::vector<WellPressure>> all;
    for (std::size_t time = 0; time < view.times.size(); ++time) {
        all.push_back(wells.at(time, rates[time]));
    }
    return all;
}

/// The largest, or the least, of what a measure gives for the wells of a time; NaN where one of them has no value.
template <class Measure>
double over_wells(const std::vector<WellPressure>& wells, double sign, Measure measure) {
    double most = wells.empty() ? no_value : -std::numeric_limits<double>::infinity();
    for (std::size_t well = 0; well < wells.size(); ++well) {
        const double value = sign * measure(well);
        most = std::isnan(value) || std::isnan(most) ? no_value : std::max(most, value);
    }
    return sign * most;
}

std::vector<double> highest_pressures(const SeriesView& view, const std::vector<std::vector<WellPressure>>& wells) {
    return view.over_time([&](std::size_t t) {
        return over_wells(wells[t], 1.0, [&](std::size_t w) { return wells[t][w].bottom_hole; });
    });
}

/// The smaller margin; NaN where that of the wells is not known and nothing is exceeded in the cells.
double smaller_margin(const CaseFields& fields, double at_wells, double in_cells) {
    const bool is_hidden = !fields.wells.empty() && std::isnan(at_wells) && in_cells >= 0.0;
    return is_hidden ? no_value : std::fmin(at_wells, in_cells);
}

void add_well_pressures(const SeriesView& view, std::vector<NamedSeries>& series) {
    const CaseFields& fields = view.fields;
    const auto wells = pressures_of_wells(view);
    series.push_back(named_series("bottom_hole_pressure", highest_pressures(view, wells)));
    series.push_back(named_series("bottom_hole_buildup", view.over_time([&](std::size_t t) {
        return over_wells(wells[t], 1.0, [&](std::size_t w) {
            return wells[t][w].bottom_hole - fields.initial_pressures[fields.wells[w].connections[0].cell];
        });
    })));
    if (!view.options.fracture.is_known()) {
        return;
    }
    const auto margin_of = [&](std::size_t t, std::size_t w) {
        double margin = std::numeric_limits<double>::infinity();
        const std::vector<WellConnection>& connections = fields.wells[w].connections;
        for (std::size_t i = 0; i < connections.size(); ++i) {
            const double here = allowed_at(view, connections[i].depth) - wells[t][w].bottom_hole - wells[t][w].heads[i];
            margin = std::isnan(here) || std::isnan(margin) ? no_value : std::min(margin, here);
        }
        return margin;
    };
    const std::vector<double> at_wells = view.over_time(
        [&](std::size_t t) { return over_wells(wells[t], -1.0, [&](std::size_t w) { return margin_of(t, w); }); });
    const std::vector<double> in_cells = view.over_time([&](std::size_t t) { return cell_margin(view, t); });
    series.push_back(named_series("fracture_margin", view.over_time([&](std::size_t t) {
        return smaller_margin(fields, at_wells[t], in_cells[t]);
    })));
    series.push_back(named_series("well_fracture_margin", at_wells));
    series.push_back(named_series("cell_fracture_margin", in_cells));
}

/// The sizes of what a build-up bounds at all times; NaN where that is not known.
template <class Cover>
std::vector<PlumeSize> sizes_within(const SeriesView& view, double buildup, Cover cover_at) {
    std::vector<PlumeSize> sizes(view.times.size(), {no_value, no_value, no_value, no_value});
    for (std::size_t time = 0; time < view.times.size() && !std::isnan(buildup); ++time) {
        sizes[time] = size_of(cover_at(time), view.geometry());
    }
    return sizes;
}

void add_front(const SeriesView& view, std::vector<NamedSeries>& series) {
    const double buildup = view.options.front_of(view.fields);
    const auto fronts = sizes_within(view, buildup, [&](std::size_t time) { return view.front(time, buildup); });
    const bool is_critical = !view.options.pressure_front && view.options.drinking_water;
    const std::string above = is_critical ? std::string(", build-up above the critical one")
                                          : fmt::format(", build-up above {:g} bar", buildup);
    if (is_critical) {
        series.push_back(named_series("critical_buildup", std::vector<double>(view.times.size(), buildup)));
    }
    series.push_back(
        named_series("front_radius", pick(fronts, &PlumeSize::radius), pick(fronts, &PlumeSize::resolution), above));
    series.push_back(
        named_series("front_area", pick(fronts, &PlumeSize::area), pick(fronts, &PlumeSize::area_resolution), above));
}

}  // namespace

std::vector<double> bottom_hole_pressures(const SeriesView& view) {
    return highest_pressures(view, pressures_of_wells(view));
}

void add_pressure(const SeriesView& view, std::vector<NamedSeries>& series) {
    const std::vector<std::size_t> cells = peaks(view);
    series.push_back(named_series("max_buildup", view.over_time([&](std::size_t t) {
        return static_cast<double>(view.fields.at(view.fields.pressure_buildup, t)[cells[t]]);
    })));
    series.push_back(named_series("max_buildup_distance", view.over_time([&](std::size_t t) {
        return view.geometry().centres[cells[t] % view.geometry().columns];
    })));
    series.push_back(named_series("max_buildup_depth",
                                  view.over_time([&](std::size_t t) { return view.geometry().depth_of(cells[t]); })));
    add_well_pressures(view, series);
    add_front(view, series);
    series.push_back(
        named_series("mean_pressure", view.over_time([&](std::size_t t) { return mean_pressure(view, t); })));
}

void add_area_of_review(const SeriesView& view, std::vector<NamedSeries>& series) {
    if (!view.options.has_review()) {
        return;
    }
    const double threshold = *std::ranges::min_element(view.options.thresholds);
    const double buildup = view.options.front_of(view.fields);
    const auto sizes = sizes_within(view, buildup, [&](std::size_t time) {
        return cover_of_both(view.plume(time, threshold), view.front(time, buildup));
    });
    series.push_back(
        named_series("review_radius", pick(sizes, &PlumeSize::radius), pick(sizes, &PlumeSize::resolution)));
    series.push_back(
        named_series("review_area", pick(sizes, &PlumeSize::area), pick(sizes, &PlumeSize::area_resolution)));
}

}  // namespace plumecast
