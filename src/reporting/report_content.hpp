#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/dataset/cases/start_dates.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/ensemble.hpp"
#include "reservoir/metrics/migration.hpp"
#include "reservoir/metrics/well_curves.hpp"

namespace plumecast {

struct ReportOptions;

/// A case as it was measured.
struct MeasuredCase {
    std::int64_t number = 0;
    double top_depth = 0.0;  ///< [m]
    DepthSource depth_source = DepthSource::water_at_rest;
    std::vector<NamedSeries> series;
    std::chrono::sys_seconds start;         ///< moment of day 0
    std::string trust = "";                 ///< "good", "doubtful" or "bad"; empty where the file has no verdict
    std::string trust_reasons = "";         ///< empty for a good case of which nothing else is to be said
    std::vector<ReachedCell> reached = {};  ///< by a plume above the smallest threshold
    std::vector<WellCurve> wells = {};      ///< of a Cartesian grid with build-up
};

/// Probabilities over the ensemble at one time.
struct ProbabilityMaps {
    std::size_t time = 0;
    ExceedanceMap plume;
    ExceedanceMap front;
};

/// Everything that tables, pictures and the page are made from.
struct ReportContent {
    const CaseReader& reader;
    const ReportOptions& options;
    std::vector<MeasuredCase> cases;
    std::vector<ProbabilityMaps> maps;              ///< at the times that pictures show; empty for one case
    std::vector<DataNote> notes = {};               ///< what the sources of the cases say and the file cannot carry
    std::vector<StartDate> stated_starts = {};      ///< day 0 of each case of the file, where it says
    std::vector<std::int64_t> without_values = {};  ///< cases that could not be computed, which nothing here counts

    /// Whether the file says how far its cases can be relied upon.
    bool has_trust() const { return !cases.empty() && !cases.front().trust.empty(); }
    /// "97 good, 2 doubtful, 1 bad" of the cases measured.
    std::string trust_text() const;
    bool is_ensemble() const { return cases.size() > 1; }
    /// Series of the first case, whose names, units and descriptions are those of all.
    const std::vector<NamedSeries>& series() const { return cases.front().series; }
    bool has(const std::string& name) const { return find_series(series(), name) != nullptr; }
    /// Percentiles over the cases of a series at each time.
    std::vector<Percentiles> percentiles_of(const std::string& name) const;
    /// In how many cases a series has a value, at each time.
    std::vector<std::int64_t> known_of(const std::string& name) const;
    /// Whether any case has the interval of a series of that name.
    bool has_interval(const std::string& name) const {
        return std::ranges::any_of(cases, [&](const MeasuredCase& one) {
            const NamedSeries* series = find_series(one.series, name);
            return series != nullptr && series->has_interval();
        });
    }
    /// "90 %", with what probability intervals hold.
    std::string interval_text() const;
    /// Resolution of a size at a time in the cases that have one, from the finest on; none of a series that is no size.
    std::vector<double> resolutions_of(const std::string& name, std::size_t time) const;
    /// Median of these; 0 where there are none.
    double resolution_of(const std::string& name, std::size_t time) const;
    /// The case whose plume (else whose build-up, else what was injected) is nearest to the median at the end.
    std::int64_t typical_case() const;
    /// Date "2031-05-17" of a time of a case.
    std::string date(const MeasuredCase& one, std::size_t time) const;
    /// The same of all cases; empty where they begin on different dates.
    std::string date(std::size_t time) const;
    /// What the edge of the pressure front is a build-up above: "1 bar", "the critical one".
    std::string front_text() const;
    /// Name of a series with the smallest threshold: "plume_radius_0.01".
    std::string with_threshold(const std::string& name) const;
};

/// One number that sums a series up.
struct KeyFigure {
    std::string name;  ///< of the series
    std::string unit;
    std::string description;  ///< "largest pressure build-up, highest of all times"
    double value = 0.0;
    /// Of a size: width or area of the column that its edge lies in; nothing of others.
    std::optional<double> resolution = {};
    /// Ends of its interval, NaN where the case has none; nothing of a figure that no case has one of.
    std::optional<std::pair<double, double>> interval = {};
};

/// The key figures of a case: masses and sizes of the plume at the last time, pressures, front and area of review at
/// their largest, margins at their smallest; NaN where a series has no value.
std::vector<KeyFigure> key_figures(const std::vector<NamedSeries>& series);

/// In how many cases a limit is exceeded at any time.
struct Exceedance {
    std::string name;   ///< "fracture_pressure"
    std::string limit;  ///< "90 % of the fracture pressure, in wells and cells"
    Proportion cases;
    std::string unknown_because = "no bottom-hole pressure";  ///< where it is known of no case
    std::int64_t unknown = 0;                                 ///< cases of which it is not known

