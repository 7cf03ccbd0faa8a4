#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_series.hpp"

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

constexpr std::array<std::pair<const char*, Limit TrustLimits::*>, 8> named_limits = {
    {{"outside", &TrustLimits::outside},
     {"distance", &TrustLimits::distance},
     {"balance", &TrustLimits::balance},
     {"reach", &TrustLimits::reach},
     {"expected", &TrustLimits::expected},
     {"absorbed", &TrustLimits::absorbed},
     {"dissolved_more", &TrustLimits::dissolved_more},
     {"dissolved_less", &TrustLimits::dissolved_less}}};
/// Limits that older models do not record.
bool came_later(std::string_view name) { return name == "absorbed" || name.starts_with("dissolved_"); }

template <class Visitor, class Limits>
void visit_limits(Visitor& v, Limits& limits) {
    for (const auto& [name, member] : named_limits) {
        const auto pair = [&limit = limits.*member](auto& entry) {
            entry.required("doubtful", limit.doubtful);
            entry.required("bad", limit.bad);
        };
        came_later(name) ? v.section(name, pair) : v.required_section(name, pair);
    }
}

/// The findings of a case, of which the worst come first.
class Findings {
   public:
    void add(Trust trust, std::string reason) {
        if (trust != Trust::good) {
            found_.emplace_back(trust, std::move(reason));
        }
    }
    Verdict verdict() && {
        std::ranges::stable_sort(found_, std::ranges::greater(), &Finding::first);
        Verdict verdict;
        for (auto& [trust, reason] : found_) {
            verdict.trust = std::max(verdict.trust, trust);
            verdict.reasons.push_back(std::move(reason));
        }
        return verdict;
    }

   private:
    using Finding = std::pair<Trust, std::string>;
    std::vector<Finding> found_;
};

Trust trust_at(double measure, const Limit& limit) {
    if (!(measure <= limit.bad)) {  // also where it is not a number
        return Trust::bad;
    }
    return measure > limit.doubtful ? Trust::doubtful : Trust::good;
}

}  // namespace

std::string_view name_of(Trust trust) {
    return trust == Trust::good ? "good" : trust == Trust::doubtful ? "doubtful" : "bad";
}

Trust trust_labelled(std::uint8_t label) {
    return label == 0 ? Trust::good : label == 1 ? Trust::doubtful : Trust::bad;
}

Json TrustLimits::to_json() const {
    return written([&](FieldWriter& v) { visit_limits(v, *this); });
}

TrustLimits TrustLimits::read(JsonReader& object) {
    TrustLimits limits;
    read_whole(object, [&](FieldReader& v) { visit_limits(v, limits); });
    for (const auto& [name, member] : named_limits) {
        const Limit& limit = limits.*member;
        if (!(limit.doubtful >= 0.0 && limit.doubtful <= limit.bad)) {
            throw InvalidInput(object.path(name) +
                               " is no pair of limits (0 <= doubtful <= bad is needed); correct the record of trust");
        }
    }
    return limits;
}

namespace {

/// Of times beyond those of the training, which are judged like an input outside its range.
void judge_times(const CaseEvidence& evidence, const TrustLimits& limits, Findings& findings) {
    if (evidence.trained_time > 0.0) {
        findings.add(trust_at(std::max(evidence.last_time / evidence.trained_time - 1.0, 0.0), limits.outside),
                     fmt::format("the times reach {:.3g} years, those of the training {:.3g}",
                                 evidence.last_time / days_per_year, evidence.trained_time / days_per_year));
    }
}

void judge_rates(const CaseEvidence& evidence, Findings& findings) {
    if (evidence.rate_changes == RateChanges::corrected) {
        findings.add(Trust::doubtful, "the rate of injection changes, and the network was trained on constant rates");
    } else if (evidence.rate_changes == RateChanges::unseen) {
        findings.add(Trust::bad, "the rate of injection changes, and the model knows its mean alone");
    }
}

/// Of a well whose pressure has a limit.
void judge_limit(const CaseEvidence& evidence, Findings& findings) {
    if (evidence.limits == RateChanges::unseen) {
        findings.add(Trust::doubtful,
                     "bottom_hole_pressure_limit is not known to the model, which takes all that is asked for as "
                     "injected");
    } else if (evidence.limits == RateChanges::corrected && evidence.limited_rate) {
        findings.add(Trust::doubtful,
                     "the network was trained on rates that are injected as asked for, and corrects those that the "
                     "physics limits");
    }
}

/// Of brine that takes up CO2 slowly.
void judge_dissolution_limit(const CaseEvidence& evidence, Findings& findings) {
    if (evidence.dissolution == RateChanges::unseen) {
        findings.add(Trust::bad,
                     "dissolution_rate_limit is not known to the model, which takes gas and brine for in equilibrium");
    } else if (evidence.dissolution == RateChanges::corrected) {
        findings.add(Trust::doubtful,
                     "the network was trained on gas and brine in equilibrium, and the physics keeps to "
                     "dissolution_rate_limit");
    }
}

/// Of temperatures that grow with depth.
void judge_warmth(const CaseEvidence& evidence, Findings& findings) {
    if (evidence.warmth == RateChanges::unseen) {
        findings.add(Trust::doubtful,
                     "temperature_gradient is not known to the model, which takes the temperature of the case for that "
                     "of all depths");
    }
}

void judge_pressure(const CaseEvidence& evidence, Findings& findings) {
    if (evidence.rock_load && !(*evidence.rock_load <= 1.0)) {
        findings.add(Trust::bad,
                     fmt::format("with a build-up of {:.4g} bar the pressure is {:.3g} times that at which any rock "
                                 "breaks ({:g} bar per metre of depth)",
                                 evidence.largest_buildup, *evidence.rock_load, highest_fracture_gradient));
    }
    if (evidence.buildup_limit && evidence.largest_buildup > *evidence.buildup_limit) {
        findings.add(Trust::doubtful, fmt::format("the largest build-up, {:.4g} bar, is above the limit of {:g} bar",
                                                  evidence.largest_buildup, *evidence.buildup_limit));
    }
}

/// Of what dissolved CO2 takes up.
void judge_dissolved(const CaseEvidence& evidence, const TrustLimits& limits, Findings& findings) {
    if (evidence.absorbed) {
        findings.add(
            trust_at(*evidence.absorbed, limits.absorbed),
            fmt::format("brine beside gas holds {:.2g} times the CO2 that it dissolves, which hides {:.0f} % of "
                        "the injected CO2 from the balance",
                        evidence.dissolved_ratio, 100.0 * *evidence.absorbed));
    }
    if (const auto& more = evidence.dissolves_more) {
        findings.add(trust_at(more->predicted - more->physics, limits.dissolved_more),
                     fmt::format("the balance is closed by dissolving {:.0f} % of the injected CO2, where the reduced "
                                 "physics dissolves {:.0f} %: gas is missing",
                                 100.0 * more->predicted, 100.0 * more->physics));
    }
    if (const auto& less = evidence.dissolves_less) {
        findings.add(trust_at(less->physics - less->predicted, limits.dissolved_less),
                     fmt::format("the balance is closed by dissolving {:.0f} % of the injected CO2, where the reduced "
                                 "physics dissolves {:.0f} %: there is too much gas",
                                 100.0 * less->predicted, 100.0 * less->physics));
    }
}

}  // namespace

