#include <plumecast/reporting/report.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"
#include "io/output_folder.hpp"
#include "reporting/report_content.hpp"
#include "reporting/spe11.hpp"
#include "reporting/stored_intervals.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"
#include "reservoir/h5/case_notes.hpp"

namespace plumecast {
namespace {

constexpr std::string_view spe11_file = "spe11b_time_series.csv";

void add_to_maps(ReportContent& content, const CaseFields& fields) {
    const SeriesOptions& options = content.options.series;
    const double threshold = *std::ranges::min_element(options.thresholds);
    for (ProbabilityMaps& maps : content.maps) {
        if (!fields.gas_saturation.empty()) {
            maps.plume.add(cells_above(fields.at(fields.gas_saturation, maps.time), fields.active, threshold),
                           fields.active);
        }
        const double front = fields.pressure_buildup.empty() ? std::nan("") : options.front_of(fields);
        if (!std::isnan(front)) {
            maps.front.add(cells_above(fields.at(fields.pressure_buildup, maps.time), fields.active, front),
                           fields.active);
        }
    }
}

Trust trust_named(const std::string& name) {
    return name == "bad" ? Trust::bad : name == "doubtful" ? Trust::doubtful : Trust::good;
}

/// The verdicts that a result file holds of its cases; none of other files.
class StoredVerdicts {
   public:
    explicit StoredVerdicts(const std::string& path)
        : labels_(case_labels(path, "trust")), reasons_(case_texts(path, "trust_reasons")) {}

    void add_to(MeasuredCase& measured, ReportSummary& summary) const {
        const auto at = static_cast<std::size_t>(measured.number);
        if (at >= labels_.size()) {
            return;
        }
        const Trust trust = trust_labelled(labels_[at]);
        measured.trust = name_of(trust);
        Verdict verdict{trust, {}};
        if (at < reasons_.size() && !reasons_[at].empty()) {
            measured.trust_reasons = reasons_[at];
            verdict.reasons.push_back(reasons_[at]);
        }
        summary.verdicts.emplace_back(measured.number, verdict);
    }

