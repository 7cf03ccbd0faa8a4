#include "service/measured_cases.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"
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

void add_trapped_gas(ComputedCases& computed) {
    const std::string name = "trapped_gas_saturation";
    const std::size_t cases = computed.verdicts.cases.size();
    const std::size_t of_case = computed.content.arrays.at("gas_saturation").size() / cases;
    std::vector<float> all(cases * of_case, std::numeric_limits<float>::quiet_NaN());
    const CaseReader reader(Dataset(views_of(computed.content)));
    for (const std::int64_t which : cases_with_values(reader)) {
        const CaseFields fields = reader.read(which);
        const std::vector<float> trapped = trapped_saturation(fields);
        float* to = all.data() + static_cast<std::size_t>(which) * of_case;
        for (std::size_t i = 0; i < of_case; ++i) {
            to[i] = fields.active[i % fields.active.size()] != 0.0F ? trapped[i] : to[i];
        }
    }
    computed.content.arrays[name] = std::move(all);
    computed.fields.push_back(name);
}

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
        CaseFields fields = reader_.read(number);
        if (const std::vector<float>& injected = computed_.verdicts.injected; !injected.empty()) {
            const auto times = static_cast<std::ptrdiff_t>(reader_.times().size());
            const auto first = injected.begin() + static_cast<std::ptrdiff_t>(which) * times;
            fields.injected_mass.assign(first, first + times);
        }
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
