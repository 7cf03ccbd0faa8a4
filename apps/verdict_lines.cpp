#include "verdict_lines.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/number_text.hpp>
#include <plumecast/reservoir/io/h5/case_notes.hpp>

namespace plumecast::app {

CaseVerdicts numbered(const std::vector<Verdict>& verdicts) {
    CaseVerdicts cases;
    for (const Verdict& one : verdicts) {
        cases.emplace_back(static_cast<std::int64_t>(cases.size()), one);
    }
    return cases;
}

void show_verdicts(const CaseVerdicts& verdicts, const std::string& result, Console& console, bool all) {
    constexpr std::int64_t shown_cases = 10;
    TrustCounts counts;
    std::int64_t found = 0;
    for (const auto& [number, one] : verdicts) {
        counts.add(one.trust);
        if (one.trust != Trust::good && (++found <= shown_cases || all)) {
            console.warn(fmt::format("case {} is {}: {}", number, name_of(one.trust), fmt::join(one.reasons, "; ")));
        }
    }
    if (!all && found > shown_cases) {
        console.warn(fmt::format("{} doubtful or bad; /case/trust_reasons in {} says why",
                                 counted(found - shown_cases, "further case"), result));
    }
    if (!verdicts.empty()) {
        console.print(fmt::format("trust: {}\n", counts.text()));
    }
}

Verdict verdict_in(const std::string& file, std::int64_t which) {
    const auto at = static_cast<std::size_t>(which);
    const std::vector<std::uint8_t> labels = case_labels(file, "trust");
    Verdict verdict{at < labels.size() ? trust_labelled(labels[at]) : Trust::good, {}};
    const std::vector<std::string> reasons = case_texts(file, "trust_reasons");
    if (verdict.trust != Trust::good && at < reasons.size()) {
        verdict.reasons.push_back(reasons[at]);
    }
    return verdict;
}

void warn_of_verdict(const std::string& file, std::int64_t which, Console& console) {
    const Verdict verdict = verdict_in(file, which);
    if (verdict.trust != Trust::good) {
        console.warn(fmt::format("{}: case {} is {} ({}); check it against a simulation", file, which,
                                 name_of(verdict.trust), fmt::join(verdict.reasons, "; ")));
    }
}

}  // namespace plumecast::app
