#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <plumecast/reporting/report.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/units.hpp"
#include "io/atomic_file.hpp"
#include "reporting/report_content.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"
#include "reservoir/metrics/column_shares.hpp"

namespace plumecast {
namespace {

std::string heading(const std::string& name, const std::string& unit) {
    return unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

/// The heading of a figure, with its unit of the table of quantities.
std::string heading(const std::string& figure) { return heading(figure, quantity(QuantityKind::figure, figure).unit); }

/// The value of a series at a time with the digits that are known.
std::string value_text(const NamedSeries& series, std::size_t time) {
    return known_digits(series.values[time], series.resolution.empty() ? 0.0 : series.resolution[time]);
}

/// The columns of an interval.
std::string interval_headings(const std::string& name, const std::string& unit) {
    return "," + heading(name + "_low", unit) + "," + heading(name + "_high", unit);
}

/// What stands in them, nothing where there is no interval.
std::string interval_text(double low, double high) {
    return std::isnan(low) ? ",," : fmt::format(",{:.4g},{:.4g}", low, high);
}

/// Every series of every case, sizes with their resolution, figures with their intervals.
std::string series_table(const ReportContent& content) {
    std::string text = "case,DATE,time [day]";
    for (const NamedSeries& series : content.series()) {
        text += "," + heading(series.name, series.unit);
        text += series.resolution.empty() ? "" : "," + heading(series.name + "_resolution", series.unit);
        text += series.low.empty() ? "" : interval_headings(series.name, series.unit);
    }
    text += '\n';
    for (const MeasuredCase& one : content.cases) {
        for (std::size_t time = 0; time < content.reader.times().size(); ++time) {
            fmt::format_to(std::back_inserter(text), "{},{},{:.9g}", one.number, content.date(one, time),
                           content.reader.times()[time]);
            for (const NamedSeries& series : one.series) {
                text += "," + value_text(series, time);
                text += series.resolution.empty() ? "" : fmt::format(",{:.3g}", series.resolution[time]);
                text += series.low.empty() ? "" : interval_text(series.low[time], series.high[time]);
            }
            text += '\n';
        }
    }
    return text;
}

/// The series of a name at all thresholds, in columns as of ccs-scripts: DATE, then one per threshold.
std::string threshold_table(const ReportContent& content, const std::string& name, const std::string& column) {
    std::string text = "REAL,DATE";
    for (const double threshold : content.options.series.thresholds) {
        fmt::format_to(std::back_inserter(text), ",{}_{:g}", column, threshold);
    }
    text += '\n';
    for (const MeasuredCase& one : content.cases) {
        for (std::size_t time = 0; time < content.reader.times().size(); ++time) {
            fmt::format_to(std::back_inserter(text), "{},{}", one.number, content.date(one, time));
            for (const double threshold : content.options.series.thresholds) {
                const NamedSeries* series = find_series(one.series, fmt::format("{}_{:g}", name, threshold));
                text += "," + value_text(*series, time);
            }
            text += '\n';
        }
    }
    return text;
}

std::string percentile_table(const ReportContent& content) {
    std::vector<std::vector<Percentiles>> all;
    std::vector<std::vector<std::int64_t>> known;  // of those that leave cases out
    std::string text = "DATE,time [day]";
    for (const NamedSeries& series : content.series()) {
        all.push_back(content.percentiles_of(series.name));
        for (const char* quantile : {"P90_low", "P50_middle", "P10_high"}) {
            text += "," + heading(series.name + "_" + quantile, series.unit);
        }
        known.push_back(leaves_cases_out(content, series.name) ? content.known_of(series.name)
                                                               : std::vector<std::int64_t>());
        text += known.back().empty() ? "" : "," + series.name + "_cases";
    }
    text += '\n';
    for (std::size_t time = 0; time < content.reader.times().size(); ++time) {
        fmt::format_to(std::back_inserter(text), "{},{:.9g}", content.date(time), content.reader.times()[time]);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::vector<double> resolutions = content.resolutions_of(content.series()[i].name, time);
            const double finest = resolutions.empty() ? 0.0 : resolutions.front();
            for (const double value : {all[i][time].p90, all[i][time].p50, all[i][time].p10}) {
                text += "," + known_digits(value, finest);
            }
            text += known[i].empty() ? "" : fmt::format(",{}", known[i][time]);
        }
        text += '\n';
    }
    return text;
}

/// A text as a field of CSV (RFC 4180).
std::string quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) {
        field += c == '"' ? "\"\"" : std::string(1, c);
    }
    return field + "\"";
}

