#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/reporting/report.hpp>

#include "core/number_text.hpp"
#include "reporting/report_content.hpp"

namespace plumecast {
namespace {

/// The fewest cases of which percentiles of a series are; nothing where none is left out, or all are.
std::optional<std::int64_t> fewest_known(const ReportContent& content, const std::string& name) {
    const auto all = static_cast<std::int64_t>(content.cases.size());
    std::optional<std::int64_t> fewest;
    for (const std::int64_t known : content.known_of(name)) {
        if (known > 0 && known < all) {
            fewest = std::min(fewest.value_or(known), known);
        }
    }
    return fewest;
}

/// The cases whose margin is below zero at any time, of those that have a margin.
Proportion below_zero(const ReportContent& content, const std::string& name) {
    std::int64_t held = 0;
    std::int64_t of = 0;
    for (const MeasuredCase& one : content.cases) {
        const std::vector<double>& margins = find_series(one.series, name)->values;
        of += std::ranges::any_of(margins, [](double margin) { return std::isfinite(margin); }) ? 1 : 0;
        held += std::ranges::any_of(margins, [](double margin) { return margin < 0.0; }) ? 1 : 0;
    }
    return proportion_of(held, of);
}

std::string percent(double share) { return fmt::format("{:.3g}", 100.0 * share); }

}  // namespace

std::string Exceedance::text() const {
    if (cases.of == 0) {
        return fmt::format("whether {} is exceeded was not computed: {}", limit, unknown_because);
    }
    if (cases.of == 1 && unknown == 0) {
        return fmt::format("the case {} {}", cases.held > 0 ? "exceeds" : "stays below", limit);
    }
    const std::string others =
        unknown == 0 ? "" : fmt::format("; of {} it is not known", counted(unknown, "further case"));
    return fmt::format("{} of {} cases ({} %, {} % interval {} to {} %, Clopper-Pearson) exceed {}{}", cases.held,
                       cases.of, percent(cases.share()), percent(proportion_confidence), percent(cases.low),
                       percent(cases.high), limit, others);
}

std::vector<Exceedance> exceedances(const ReportContent& content) {
    std::vector<Exceedance> found;
    const std::string limit =
        fmt::format("{} % of the fracture pressure", percent(content.options.series.fracture.factor));
    const auto add = [&](const char* name, const char* series, const char* where) {
        if (content.has(series)) {
            found.push_back({name, limit + where, below_zero(content, series)});
            found.back().unknown = static_cast<std::int64_t>(content.cases.size()) - found.back().cases.of;
        }
    };
    add("fracture_pressure", "fracture_margin", "");
    add("fracture_pressure_in_wells", "well_fracture_margin", " in a well");
    add("fracture_pressure_in_cells", "cell_fracture_margin", " in the mean of a cell");
    return found;
}

std::string depth_text(const ReportContent& content) {
    const auto [least, most] = std::ranges::minmax_element(content.cases, {}, &MeasuredCase::top_depth);
    const std::string depth = least->top_depth == most->top_depth
                                  ? fmt::format("{:.6g} m", least->top_depth)
                                  : fmt::format("{:.6g} to {:.6g} m", least->top_depth, most->top_depth);
    switch (content.cases.front().depth_source) {
        case DepthSource::given:
            return depth + ", as given";
        case DepthSource::data_set:
            return depth + ", as the file states it";
        case DepthSource::water_at_rest:
            break;
    }
    return depth +
           ", computed: where fresh water at rest has the initial pressure, since the file states no depth; if that is "
           "not the depth of your formation, give it";
}

std::string start_text(const ReportContent& content) {
    const auto [first, last] = std::ranges::minmax_element(content.cases, {}, &MeasuredCase::start);
    const std::string dates = first->start == last->start
                                  ? date_text(first->start)
                                  : fmt::format("{} to {}", date_text(first->start), date_text(last->start));
    const auto is_stated = [&](const MeasuredCase& one) {
        const auto at = static_cast<std::size_t>(one.number);
        return at < content.stated_starts.size() && content.stated_starts[at].has_value();
    };
    if (content.options.start) {
        return dates + ", as given";
    }
    const auto stated = std::ranges::count_if(content.cases, is_stated);
    if (stated == static_cast<std::ptrdiff_t>(content.cases.size())) {
        return dates + ", as the file states it";
    }
    return fmt::format("{}, {} is assumed where the file states no date", dates, date_text(assumed_start));
}

std::vector<std::int64_t> cases_without_front(const ReportContent& content) {
    std::vector<std::int64_t> numbers;
    for (const MeasuredCase& one : content.cases) {
        const NamedSeries* critical = find_series(one.series, "critical_buildup");
        if (critical != nullptr && std::isnan(critical->values.front())) {
            numbers.push_back(one.number);
        }
    }
    return numbers;
}

std::string missing_fronts(const ReportContent& content) {
    const std::vector<std::int64_t> numbers = cases_without_front(content);
    return numbers.empty() ? ""
                           : fmt::format(
                                 "no critical build-up, so no front and no area of review, of {} {}: at the initial "
                                 "pressure the brine already stands above the drinking water there",
                                 numbers.size() == 1 ? "case" : "cases", fmt::join(numbers, ", "));
}

bool leaves_cases_out(const ReportContent& content, const std::string& name) {
    return fewest_known(content, name).has_value();
}

std::string missing_values(const ReportContent& content) {
    std::vector<std::string> series;
    for (const NamedSeries& one : content.series()) {
        if (const auto fewest = fewest_known(content, one.name)) {
            series.push_back(fmt::format("{} ({} of {} at the fewest)", one.name, *fewest, content.cases.size()));
        }
    }
    return series.empty()
               ? ""
               : fmt::format("percentiles are of the cases alone that have a value, of {}", fmt::join(series, ", "));
}

std::string missing_review(const ReportContent& content) {
    if (content.options.series.has_review() || !content.has("front_radius")) {
        return "";
    }
    const std::string file = std::filesystem::path(content.reader.dataset().path()).filename().string();
    return fmt::format(
        "not computed: give the critical build-up of your site, or what it follows from: depth of the drinking water "
        "and density of the brine, for example for {}: drinking water down to 300 m, brine of 1080 kg/m3, top of the "
        "formation at {:.0f} m, as numbers of this site would be",
        file, content.cases.front().top_depth);
}

std::string stabilisation_text(const ReportContent& content) {
    if (!content.has("plume_stabilisation")) {
        return "";
    }
    std::vector<double> years;
    for (const MeasuredCase& one : content.cases) {
        const double year = find_series(one.series, "plume_stabilisation")->values.back();
        if (std::isfinite(year)) {
            years.push_back(year);
        }
    }
    const std::string rule = "within 1 % of its last value from then on, after the last injection";
    const std::size_t without = content.cases.size() - years.size();
    if (years.empty()) {
        return "time of stabilisation: not within the times of the data set (the plume radius does not stay " + rule +
               ")";
    }
    const auto [first, last] = std::ranges::minmax(years);
    const std::string when =
        first == last ? fmt::format("{:.4g}", first) : fmt::format("{:.4g} to {:.4g}", first, last);
    return fmt::format("time of stabilisation: year {} (the plume radius stays {}){}", when, rule,
                       without > 0 ? fmt::format("; not within the times of the data set in {} of {} cases", without,
                                                 content.cases.size())
                                   : "");
}

std::vector<std::string> findings(const ReportContent& content) {
    std::vector<std::string> all;
    for (const Exceedance& one : exceedances(content)) {
        all.push_back(one.text());
    }
    all.push_back("depth of the top of the formation: " + depth_text(content));
    if (const std::string text = stabilisation_text(content); !text.empty()) {
        all.push_back(text);
    }
    const std::string without = missing_fronts(content);
    if (!without.empty()) {
        all.push_back(without);
    }
    if (const std::string text = missing_values(content); !text.empty()) {
        all.push_back(text);
    }
    const std::string missing = missing_review(content);
    if (!missing.empty()) {
        all.push_back("area of review: " + missing);
    }
    return all;
}

}  // namespace plumecast
