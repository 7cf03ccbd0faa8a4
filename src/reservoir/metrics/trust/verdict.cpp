#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr std::array<std::pair<const char*, Limit TrustLimits::*>, 5> named_limits = {
    {{"outside", &TrustLimits::outside},
     {"distance", &TrustLimits::distance},
     {"balance", &TrustLimits::balance},
     {"reach", &TrustLimits::reach},
     {"expected", &TrustLimits::expected}}};

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
    Json::Object object;
    for (const auto& [name, member] : named_limits) {
        const Limit& limit = this->*member;
        object.emplace_back(name, Json::Object{{"doubtful", limit.doubtful}, {"bad", limit.bad}});
    }
    return object;
}

TrustLimits TrustLimits::read(JsonReader& object) {
    TrustLimits limits;
    for (const auto& [name, member] : named_limits) {
        JsonReader entry = object.object(name);
        Limit& limit = limits.*member;
        limit = {entry.get<double>("doubtful"), entry.get<double>("bad")};
        entry.reject_unknown();
        if (!(limit.doubtful >= 0.0 && limit.doubtful <= limit.bad)) {
            throw InvalidInput(object.path(name) +
                               " is no pair of limits (0 <= doubtful <= bad is needed); correct the record of trust");
        }
    }
    object.reject_unknown();
    return limits;
}

double share_outside(double low, double high, double value) {
    constexpr double wide = 20.0;
    if (low > 0.0 && high > wide * low) {
        value = value > 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity();
        low = std::log(low);
        high = std::log(high);
    }
    const double beyond = std::max({low - value, value - high, 0.0});
    const double width = high > low ? high - low : std::max(std::abs(high), 1.0);
    return beyond / width;
}

Verdict judge(const CaseEvidence& evidence, const TrustLimits& limits) {
    Findings findings;
    if (!evidence.is_finite) {
        findings.add(Trust::bad,
                     "fields hold values that are not finite, or pressures at which CO2 has no known density");
    }
    findings.add(trust_at(evidence.outside, limits.outside),
                 fmt::format("{} lies outside the training range by {:.0f} % of it", evidence.farthest_input,
                             100.0 * evidence.outside));
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
                     fmt::format("the expected error of {} is {:.1f} times the usual one", one.field, one.ratio));
    }
    if (evidence.buildup_limit && evidence.largest_buildup > *evidence.buildup_limit) {
        findings.add(Trust::doubtful, fmt::format("the largest build-up, {:.4g} bar, is above the limit of {:g} bar",
                                                  evidence.largest_buildup, *evidence.buildup_limit));
    }
    Verdict verdict = std::move(findings).verdict();
    if (verdict.trust != Trust::good && evidence.is_resampled) {
        verdict.reasons.emplace_back("brought over from another grid or other times");
    }
    return verdict;
}

void TrustCounts::add(Trust trust) { ++(trust == Trust::good ? good : trust == Trust::doubtful ? doubtful : bad); }

std::string TrustCounts::text() const { return fmt::format("{} good, {} doubtful, {} bad", good, doubtful, bad); }

}  // namespace plumecast
