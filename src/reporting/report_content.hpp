#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/reporting/report.hpp>
#include <plumecast/reservoir/metrics/case_series.hpp>
#include <plumecast/reservoir/metrics/ensemble.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

/// A case as it was measured.
struct MeasuredCase {
    std::int64_t number = 0;
    double top_depth = 0.0;  ///< [m]
    std::vector<NamedSeries> series;
    std::string trust = "";          ///< "good", "doubtful" or "bad"; empty where the file has no verdict
    std::string trust_reasons = "";  ///< empty for a good case
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
    /// The case whose plume (else whose build-up) is nearest to the median at the end.
    std::int64_t typical_case() const;
    /// Date "2031-05-17" of a time.
    std::string date(std::size_t time) const;
    /// Name of a series with the smallest threshold: "plume_radius_0.01".
    std::string with_threshold(const std::string& name) const;
};

/// One number that sums a series up.
struct KeyFigure {
    std::string name;  ///< of the series
    std::string unit;
    std::string description;  ///< "largest pressure build-up, highest of all times"
    double value = 0.0;
};

/// The key figures of a case: masses and sizes of the plume at the last time, build-up, front and area of review at
/// their largest, the margin at its smallest.
std::vector<KeyFigure> key_figures(const std::vector<NamedSeries>& series);

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
