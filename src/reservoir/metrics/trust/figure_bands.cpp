#include "reservoir/metrics/trust/figure_bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/trust/error_model.hpp"

namespace plumecast {
namespace {

constexpr const char* figures_with_bands[] = {"plume_radius_0.01", "max_buildup", "mass_free", "mass_dissolved"};

/// The largest error over the times of a case, each over what the width grows by.
double score_of(const FigureCurves& curves, double growth) {
    double most = 0.0;
    for (std::size_t t = 0; t < curves.predicted.size(); ++t) {
        const double error = std::abs(curves.predicted[t] - curves.simulated[t]);
        most = std::max(most, error / (1.0 + growth * std::abs(curves.predicted[t])));
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
        values.insert(values.end(), one.predicted.begin(), one.predicted.end());
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
    for (const char* name : figures_with_bands) {
        if (const NamedSeries* found = find_series(series, name)) {
            figures[name] = found->values;
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

std::pair<double, double> FigureBand::at(double value) const {
    const double half = width * (1.0 + growth * std::abs(value));
    return {std::max(0.0, value - half), value + half};
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

FigureBand fit_figure_band(const std::string& figure, std::span<const FigureCurves> cases, double level) {
    const std::size_t third = cases.size() / 3;
    FigureBand band{figure, narrowest_growth(cases.first(third), level), 0.0};
    band.width = conformal_quantile(scores_of(cases.subspan(third), band.growth), level);
    return band;
}

Json FigureBands::to_json() const {
    return written([&](FieldWriter& v) { visit_bands(v, *this); });
}

FigureBands FigureBands::read(JsonReader& object) {
    FigureBands bands;
    read_whole(object, [&](FieldReader& v) { visit_bands(v, bands); });
    return bands;
}

FigureBands FigureBands::fit(const Dataset& predicted, const Dataset& simulated, double level) {
    if (simulated.cases() < least_cases) {
        throw InvalidInput(fmt::format("{}: holds {} cases (intervals need {} held-out ones at least); give more",
                                       simulated.path(), simulated.cases(), least_cases));
    }
    const CaseReader ours(predicted.path()), truth(simulated.path());
    std::map<std::string, std::vector<FigureCurves>> curves;
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        Figures known = banded_figures(truth.read(which), truth.times());
        for (auto& [name, values] : banded_figures(ours.read(which), ours.times())) {
            if (const auto found = known.find(name); found != known.end()) {
                curves[name].push_back({std::move(values), std::move(found->second)});
            }
        }
    }
    FigureBands bands{level, simulated.cases(), {}, {}};
    for (const auto& [name, cases] : curves) {
        bands.figures.push_back(fit_figure_band(name, cases, level));
    }
    return bands;
}

}  // namespace plumecast