   private:
    std::vector<std::uint8_t> labels_;
    std::vector<std::string> reasons_;
};

/// The notes of a file that concern the cases measured.
std::vector<DataNote> notes_of(const std::string& path, const std::vector<std::int64_t>& numbers) {
    std::vector<DataNote> notes = data_notes(path);
    std::erase_if(notes, [&](const DataNote& note) {
        return std::ranges::none_of(
            note.cases, [&](std::int64_t which) { return std::ranges::find(numbers, which) != numbers.end(); });
    });
    return notes;
}

/// What a report may write, by its path from the folder of the report.
bool is_of_report(const std::filesystem::path& relative) {
    constexpr std::array<std::string_view, 15> names = {
        "report.html",    "report.json",     "series.csv",         "cases.csv",      "plume_extent.csv",
        "plume_area.csv", "percentiles.csv", "probability.csv",    "exceedance.csv", "ledger.csv",
        "pictures",       "gen_data",        "migration_time.csv", "wells.csv",      spe11_file};
    return std::ranges::find(names, relative.begin()->string()) != names.end();
}

/// Where a series is largest, or smallest with the sign -1; values that are not finite are passed over.
std::size_t time_of_extreme(const std::vector<double>& values, double sign) {
    std::size_t found = 0;
    for (std::size_t time = 1; time < values.size(); ++time) {
        const bool is_better = std::isfinite(values[time]) && sign * values[time] > sign * values[found];
        found = is_better || !std::isfinite(values[found]) ? time : found;
    }
    return found;
}

void require_one_case(std::size_t cases, const ReportOptions& options) {
    if (cases > 1 && (options.gen_data || options.spe11)) {
        const std::string_view what = options.gen_data
                                          ? "GEN_DATA of {} cases (ERT reads those of one realization at a "
                                            "time); choose one in ReportOptions::cases"
                                          : "the sparse data of {} cases (SPE11B has one file for one); "
                                            "choose one in ReportOptions::cases";
        throw InvalidInput(fmt::format(fmt::runtime(what), cases));
    }
}

/// A list of more pressures than cases is that of another file.
void require_pressures_of(const Dataset& dataset, const FractureLimit& limit) {
    const auto given = static_cast<std::int64_t>(limit.pressures.size());
    if (given > dataset.cases()) {
        throw InvalidInput(fmt::format("{} fracture pressures are given ({} has {}); give one per case", given,
                                       dataset.path(), counted(dataset.cases(), "case")));
    }
}

/// One case without a critical build-up leaves the others theirs; where no case has one, the first says why.
void require_some_front(const ReportContent& content) {
    if (content.has("critical_buildup") && cases_without_front(content).size() == content.cases.size()) {
        content.options.series.drinking_water->critical_buildup(content.reader.read(content.cases.front().number));
    }
}

/// One file per series with a number per line, the way ERT reads GEN_DATA of report step 0.
void write_gen_data(const ReportContent& content) {
    const std::filesystem::path folder = content.options.folder / "gen_data";
    create_folders(folder);
    for (const NamedSeries& series : content.series()) {
        std::string text;
        for (std::size_t time = 0; time < series.values.size(); ++time) {
            text += known_digits(series.values[time], series.resolution.empty() ? 0.0 : series.resolution[time]) + "\n";
        }
        write_text_atomically(folder / (series.name + "_0"), text);
    }
}

}  // namespace

std::vector<Percentiles> ReportContent::percentiles_of(const std::string& name) const {
    std::vector<Percentiles> result;
    for (std::size_t time = 0; time < reader.times().size(); ++time) {
        std::vector<double> values;
        for (const MeasuredCase& one : cases) {
            values.push_back(find_series(one.series, name)->values[time]);
        }
        result.push_back(percentiles(std::move(values)));
    }
    return result;
}

std::vector<std::int64_t> ReportContent::known_of(const std::string& name) const {
    std::vector<std::int64_t> known(reader.times().size(), 0);
    for (const MeasuredCase& one : cases) {
        const std::vector<double>& values = find_series(one.series, name)->values;
        for (std::size_t time = 0; time < known.size(); ++time) {
            known[time] += std::isfinite(values[time]) ? 1 : 0;
        }
    }
    return known;
}

std::string ReportContent::interval_text() const {
    const std::string level = reader.dataset().attribute("interval_level");
    double share = 0.0;
    const auto [stop, error] = std::from_chars(level.data(), level.data() + level.size(), share);
    const bool is_number = error == std::errc() && stop == level.data() + level.size();
    return is_number ? fmt::format("{:g} %", 100.0 * share)
                     : level;  // as it is where somebody changed the file by hand
}

std::vector<double> ReportContent::resolutions_of(const std::string& name, std::size_t time) const {
    std::vector<double> all;
    for (const MeasuredCase& one : cases) {
        const std::vector<double>& resolution = find_series(one.series, name)->resolution;
        if (!resolution.empty() && resolution[time] > 0.0) {
            all.push_back(resolution[time]);
        }
    }
    std::ranges::sort(all);
    return all;
}

double ReportContent::resolution_of(const std::string& name, std::size_t time) const {
    std::vector<double> all = resolutions_of(name, time);
    return all.empty() ? 0.0 : percentiles(std::move(all)).p50;
}

std::int64_t ReportContent::typical_case() const {
    const std::string radius = with_threshold("plume_radius");
    const std::string name = has(radius) ? radius : has("max_buildup") ? "max_buildup" : "mass_injected";
    const double median = percentiles_of(name).back().p50;
    const auto away = [&](const MeasuredCase& one) {
        return std::abs(find_series(one.series, name)->values.back() - median);
    };
    return std::ranges::min_element(cases, {}, away)->number;
}

std::string ReportContent::date(const MeasuredCase& one, std::size_t time) const {
    return date_text(days_after(one.start, reader.times()[time]));
}

std::string ReportContent::date(std::size_t time) const {
    const auto starts_alike = [&](const MeasuredCase& one) { return one.start == cases.front().start; };
    return std::ranges::all_of(cases, starts_alike) ? date(cases.front(), time) : "";
}

std::string ReportContent::with_threshold(const std::string& name) const {
    return fmt::format("{}_{:g}", name, *std::ranges::min_element(options.series.thresholds));
}

std::string ReportContent::front_text() const {
    const SeriesOptions& series = options.series;
    return series.drinking_water && !series.pressure_front
               ? "the critical one"
               : fmt::format("{:g} bar", series.pressure_front.value_or(default_pressure_front));
}

std::vector<KeyFigure> key_figures(const std::vector<NamedSeries>& series) {
    std::vector<KeyFigure> figures;
    const auto add = [&](const NamedSeries& one, const char* when, std::size_t time) {
        figures.push_back({one.name, one.unit, one.description + when, one.values[time], {}});
        if (!one.resolution.empty()) {
            figures.back().resolution = one.resolution[time];
        }
        if (!one.low.empty()) {
            figures.back().interval = std::pair(one.low[time], one.high[time]);
        }
    };
    const auto largest_end = [](const std::vector<double>& ends) { return ends[time_of_extreme(ends, 1.0)]; };
    for (const NamedSeries& one : series) {
        switch (quantity(QuantityKind::figure, one.name).key_value) {
            case KeyValue::last:
                add(one, ", at the end", one.values.size() - 1);
                break;
            case KeyValue::largest:
                add(one, ", largest of all times", time_of_extreme(one.values, 1.0));
                if (!one.low.empty()) {  // as the curve is held at all times together, so is its largest value
                    figures.back().interval = std::pair(largest_end(one.low), largest_end(one.high));
                }
                break;
            case KeyValue::least:
                add(one, ", least of all times", time_of_extreme(one.values, -1.0));
                break;
            case KeyValue::none:
                break;
        }
    }
    return figures;
}

std::vector<std::size_t> shown_times(const std::vector<double>& times) {
    const std::size_t last = times.size() - 1;
    std::vector<std::size_t> shown = {last / 3, 2 * last / 3, last};
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    return shown;
}

std::string ReportContent::trust_text() const {
    TrustCounts counts;
    for (const MeasuredCase& one : cases) {
        counts.add(trust_named(one.trust));
    }
    return counts.text();
}

ReportSummary write_report(const std::string& path, const ReportOptions& options, const ReportProgress& progress) {
    const CaseReader reader(
        path, {.top_depth = options.top_depth, .well_radius = options.well_radius, .polygon = options.polygon});
    const ChosenCases chosen = reader.choose(options.cases);
    const std::vector<std::int64_t>& numbers = chosen.numbers;
    require_one_case(numbers.size(), options);
    require_pressures_of(reader.dataset(), options.series.fracture);
    OutputFolder folder(options.folder, path, is_of_report, options.is_forced);
    ReportContent content{reader, options, {}, {}, notes_of(path, numbers)};
    content.without_values = chosen.without_values;
    content.stated_starts = start_dates(path, reader.dataset().cases());
    if (numbers.size() > 1) {
        for (const std::size_t time : shown_times(reader.times())) {
            const auto cells = static_cast<std::size_t>(reader.dataset().cells());
            content.maps.push_back({time, ExceedanceMap(cells), ExceedanceMap(cells)});
        }
    }
    Spe11Table benchmark;
    const StoredVerdicts stored(path);
    const StoredIntervals intervals(reader.dataset());
    ReportSummary summary;
    summary.notes = content.notes;
    summary.without_values = chosen.without_values;
    for (const std::int64_t number : numbers) {
        const CaseFields fields = reader.read(number);
        content.cases.push_back({number, fields.top_depth, fields.depth_source,
                                 case_series(fields, reader.times(), options.series),
                                 start_of(options.start, content.stated_starts, number)});
        if (!fields.gas_saturation.empty()) {
            content.cases.back().reached = reached_cells(fields, *std::ranges::min_element(options.series.thresholds));
        }
        if (!fields.pressure_buildup.empty() && reader.dataset().geometry() == Geometry::cartesian) {
            content.cases.back().wells = well_curves(fields, reader.times());
        }
        intervals.add_to(content.cases.back().series, number);
        stored.add_to(content.cases.back(), summary);
        add_to_maps(content, fields);
        if (options.spe11) {
            benchmark = spe11_table(reader, fields);
        }
        if (progress &&
            !progress(static_cast<std::int64_t>(content.cases.size()), static_cast<std::int64_t>(numbers.size()))) {
            return summary;
        }
    }
    require_some_front(content);
    folder.begin();
    create_folders(options.folder / "pictures");
    write_tables(content);
    write_json(content);
    if (options.spe11) {
        write_text_atomically(options.folder / spe11_file, benchmark.text);
    }
    if (options.gen_data) {
        write_gen_data(content);
    }
    write_page(content, draw_pictures(content));
    folder.finish(OutputFolder::Former::remove);
    summary.findings = findings(content);
    if (!benchmark.missing.empty()) {
        summary.findings.push_back(fmt::format("{}: {} not known from these fields, and n/a there", spe11_file,
                                               fmt::join(benchmark.missing, ", ")));
    }
    summary.is_complete = true;
    return summary;
}

}  // namespace plumecast
