#include "reservoir/metrics/trust/figure_bands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/trust/error_model.hpp"

namespace plumecast {
namespace {

/// A figure that has intervals, and what their width grows with: the figure itself for most.
struct BandedFigure {
    const char* name;
    const char* grows_with;
};

constexpr std::array<BandedFigure, 8> figures_with_bands = {{
    {"plume_radius_0.01", "plume_radius_0.01"},
    {"plume_area_0.01", "plume_area_0.01"},
    {"max_buildup", "max_buildup"},
    {"bottom_hole_pressure", "bottom_hole_buildup"},
    {"front_radius", "front_radius"},
    {"mass_free", "mass_free"},
    {"mass_trapped", "mass_trapped"},
    {"mass_dissolved", "mass_dissolved"},
}};

const BandedFigure* find_figure(const std::string& name) {
    const auto found = std::ranges::find(figures_with_bands, name, &BandedFigure::name);
    return found == figures_with_bands.end() ? nullptr : &*found;
}

/// What the width of the intervals of a figure grows with, [T].
const std::vector<double>& sizes_of(const std::string& figure, const Figures& figures) {
    const BandedFigure* known = find_figure(figure);
    return figures.at(known == nullptr ? figure : known->grows_with);
}

/// The largest error over the times of a case, each over what the width grows by; infinite where a value is none.
double score_of(const FigureCurves& curves, double growth) {
    double most = 0.0;
    for (std::size_t t = 0; t < curves.predicted.size(); ++t) {
        const double error = std::abs(curves.predicted[t] - curves.simulated[t]);
        if (!std::isfinite(error) || !std::isfinite(curves.sizes[t])) {
            return std::numeric_limits<double>::infinity();
        }
        most = std::max(most, error / (1.0 + growth * std::abs(curves.sizes[t])));
    }
    return most;
}

std::vector<double> scores_of(std::span<const FigureCurves> cases, double growth) {
    std::vector<double> scores;
    for (const FigureCurves& one : cases) {
        scores.push_back(score_of(one, growth));
    }
    return scores;
}

/// The growth of those tried, per usual value, that makes the bands of some cases narrowest in the mean.
double narrowest_growth(std::span<const FigureCurves> cases, double level) {
    std::vector<double> values;
    for (const FigureCurves& one : cases) {
        std::ranges::copy_if(one.sizes, std::back_inserter(values), [](double value) { return std::isfinite(value); });
    }
    const double usual = median_of(values);
    double mean = 0.0;
    for (const double value : values) {
        mean += std::abs(value) / static_cast<double>(values.size());
    }
    double best = 0.0, least = std::numeric_limits<double>::infinity();
    for (const double per_usual : {0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0}) {
        const double growth = usual > 0.0 ? per_usual / usual : 0.0;
        const double width = conformal_quantile(scores_of(cases, growth), level) * (1.0 + growth * mean);
        if (width < least) {
            least = width;
            best = growth;
        }
    }
    return best;
}

/// By figure, of the cases that have it in both files. Throws InvalidInput as FigureBands::fit().
std::map<std::string, std::vector<FigureCurves>> curves_of(const BandFiles& set) {
    require_enough(set.simulated);
    const CaseReader ours(set.predicted.path()), truth(set.simulated.path());
    if (ours.times() != truth.times() || ours.dataset().cases() != truth.dataset().cases()) {
        throw InvalidInput(set.predicted.path() + ": has other cases or times than " + set.simulated.path() +
                           "; predict those cases");
    }
    std::map<std::string, std::vector<FigureCurves>> curves;
    for (std::int64_t which = 0; which < set.simulated.cases(); ++which) {
        const Figures known = banded_figures(truth.read(which), truth.times());
        const Figures predicted = banded_figures(ours.read(which), ours.times());
        for (const BandedFigure& one : figures_with_bands) {
            if (predicted.contains(one.name) && known.contains(one.name)) {
                curves[one.name].push_back({predicted.at(one.name), known.at(one.name), sizes_of(one.name, predicted)});
            }
        }
    }
    return curves;
}

template <class Visitor, class Band>
void visit_band(Visitor& v, Band& band) {
    v.required("figure", band.figure);
    v.required("growth", band.growth);
    v.required("width", band.width);
}

template <class Visitor, class Bands>
void visit_bands(Visitor& v, Bands& bands) {
    v.required("level", bands.level);
    v.required("cases", bands.cases);
    v.required("data_sha256", bands.data_sha256);
    v.nested("figures", bands.figures);
}

}  // namespace

Figures banded_figures(const CaseFields& fields, const std::vector<double>& times) {
    const std::vector<NamedSeries> series = case_series(fields, times, {});
    Figures figures;
    for (const BandedFigure& one : figures_with_bands) {
        for (const char* name : {one.name, one.grows_with}) {
            if (const NamedSeries* found = find_series(series, name)) {
                figures[name] = found->values;
            }
        }
    }
    return figures;
}

double conformal_quantile(std::vector<double> scores, double level) {
    const auto count = static_cast<double>(scores.size());
    const auto place = static_cast<std::size_t>(std::ceil((count + 1.0) * level));
    if (place > scores.size() || place == 0) {
        throw InvalidInput(
            fmt::format("{} cases cannot tell an interval of the level {:g} (it needs {:g} at least); "
                        "give more cases",
                        scores.size(), level, std::ceil(level / (1.0 - level))));
    }
    const auto at = scores.begin() + static_cast<std::ptrdiff_t>(place) - 1;
    std::nth_element(scores.begin(), at, scores.end());
    return *at;
}

void require_enough(const Dataset& simulated) {
    if (simulated.cases() < FigureBands::least_cases) {
        throw InvalidInput(fmt::format("{}: holds {} cases (intervals need {} held-out ones at least); give more",
                                       simulated.path(), simulated.cases(), FigureBands::least_cases));
    }
}

std::vector<std::string> banded_figure_names() {
    std::vector<std::string> names;
    std::ranges::transform(figures_with_bands, std::back_inserter(names), &BandedFigure::name);
    return names;
}

std::vector<std::pair<double, double>> FigureBand::ends(const Figures& figures) const {
    std::vector<std::pair<double, double>> ends;
    const std::vector<double>& sizes = sizes_of(figure, figures);
    for (std::size_t t = 0; t < sizes.size(); ++t) {
        ends.push_back(at(figures.at(figure)[t], sizes[t]));
    }
    return ends;
}

std::pair<double, double> FigureBand::at(double value, double size) const {
    const double half = width * (1.0 + growth * std::abs(size));
    const Quantity* known = find_quantity(QuantityKind::figure, figure);
    const double least = known == nullptr ? 0.0 : known->low;
    const double low = value - half;
    return {low < least ? least : low, value + half};  // NaN stays NaN
}

Json FigureBand::to_json() const {
    return written([&](FieldWriter& v) { visit_band(v, *this); });
}

FigureBand FigureBand::read(JsonReader& object) {
    FigureBand band;
    read_whole(object, [&](FieldReader& v) { visit_band(v, band); });
    if (!(band.growth >= 0.0 && band.width >= 0.0)) {
        throw InvalidInput(object.path("width") + " and growth are not 0 or more; calibrate the model again");
    }
    return band;
}

FigureBand fit_figure_band(const std::string& figure, const std::vector<std::vector<FigureCurves>>& sets,
                           double level) {
    std::vector<FigureCurves> for_growth;
    for (const std::span<const FigureCurves> set : sets) {
        std::ranges::copy(set.first(set.size() / 3), std::back_inserter(for_growth));
    }
    FigureBand band{figure, narrowest_growth(for_growth, level), 0.0};
    for (const std::span<const FigureCurves> set : sets) {
        const std::vector<double> scores = scores_of(set.subspan(set.size() / 3), band.growth);
        band.width = std::max(band.width, conformal_quantile(scores, level));
    }
    return band;
}

Json FigureBands::to_json() const {
    return written([&](FieldWriter& v) { visit_bands(v, *this); });
}

FigureBands FigureBands::read(JsonReader& object) {
    FigureBands bands;
    read_whole(object, [&](FieldReader& v) { visit_bands(v, bands); });
    if (!(bands.level > 0.0 && bands.level < 1.0)) {
        throw InvalidInput(object.path("level") + " is not between 0 and 1; calibrate the model again");
    }
    return bands;
}

FigureBands FigureBands::fit(const std::vector<BandFiles>& sets, double level) {
    FigureBands bands{level, 0, {}, {}};
    std::map<std::string, std::vector<std::vector<FigureCurves>>> curves;
    for (const BandFiles& set : sets) {
        for (auto& [name, cases] : curves_of(set)) {
            curves[name].push_back(std::move(cases));
        }
        bands.cases += set.simulated.cases();
    }
    for (const auto& [name, cases] : curves) {
        FigureBand band = fit_figure_band(name, cases, level);
        if (std::isfinite(band.width)) {
            bands.figures.push_back(std::move(band));
        }
    }
    return bands;
}

}  // namespace plumecast
