#include "inference/prediction/prediction_notices.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "inference/batch_size.hpp"

namespace plumecast {
namespace {

/// "0, 3, 7 and 12 more".
std::string named_cases(const std::vector<std::int64_t>& cases) {
    constexpr std::size_t most = 10;
    const std::size_t shown = std::min(cases.size(), most);
    return fmt::format("{}{}", fmt::join(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       cases.size() > most ? fmt::format(" and {} more", cases.size() - most) : "");
}

/// Of one input, in one case or several.
std::string range_warning(const std::vector<OutOfRange>& found, const Range& range) {
    const OutOfRange& farthest = *std::ranges::max_element(found, {}, &OutOfRange::distance);
    const std::string unit = farthest.unit == "1" ? "" : " " + farthest.unit;
    const std::string outside = fmt::format("{:.3g}{} outside the training range {:.6g} to {:.6g}", farthest.distance,
                                            unit, range.low, range.high);
    if (found.size() == 1) {
        return fmt::format(
            "case {}: {} = {:.6g}{} lies {} (the prediction is extrapolation); check it against a "
            "simulation",
            farthest.which, farthest.field, farthest.value, unit, outside);
    }
    std::vector<std::int64_t> cases;
    std::ranges::transform(found, std::back_inserter(cases), &OutOfRange::which);
    return fmt::format(
        "{}: {} lies up to {}, as {:.6g}{} of case {} (the predictions are extrapolation); check them "
        "against a simulation: cases {}",
        counted(static_cast<std::int64_t>(found.size()), "case"), farthest.field, outside, farthest.value, unit,
        farthest.which, named_cases(cases));
}

}  // namespace

void require_usable(const PredictionOptions& options) {
    require_batch(options.batch);
    if (options.buildup_limit && !(*options.buildup_limit > 0.0)) {
        throw InvalidInput("the limit of the build-up is " + number_text(*options.buildup_limit) +
                           " bar (build-ups are compared with it); give one above 0, or none");
    }
}

void warn_of_ranges(const std::vector<OutOfRange>& found, const InputRanges& ranges, const LogSink& log) {
    std::map<std::string, std::vector<OutOfRange>> by_input;
    for (const OutOfRange& out : found) {
        by_input[out.field].push_back(out);
    }
    for (const auto& [field, cases] : by_input) {
        log(Severity::warning, range_warning(cases, ranges.ranges().at(field)));
    }
}

void require_some(const PredictionReport& report, const std::string& input) {
    if (!report.failed.empty() && static_cast<std::int64_t>(report.failed.size()) == report.cases) {
        throw NotConverged(fmt::format("{}: none of the cases can be computed (the first one: {}); nothing was written",
                                       input, report.failed.begin()->second));
    }
}

void warn_of_failures(const PredictionReport& report, const LogSink& log) {
    if (report.failed.empty() || !log) {
        return;
    }
    const auto numbers = report.failed | std::views::keys;
    const std::vector<std::int64_t> cases(numbers.begin(), numbers.end());
    log(Severity::warning, fmt::format("{} of {} could not be computed and {} no values (NaN): {}; the first one: {}",
                                       cases.size(), counted(report.cases, "case"), cases.size() == 1 ? "has" : "have",
                                       named_cases(cases), report.failed.begin()->second));
}

void warn_of_bands(const std::vector<std::string>& notes, const LogSink& log) {
    std::map<std::string, std::int64_t> reasons;
    std::vector<std::int64_t> cases;
    for (std::size_t which = 0; which < notes.size(); ++which) {
        if (!notes[which].empty()) {
            ++reasons[notes[which]];
            cases.push_back(static_cast<std::int64_t>(which));
        }
    }
    if (cases.empty() || !log) {
        return;
    }
    const auto most = std::ranges::max_element(reasons, {}, [](const auto& one) { return one.second; });
    log(Severity::warning, fmt::format("no band in {} of {} (NaN): {}; of {} of them: {}", cases.size(),
                                       counted(static_cast<std::int64_t>(notes.size()), "case"), named_cases(cases),
                                       most->second, most->first));
}

}  // namespace plumecast