    /// "3 of 200 cases (1.5 %, 90 % interval 0.411 to 3.83 %, Clopper-Pearson) exceed 90 % of the fracture pressure".
    std::string text() const;
};

/// What the cases exceed, the worst limit first; empty where no fracture pressure is known.
std::vector<Exceedance> exceedances(const ReportContent& content);
/// Cases that have no critical build-up, as brine already stands above the drinking water there.
std::vector<std::int64_t> cases_without_front(const ReportContent& content);
/// The same in words; empty where all cases have one.
std::string missing_fronts(const ReportContent& content);
/// Of how many cases percentiles are that leave some out at a time, as they have no value; empty where none does.
std::string missing_values(const ReportContent& content);
/// Whether percentiles of a series leave cases out: some have a value at a time, and others none.
bool leaves_cases_out(const ReportContent& content, const std::string& name);
/// Which depth of the top of the formation was taken, and where it comes from.
std::string depth_text(const ReportContent& content);
/// When day 0 is, and where that comes from.
std::string start_text(const ReportContent& content);
/// From when on the plume is stable, and by which rule; empty where rates are constant.
std::string stabilisation_text(const ReportContent& content);
/// Why there is no area of review and what to give for it; empty where there is one.
std::string missing_review(const ReportContent& content);
/// What a report tells in words: exceedances, depth, a missing area of review.
std::vector<std::string> findings(const ReportContent& content);

/// What low and high mean in an ensemble.
inline constexpr const char* percentile_meaning =
    "by exceedance: P90 is the low value, exceeded by 90 % of the cases; P10 the high one";
/// A series of one case with its values, its resolution and interval where it has them; null for what is not known.
Json series_json(const NamedSeries& series);
/// A series of all cases: resolution, and the percentiles at each time, "p90_low", "p50_middle", "p10_high", and where
/// some leave cases out "cases", of how many they are.
Json spread_json(const ReportContent& content, const NamedSeries& series);
/// "limit", "cases_above", "cases", "share", "interval" ...
Json exceedance_json(const Exceedance& one);

/// Snapshots that pictures show: a third, two thirds and all of the times along.
std::vector<std::size_t> shown_times(const std::vector<double>& times);

/// A picture of the report.
struct ReportPicture {
    std::string name;     ///< of the file, without ending
    std::string caption;  ///< "Plume radius" ...
    std::string section;  ///< of the page: "plume", "pressure", "review", "mass", "maps"
    std::string svg;      ///< either lines as SVG
    std::string png;      ///< or a map as PNG
};

/// Draws all pictures into FOLDER/pictures as PNG and PDF, and returns them for the page.
std::vector<ReportPicture> draw_pictures(const ReportContent& content);
/// Writes the tables and report.json.
void write_tables(const ReportContent& content);
void write_json(const ReportContent& content);
/// Writes report.html.
void write_page(const ReportContent& content, const std::vector<ReportPicture>& pictures);

/// The list of definitions at the end of the page, as HTML.
std::string definitions(const ReportContent& content);

/// A number with as many digits as are known: of a size, to a hundredth of its resolution; of others, which come from
/// fields in single precision, seven.
std::string known_digits(double value, double resolution = 0.0);
/// What a column of a table calls a series: "Plume radius" for "plume_radius_0.01".
std::string short_title(const std::string& series);
/// A number as readers like it: three digits that count, thousands apart, no exponent within 1e-3 to 1e9.
std::string shown(double value);
/// A value in the unit that readers expect, and that unit: square kilometres, kilometres from 10 km on.
struct Shown {
    double factor = 1.0;
    std::string unit;
};
Shown shown_unit(const std::string& unit, double largest);

}  // namespace plumecast
