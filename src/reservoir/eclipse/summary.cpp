#include "reservoir/eclipse/summary.hpp"

#include <algorithm>
#include <limits>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/text/ascii.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast::eclipse {
namespace {

constexpr int most_restarts = 50;  // a run that restarts itself would never end

/// What SMSPEC says about the columns of PARAMS.
struct Specification {
    std::vector<std::string> keywords;
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::string restarts;
    std::optional<std::chrono::sys_seconds> start;
    std::string wrong_start;

    std::string unit(std::size_t position) const { return position < units.size() ? units[position] : ""; }
    /// The well or group of a column; simulators fill the place of the field with ":+:+:+:+".
    std::string name(std::size_t position) const {
        return position >= names.size() || names[position] == ":+:+:+:+" || names[position] == "FIELD"
                   ? ""
                   : names[position];
    }
};

/// STARTDAT: day, month, year, and in newer files hour, minute and microseconds.
std::optional<std::chrono::sys_seconds> date_of_start(const std::vector<double>& parts) {
    using namespace std::chrono;
    const bool is_whole = std::ranges::all_of(parts, [](double part) { return part >= 0.0 && part < 1e9; });
    if (parts.size() < 3 || !is_whole || parts[2] > 9999.0) {
        return std::nullopt;
    }
    const year_month_day date(year(static_cast<int>(parts[2])), month(static_cast<unsigned>(parts[1])),
                              day(static_cast<unsigned>(parts[0])));
    if (!date.ok()) {
        return std::nullopt;
    }
    sys_seconds start = sys_days(date);
    if (parts.size() >= 6) {
        if (parts[3] >= 24.0 || parts[4] >= 60.0 || parts[5] >= 60e6) {
            return std::nullopt;
        }
        start += hours(static_cast<int>(parts[3])) + minutes(static_cast<int>(parts[4])) +
                 seconds(static_cast<std::int64_t>(parts[5] / 1e6));
    }
    return start;
}

/// Day, month and year as the file has them; empty where it states no year.
std::string wrong_date_text(const std::vector<double>& parts) {
    std::string text;
    for (const double part : parts) {
        text += (text.empty() ? "" : "-") + number_text(part);
    }
    return parts.size() >= 3 && parts[2] == 0.0 ? "" : text;
}

Specification read_specification(const std::filesystem::path& path) {
    Specification specification;
    RecordFile file(path);
    while (const auto record = file.next()) {
        if (record->keyword == "KEYWORDS") {
            specification.keywords = file.texts(*record);
        } else if (record->keyword == "UNITS") {
            specification.units = file.texts(*record);
            std::ranges::transform(specification.units, specification.units.begin(),
                                   [](const std::string& unit) { return upper(unit); });
        } else if (record->keyword == "WGNAMES" || record->keyword == "NAMES") {
            specification.names = file.texts(*record);
        } else if (record->keyword == "STARTDAT") {
            const std::vector<double> parts = file.numbers(*record);
            specification.start = date_of_start(parts);
            specification.wrong_start = specification.start ? "" : wrong_date_text(parts);
        } else if (record->keyword == "RESTART") {
            for (const std::string& part : file.texts(*record)) {
                specification.restarts += part;
            }
        }
    }
    return specification;
}

/// The columns to read; the first one is the time.
std::vector<std::size_t> columns_of(const Specification& specification, std::span<const std::string_view> keywords) {
    std::vector<std::size_t> columns;
    const auto time = std::ranges::find(specification.keywords, "TIME");
    if (time == specification.keywords.end()) {
        return columns;
    }
    columns.push_back(static_cast<std::size_t>(time - specification.keywords.begin()));
    for (std::size_t at = 0; at < specification.keywords.size(); ++at) {
        if (std::ranges::find(keywords, specification.keywords[at]) != keywords.end()) {
            columns.push_back(at);
        }
    }
    return columns;
}

/// Days in a unit of TIME. Throws for one that is not known.
double days_in(const std::string& unit, const std::string& path) {
    if (unit.empty() || unit == "DAYS" || unit == "DAY") {
        return 1.0;
    }
    if (unit == "HOURS" || unit == "HOUR" || unit == "HR") {
        return 1.0 / 24.0;
    }
    throw InvalidData(path + ": TIME in '" + unit + "' (DAYS and HOURS are read); let the simulator write days");
}

/// What a number of a vector comes to in sm3, sm3 a day or bar. A rate by its name ends with R.
double factor_of(const SummaryColumn& vector, const std::string& unit, const Units& units, const std::string& path) {
    using Kind = VectorUnit::Kind;
    const Kind kind = vector.keyword.ends_with("BHP") ? Kind::pressure
                      : vector.keyword.ends_with('R') ? Kind::gas_rate
                                                      : Kind::gas;
    if (unit.empty()) {
        return kind == Kind::pressure ? units.bar : units.surface_volume;
    }
    const auto known = vector_unit_named(unit);
    if (!known || known->kind != kind) {
        throw InvalidData(path + ": " + vector.keyword + " in '" + unit + "' (" +
                          (kind == Kind::pressure   ? "BARSA, PSIA and ATMA"
                           : kind == Kind::gas_rate ? "SM3/DAY, MSCF/DAY and SCC/HR"
                                                    : "SM3, MSCF and SCC") +
                          " are read); let the simulator write one of these, or leave the vector out");
    }
    return known->factor;
}

/// Takes out the steps that a file repeats or goes back on: what is written last counts.
void go_back_to(Summary& summary, double day) {
    while (!summary.days.empty() && summary.days.back() >= day) {
        summary.goes_back = summary.goes_back || summary.days.back() > day;
        summary.days.pop_back();
        for (SummaryColumn& vector : summary.vectors) {
            vector.values.pop_back();
        }
    }
}

Summary read_one(const CaseFiles& files, std::span<const std::string_view> keywords, const Units& units) {
    Summary summary;
    const Specification specification = read_specification(files.specification);
    summary.restarts = specification.restarts;
    summary.start = specification.start;
    summary.wrong_start = specification.wrong_start;
    const std::vector<std::size_t> columns = columns_of(specification, keywords);
    if (columns.empty()) {
        return summary;
    }
    const std::string path_of_units = files.specification.string();
    std::vector<double> factors = {days_in(specification.unit(columns[0]), path_of_units)};
    for (std::size_t i = 1; i < columns.size(); ++i) {
        summary.vectors.push_back({specification.keywords[columns[i]], specification.name(columns[i]), {}});
        factors.push_back(factor_of(summary.vectors.back(), specification.unit(columns[i]), units, path_of_units));
    }
    for (const std::filesystem::path& path : files.summary) {
        RecordFile file(path);
        while (const auto record = file.next()) {
            if (record->keyword != "PARAMS") {
                continue;
            }
            const std::vector<double> values = file.numbers(*record);
            if (values.size() <= std::ranges::max(columns)) {
                throw InvalidData(file.path() + ": byte " + std::to_string(record->offset) +
                                  ": too few values in PARAMS (" + files.specification.string() + " names " +
                                  std::to_string(specification.keywords.size()) + "); copy both files again");
            }
            const double day = values[columns[0]] * factors[0];
            go_back_to(summary, day);
            summary.days.push_back(day);
            for (std::size_t i = 1; i < columns.size(); ++i) {
                summary.vectors[i - 1].values.push_back(values[columns[i]] * factors[i]);
            }
        }
    }
    return summary;
}

/// Puts the steps of the run that `later` restarts before its own.
void prepend(Summary& later, const Summary& earlier) {
    const double first = later.days.empty() ? std::numeric_limits<double>::infinity() : later.days.front();
    const auto count = static_cast<std::size_t>(
        std::ranges::find_if(earlier.days, [first](double day) { return !(day < first); }) - earlier.days.begin());
    for (SummaryColumn& vector : later.vectors) {
        const std::vector<double>* values = earlier.find(vector.keyword, vector.name);
        std::vector<double> all(count, std::numeric_limits<double>::quiet_NaN());
        if (values != nullptr) {
            std::copy_n(values->begin(), count, all.begin());
        }
        vector.values.insert(vector.values.begin(), all.begin(), all.end());
    }
    later.days.insert(later.days.begin(), earlier.days.begin(),
                      earlier.days.begin() + static_cast<std::ptrdiff_t>(count));
    later.restarts = earlier.restarts;
    later.goes_back = later.goes_back || earlier.goes_back;
}

Summary read_chain(const CaseFiles& files, std::span<const std::string_view> keywords, const Units& units, int depth) {
    if (files.specification.empty() || files.summary.empty()) {
        return {};
    }
    Summary summary = read_one(files, keywords, units);
    const std::filesystem::path name = std::filesystem::path(summary.restarts).filename();
    if (name.empty() || name == files.root.filename() || depth == most_restarts) {
        return summary;
    }
    const CaseFiles before = find_summary(files.root.parent_path() / name);
    if (!before.specification.empty() && !before.summary.empty()) {
        prepend(summary, read_chain(before, keywords, units, depth + 1));
    }
    return summary;
}

}  // namespace

const std::vector<double>* Summary::find(std::string_view keyword, std::string_view name) const {
    const auto found = std::ranges::find_if(
        vectors, [&](const SummaryColumn& vector) { return vector.keyword == keyword && vector.name == name; });
    return found == vectors.end() ? nullptr : &found->values;
}

std::vector<std::string> Summary::names_of(std::string_view keyword) const {
    std::vector<std::string> names;
    for (const SummaryColumn& vector : vectors) {
        if (vector.keyword == keyword && !vector.name.empty()) {
            names.push_back(vector.name);
        }
    }
    return names;
}

Summary read_summary(const CaseFiles& files, std::span<const std::string_view> keywords, const Units& units) {
    return read_chain(files, keywords, units, 0);
}

}  // namespace plumecast::eclipse