/// Where the CO2 of each case is at each time; the four add up to the mass injected.
std::string ledger_table(const ReportContent& content) {
    constexpr std::array<const char*, 5> names = {"mass_injected", "mass_mobile", "mass_trapped", "mass_dissolved",
                                                  "closing_error"};
    std::string text = "case,DATE,time [day]";
    for (const char* name : names) {
        text += "," + heading(name);
    }
    text += '\n';
    for (const MeasuredCase& one : content.cases) {
        for (std::size_t time = 0; time < content.reader.times().size(); ++time) {
            fmt::format_to(std::back_inserter(text), "{},{},{:.9g}", one.number, content.date(one, time),
                           content.reader.times()[time]);
            for (const char* name : names) {
                text += "," + value_text(*find_series(one.series, name), time);
            }
            text += '\n';
        }
    }
    return text;
}

/// In how many cases limits are exceeded.
std::string exceedance_table(const ReportContent& content) {
    std::string text = "limit,cases_above,cases,share,interval_low,interval_high,confidence,method,meaning\n";
    for (const Exceedance& one : exceedances(content)) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{:.6g},{:.6g},{:.6g},{:g},Clopper-Pearson,{}\n", one.name,
                       one.cases.held, one.cases.of, one.cases.share(), one.cases.low, one.cases.high,
                       proportion_confidence, quoted(one.text()));
    }
    return text;
}

std::string case_table(const ReportContent& content) {
    std::string text = "case,top_depth [m]";
    for (const KeyFigure& figure : key_figures(content.series())) {
        text += "," + heading(figure.name, figure.unit);
        text += figure.resolution ? "," + heading(figure.name + "_resolution", figure.unit) : "";
        text += figure.interval ? interval_headings(figure.name, figure.unit) : "";
    }
    text += content.has_trust() ? ",trust,trust_reasons\n" : "\n";
    for (const MeasuredCase& one : content.cases) {
        fmt::format_to(std::back_inserter(text), "{},{:.9g}", one.number, one.top_depth);
        for (const KeyFigure& figure : key_figures(one.series)) {
            text += "," + known_digits(figure.value, figure.resolution.value_or(0.0));
            text += figure.resolution ? fmt::format(",{:.3g}", *figure.resolution) : "";
            text += figure.interval ? interval_text(figure.interval->first, figure.interval->second) : "";
        }
        text += content.has_trust() ? fmt::format(",{},{}\n", one.trust, quoted(one.trust_reasons)) : "\n";
    }
    return text;
}

/// Probabilities at the times that pictures show, cells in which either is above zero.
std::string probability_table(const ReportContent& content) {
    const Dataset& dataset = content.reader.dataset();
    const bool is_radial = dataset.geometry() == Geometry::radial;
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const std::size_t map_cells = static_cast<std::size_t>(dataset.cells() / dataset.rows());
    std::string text = std::string("time [day],") + (is_radial ? "row,column" : "row,line,column") +
                       ",probability_plume,probability_front\n";
    for (const ProbabilityMaps& maps : content.maps) {
        const std::vector<float> plume = maps.plume.probability();
        const std::vector<float> front = maps.front.probability();
        for (std::size_t cell = 0; cell < plume.size(); ++cell) {
            if (plume[cell] > 0.0F || front[cell] > 0.0F) {
                fmt::format_to(std::back_inserter(text), "{:.9g},{},", content.reader.times()[maps.time],
                               cell / map_cells);
                if (!is_radial) {
                    fmt::format_to(std::back_inserter(text), "{},", cell % map_cells / columns);
                }
                fmt::format_to(std::back_inserter(text), "{},{:.6g},{:.6g}\n", cell % columns, plume[cell],
                               front[cell]);
            }
        }
    }
    return text;
}

