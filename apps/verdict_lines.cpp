#include "verdict_lines.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/counted.hpp>

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

}  // namespace plumecast::app
