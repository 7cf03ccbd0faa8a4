#include "inverse/optimization/limit_margin.hpp"

#include <algorithm>
#include <cmath>

#include "reservoir/metrics/case_series.hpp"

namespace plumecast {
namespace {

const FigureBand* band_of(const FigureBands& intervals, const std::string& figure) {
    const auto found = std::ranges::find(intervals.figures, figure, &FigureBand::figure);
    return found == intervals.figures.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> figures_behind(const StorageLimit& limit) {
    if (!limit.place().empty()) {
        return {};
    }
    if (limit.figure == "fracture_margin") {
        return {"bottom_hole_pressure", "max_buildup"};
    }
    if (limit.figure == "well_fracture_margin" || limit.figure == "bottom_hole_buildup") {
        return {"bottom_hole_pressure"};
    }
    if (limit.figure == "cell_fracture_margin") {
        return {"max_buildup"};
    }
    const bool is_other_front = limit.front.value_or(default_pressure_front) != default_pressure_front;
    return is_other_front ? std::vector<std::string>() : std::vector<std::string>{limit.figure};
}

MarginSource margin_source(const StorageLimit& limit, const FigureBands& intervals) {
    if (limit.margin) {
        return MarginSource::stated;
    }
    const std::vector<std::string> behind = figures_behind(limit);
    const bool is_known = !behind.empty() && std::ranges::all_of(behind, [&](const std::string& figure) {
        return band_of(intervals, figure) != nullptr;
    });
    return is_known ? MarginSource::interval : MarginSource::none;
}

std::vector<double> margins_of(const StorageLimit& limit, const std::vector<NamedSeries>& series,
                               const FigureBands& intervals) {
    std::vector<double> margins(series.at(0).values.size(), limit.margin.value_or(0.0));
    if (margin_source(limit, intervals) != MarginSource::interval) {
        return margins;
    }
    Figures figures;
    for (const NamedSeries& one : series) {
        figures[one.name] = one.values;
    }
    for (const std::string& figure : figures_behind(limit)) {
        if (!figures.contains(figure)) {
            continue;
        }
        const auto ends = band_of(intervals, figure)->ends(figures);
        for (std::size_t t = 0; t < margins.size(); ++t) {
            margins[t] = std::fmax(margins[t], ends[t].second - figures.at(figure)[t]);
        }
    }
    return margins;
}

}  // namespace plumecast
