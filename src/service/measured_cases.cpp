#include "service/measured_cases.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/trust/series_intervals.hpp"

namespace plumecast::service {
namespace {

ReportOptions report_options(const Measure& measure) {
    ReportOptions options;
    options.series = measure.series;
    options.top_depth = measure.top_depth;
    return options;
}

/// None where no case could be computed, as the verdicts say.
std::vector<std::int64_t> cases_with_values(const CaseReader& reader) {
    try {
        return reader.choose({}).numbers;
    } catch (const InvalidData&) {
        return {};
    }
}

}  // namespace

CaseMeter::CaseMeter(const ComputedCases& computed, const Measure& measure)
    : computed_(computed),
      reader_(Dataset(views_of(computed.content)), {.top_depth = measure.top_depth}),
      options_(report_options(measure)),
      with_values_(cases_with_values(reader_)) {}

std::optional<MeasuredCase> CaseMeter::measured(std::size_t which, std::string& why) const {
    const auto number = static_cast<std::int64_t>(which);
    const Verdict& verdict = computed_.verdicts.cases[which];
    if (std::ranges::find(with_values_, number) == with_values_.end()) {
        why = fmt::format("{}", fmt::join(verdict.reasons, "; "));
        return std::nullopt;
    }
    try {
        const CaseFields fields = reader_.read(number);
        MeasuredCase measured{
            number, fields.top_depth, fields.depth_source, case_series(fields, reader_.times(), options_.series), {}};
        if (computed_.trust != nullptr) {
            add_intervals(measured.series, computed_.verdicts, *computed_.trust, which);
        }
        measured.trust = name_of(verdict.trust);
        return measured;
    } catch (const InvalidInput& error) {  // pressures at which no fluid is known
        why = error.what();
        return std::nullopt;
    }
}

}  // namespace plumecast::service
