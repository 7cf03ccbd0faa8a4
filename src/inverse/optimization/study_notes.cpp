#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/number_text.hpp"
#include "inverse/optimization/storage_study.hpp"

namespace plumecast {
namespace {

/// With fewer geologies a probability of 0.9 says little.
constexpr std::size_t few_geologies = 20;

/// Which limits count as exact, and of which cases the intervals of the others say nothing.
void add_margin_notes(StorageStudy& study) {
    std::vector<std::string> exact;
    bool has_interval = false;
    for (std::size_t i = 0; i < study.config.limits.size(); ++i) {
        const MarginSource from = study.optima[0].limits[i].margin_source;
        has_interval = has_interval || from == MarginSource::interval;
        if (from == MarginSource::none) {
            exact.push_back(study.config.limits[i].name());
        }
    }
    if (!exact.empty()) {
        study.notes.push_back(fmt::format(
            "the figures of {} count as exact (no margin is stated, and {} no interval of them); "
            "docs/optimize.md says what they may be wrong by",
            fmt::join(exact, ", "), study.config.model.empty() ? "physics alone has" : study.config.model + " has"));
    }
    std::int64_t cases = 0, without = 0;
    std::string reason;
    for (const StorageOptimum& one : study.optima) {
        for (std::size_t i = 0; has_interval && i < one.without_interval.size(); ++i) {
            ++cases;
            if (!one.without_interval[i].empty()) {
                ++without;
                reason = reason.empty() ? fmt::format("case {}: {}", one.cases[i], one.without_interval[i]) : reason;
            }
        }
    }
    if (without > 0) {
        study.notes.push_back(fmt::format(
            "the intervals by which limits are kept promise nothing of {} of {} at the optimum ({}); state a "
            "margin, or calibrate the model on such cases",
            without, counted(cases, "case"), reason));
    }
}

}  // namespace

void add_notes(StorageStudy& study) {
    const StorageConfig& config = study.config;
    add_margin_notes(study);
    if (config.fracture.gradient && !config.top_depth && !study.designed.attributes.contains("top_depth")) {
        study.notes.push_back(
            "the depth of the formations is not stated, so that of fresh water at rest with their pressure counts for "
            "the "
            "fracture gradient; state top_depth");
    }
    const std::size_t cases = study.is_each ? 1 : study.optima[0].cases.size();
    if (!study.is_each && cases < few_geologies) {
        study.notes.push_back(fmt::format(
            "{} {} little about a probability of {:g}; the interval stands under held in optimum.json",
            counted(static_cast<std::int64_t>(cases), "case"), cases == 1 ? "says" : "say", config.probability));
    }
    TrustCounts counts;
    std::string reason;
    for (const StorageOptimum& one : study.optima) {
        for (std::size_t i = 0; i < one.verdicts.size(); ++i) {
            const Verdict& verdict = one.verdicts[i];
            counts.add(verdict.trust);
            if (verdict.trust != Trust::good && reason.empty() && !verdict.reasons.empty()) {
                reason = fmt::format("case {}: {}", one.cases[i], verdict.reasons[0]);
            }
        }
    }
    if (counts.doubtful + counts.bad > 0) {
        study.notes.push_back(fmt::format("predictions at the optimum: {} ({})", counts.text(), reason));
    }
    for (const StorageOptimum& one : study.optima) {
        if (one.is_held_back) {
            study.notes.push_back(
                fmt::format("{}some higher rates keep the limits and lower ones do not (a figure jumps, or a peak "
                            "falls between two times "
                            "of the file), so the choice stays below; more times show a peak",
                            study.is_each ? fmt::format("site {}: ", one.cases[0]) : ""));
        }
        for (std::size_t i = 0; i < one.limits.size(); ++i) {
            if (one.limits[i].excess > 0.0) {
                const std::string who = study.is_each ? fmt::format("site {}: ", one.cases[0]) : "";
                study.notes.push_back(
                    fmt::format("{}{} cannot be met: the best choice misses it by {}", who, config.limits[i].name(),
                                std::isfinite(one.limits[i].excess)
                                    ? number_text(one.limits[i].excess)
                                    : fmt::format("an amount that is not known ({})", one.why_not_known)));
            }
        }
    }
}

void add_simulated_notes(StorageStudy& study) {
    for (const StorageOptimum& one : study.optima) {
        const std::string who = study.is_each ? fmt::format("site {}: ", one.cases[0]) : "";
        for (std::size_t i = 0; one.simulated && i < one.simulated->limits.size(); ++i) {
            const LimitOutcome& limit = one.simulated->limits[i];
            if (limit.excess > 0.0 && one.limits[i].excess <= 0.0) {
                study.notes.push_back(fmt::format(
                    "{}simulated by {}, {} holds in {} of {} alone{}", who, study.simulator,
                    study.config.limits[i].name(), limit.held.held, counted(limit.held.of, "case"),
                    std::isfinite(limit.excess)
                        ? fmt::format(" and is missed by {}; give the limit a larger margin", number_text(limit.excess))
                        : ""));
            }
        }
        if (one.simulated && one.simulated->failed > 0) {
            study.notes.push_back(
                fmt::format("{}{} could not be simulated, and counts as one that breaks the limits ({})", who,
                            counted(one.simulated->failed, "case"), one.simulated->why_failed));
        }
    }
}

}  // namespace plumecast