Verdict judge(const CaseEvidence& evidence, const TrustLimits& limits) {
    Findings findings;
    if (!evidence.is_finite) {
        findings.add(Trust::bad,
                     "fields hold values that are not finite, or pressures at which CO2 has no known density");
    }
    const std::string beyond = evidence.trained_value ? fmt::format(": its one value was {:g}", *evidence.trained_value)
                                                      : fmt::format(" by {:.0f} % of it", 100.0 * evidence.outside);
    findings.add(trust_at(evidence.outside, limits.outside),
                 fmt::format("{} lies outside the training range{}", evidence.farthest_input, beyond));
    if (evidence.distance) {
        findings.add(trust_at(*evidence.distance, limits.distance),
                     fmt::format("the inputs together are {:.2g} times as unusual as the farthest training case",
                                 *evidence.distance));
    }
    if (evidence.balance) {
        findings.add(trust_at(*evidence.balance, limits.balance),
                     fmt::format("CO2 found and injected differ by {:.0f} %", 100.0 * *evidence.balance));
    }
    if (evidence.reach) {
        findings.add(
            trust_at(*evidence.reach, limits.reach),
            fmt::format("the plume is {:.2g} times as wide as the injected volume can reach", *evidence.reach));
    }
    for (const ExpectedError& one : evidence.expected) {
        findings.add(trust_at(one.ratio, limits.expected),
                     fmt::format("the expected error of {} is {:.1f} times the usual one{}{}", one.field, one.ratio,
                                 one.because.empty() ? "" : ": ", one.because));
    }
    judge_rates(evidence, findings);
    judge_limit(evidence, findings);
    judge_dissolution_limit(evidence, findings);
    judge_warmth(evidence, findings);
    judge_times(evidence, limits, findings);
    judge_dissolved(evidence, limits, findings);
    judge_pressure(evidence, findings);
    Verdict verdict = std::move(findings).verdict();
    if (verdict.trust != Trust::good && evidence.resampling != Resampling::none) {
        verdict.reasons.emplace_back("brought over from another grid or other times");
    }
    if (const auto& limited = evidence.limited_rate) {
        verdict.reasons.push_back(
            fmt::format("rate limited by bottom-hole pressure from day {:.4g} to {:.4g}: {:.4g} Mt of {:.4g} asked",
                        limited->from, limited->to, limited->injected, limited->asked));
    }
    return verdict;
}

void TrustCounts::add(Trust trust) { ++(trust == Trust::good ? good : trust == Trust::doubtful ? doubtful : bad); }

std::string TrustCounts::text() const { return fmt::format("{} good, {} doubtful, {} bad", good, doubtful, bad); }

TrustCounts ResultVerdicts::counts() const {
    TrustCounts counts;
    std::ranges::for_each(cases, [&](const Verdict& one) { counts.add(one.trust); });
    return counts;
}

void ResultVerdicts::require_none_bad(const std::string& result) const {
    constexpr std::size_t most = 20;
    std::vector<std::size_t> bad;
    for (std::size_t which = 0; which < cases.size(); ++which) {
        if (cases[which].trust == Trust::bad) {
            bad.push_back(which);
        }
    }
    if (bad.empty()) {
        return;
    }
    const std::span<const std::size_t> named(bad.data(), std::min(bad.size(), most));
    throw InvalidData(
        fmt::format("{}: {} bad, {}{} (strict makes that an error; the result is there, whole); see why "
                    "in the verdicts",
                    result, bad.size() == 1 ? "1 case is" : fmt::format("{} cases are", bad.size()),
                    fmt::join(named, ", "), bad.size() > most ? " and more" : ""));
}

}  // namespace plumecast
