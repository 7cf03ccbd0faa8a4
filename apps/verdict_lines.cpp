#include "verdict_lines.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arguments/number_checks.hpp"
#include "core/number_text.hpp"
#include "reservoir/h5/case_notes.hpp"

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
        if ((one.trust != Trust::good || !one.reasons.empty()) && (++found <= shown_cases || all)) {
            console.warn(fmt::format("case {} is {}: {}", number, name_of(one.trust), fmt::join(one.reasons, "; ")));
        }
    }
    if (!all && found > shown_cases) {
        console.warn(
            fmt::format("{} doubtful, bad or with less injected than asked for; /case/trust_reasons in {} says why",
                        counted(found - shown_cases, "further case"), result));
    }
    if (!verdicts.empty()) {
        console.print(fmt::format("trust: {}\n", counts.text()));
    }
}

void add_verdict_options(CLI::App& app, bool& strict, double& buildup_limit) {
    app.add_flag("--strict", strict, "Exit with 3 when a case is bad, after the file is written");
    app.add_option("--buildup-limit", buildup_limit, "Build-up [bar] above which a case is doubtful")
        ->check(above_zero())
        ->type_name("BAR");
}

ExitCode verdict_code(const ResultVerdicts& verdicts, bool is_strict, const std::string& result, Console& console) {
    const std::size_t bad = verdicts.counts().bad;
    if (!is_strict || bad == 0) {
        return exit_ok;
    }
    console.error(
        fmt::format("{}: {} bad (--strict makes that an error; the file is written); see "
                    "/case/trust_reasons",
                    result, bad == 1 ? "1 case is" : fmt::format("{} cases are", bad)));
    return exit_data;
}

void warn_of_missing_values(const std::vector<std::int64_t>& cases, const std::string& file, Console& console) {
    constexpr std::size_t most = 20;
    if (cases.empty()) {
        return;
    }
    const std::vector<std::int64_t> named(cases.begin(),
                                          cases.begin() + static_cast<std::ptrdiff_t>(std::min(cases.size(), most)));
    console.warn(fmt::format("{}: {} no values and {} left out: {}{}; /case/trust_reasons says why", file,
                             cases.size() == 1 ? "1 case has" : fmt::format("{} cases have", cases.size()),
                             cases.size() == 1 ? "is" : "are", fmt::join(named, ", "),
                             cases.size() > most ? " and more" : ""));
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
