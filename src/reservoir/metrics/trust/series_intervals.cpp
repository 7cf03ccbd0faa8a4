#include "reservoir/metrics/trust/series_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast {
namespace {

constexpr double unknown_end = std::numeric_limits<double>::quiet_NaN();

/// Whether a series is the figure, of which a file keeps single precision.
bool is_same_figure(const std::vector<double>& figure, const std::vector<double>& measured) {
    constexpr double relative = 1e-3, absolute = 1e-6;
    for (std::size_t t = 0; t < measured.size(); ++t) {
        const bool is_known = std::isfinite(figure[t]) && std::isfinite(measured[t]);
        if (is_known && std::abs(figure[t] - measured[t]) > absolute + relative * std::abs(figure[t])) {
            return false;
        }
    }
    return true;
}

}  // namespace

void add_interval(NamedSeries& series, const FigureInterval& interval) {
    const bool fits = is_same_figure(interval.middle, series.values);
    const std::vector<double> none(series.values.size(), unknown_end);
    series.low = fits ? interval.low : none;
    series.high = fits ? interval.high : none;
}

void add_intervals(std::vector<NamedSeries>& series, const ResultVerdicts& verdicts, const TrustRecord& record,
                   std::size_t which) {
    const bool has_interval = !record.bands.empty() && why_no_interval(verdicts, record, which).empty();
    for (const FigureBand& band : record.bands.figures) {
        const auto found = std::ranges::find(series, band.figure, &NamedSeries::name);
        if (found == series.end()) {
            continue;
        }
        const std::vector<double> none(found->values.size(), unknown_end);
        FigureInterval interval{none, none, none};
        const auto figure = verdicts.figures[which].find(band.figure);
        if (figure != verdicts.figures[which].end() && has_interval) {
            interval = {figure->second, {}, {}};
            for (const auto& [low, high] : band.ends(verdicts.figures[which])) {
                interval.low.push_back(low);
                interval.high.push_back(high);
            }
        }
        add_interval(*found, interval);
    }
}

}  // namespace plumecast