/// When the plume reached the cells of each case, those that it reached.
std::string migration_table(const ReportContent& content) {
    const Dataset& dataset = content.reader.dataset();
    const bool is_radial = dataset.geometry() == Geometry::radial;
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const auto map_cells = static_cast<std::size_t>(dataset.cells() / dataset.rows());
    const std::vector<double>& edges = dataset.last_edges();
    const std::vector<std::array<double, 2>> centres =
        is_radial ? std::vector<std::array<double, 2>>() : column_centres(dataset);
    std::string text = std::string("case,") + (is_radial ? "row,column,radius [m]" : "row,line,column,x [m],y [m]") +
                       ",migration_time [year],not_before [year]\n";
    for (const MeasuredCase& one : content.cases) {
        for (const ReachedCell& reached : one.reached) {
            const std::size_t at = reached.cell % map_cells, column = at % columns;
            fmt::format_to(std::back_inserter(text), "{},{},", one.number, reached.cell / map_cells);
            if (is_radial) {
                fmt::format_to(std::back_inserter(text), "{},{:.9g}", column,
                               0.5 * (edges[column] + edges[column + 1]));
            } else {
                fmt::format_to(std::back_inserter(text), "{},{},{:.10g},{:.10g}", at / columns, column, centres[at][0],
                               centres[at][1]);
            }
            const ArrivalTime arrival = arrival_time(reached, content.reader.times());
            fmt::format_to(std::back_inserter(text), ",{:.9g},{:.9g}\n", arrival.at_latest / days_per_year,
                           arrival.not_before / days_per_year);
        }
    }
    return text;
}

/// Rate and bottom-hole pressure of each well of each case.
std::string well_table(const ReportContent& content) {
    const std::vector<std::array<double, 2>> centres = column_centres(content.reader.dataset());
    const auto columns = static_cast<std::size_t>(content.reader.dataset().columns());
    std::string text = "case,well,line,column,x [m],y [m],DATE,time [day]," + heading("injection_rate") + "," +
                       heading("bottom_hole_pressure") + "\n";
    for (const MeasuredCase& one : content.cases) {
        for (std::size_t well = 0; well < one.wells.size(); ++well) {
            const WellCurve& curve = one.wells[well];
            for (std::size_t time = 0; time < curve.rates.size(); ++time) {
                fmt::format_to(std::back_inserter(text), "{},{},{},{},{:.10g},{:.10g},{},{:.9g},{},{}\n", one.number,
                               well, curve.column / columns, curve.column % columns, centres[curve.column][0],
                               centres[curve.column][1], content.date(one, time), content.reader.times()[time],
                               known_digits(curve.rates[time]), known_digits(curve.bottom_hole[time]));
            }
        }
    }
    return text;
}

}  // namespace

void write_tables(const ReportContent& content) {
    const std::filesystem::path& folder = content.options.folder;
    write_text_atomically(folder / "series.csv", series_table(content));
    write_text_atomically(folder / "cases.csv", case_table(content));
    if (content.has("closing_error")) {
        write_text_atomically(folder / "ledger.csv", ledger_table(content));
    }
    if (content.options.series.fracture.is_known()) {
        write_text_atomically(folder / "exceedance.csv", exceedance_table(content));
    }
    if (content.has(content.with_threshold("plume_radius"))) {
        write_text_atomically(folder / "plume_extent.csv",
                              threshold_table(content, "plume_radius", "MAX_DISTANCE_SGAS"));
        write_text_atomically(folder / "plume_area.csv", threshold_table(content, "plume_area", "AREA_SGAS"));
        write_text_atomically(folder / "migration_time.csv", migration_table(content));
    }
    if (std::ranges::any_of(content.cases, [](const MeasuredCase& one) { return !one.wells.empty(); })) {
        write_text_atomically(folder / "wells.csv", well_table(content));
    }
    if (content.is_ensemble()) {
        write_text_atomically(folder / "percentiles.csv", percentile_table(content));
        write_text_atomically(folder / "probability.csv", probability_table(content));
    }
}

}  // namespace plumecast
