#include "bindings/c/options.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "bindings/c/arrays.hpp"
#include "bindings/c/sized.hpp"

namespace plumecast::c {

LogSink sink_of(plumecast_log log, void* user) {
    if (log == nullptr) {
        return nullptr;
    }
    return [log, user](Severity severity, std::string_view text) {
        log(severity == Severity::warning ? 1 : 0, std::string(text).c_str(), user);
    };
}

plumecast_options read_options(const plumecast_options* given) {
    const plumecast_options defaults{sizeof defaults,
                                     0,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     PLUMECAST_LIMITS_APPLY,
                                     0,
                                     nullptr,
                                     0.0,
                                     PLUMECAST_EXTRAPOLATE_REFUSE,
                                     0,
                                     0,
                                     0};
    return read_sized(given, defaults, "options");
}

void finish(const PredictionReport& report, const plumecast_options* given, const std::string& input) {
    const plumecast_options from = read_options(given);
    for (std::size_t i = 0; from.verdict != nullptr && i < report.verdicts.cases.size(); ++i) {
        const Verdict& one = report.verdicts.cases[i];
        from.verdict(static_cast<std::int64_t>(i), static_cast<std::int32_t>(one.trust),
                     fmt::format("{}", fmt::join(one.reasons, "; ")).c_str(), from.user);
    }
    if (from.strict != 0) {
        report.verdicts.require_none_bad(input);
    }
}

PredictionOptions options_of(const plumecast_options* given) {
    const plumecast_options from = read_options(given);
    if (from.limits != PLUMECAST_LIMITS_APPLY && from.limits != PLUMECAST_LIMITS_LEAVE_OUT) {
        throw InvalidInput("limits is " + std::to_string(from.limits) +
                           " (0 applies them, 1 leaves them out); give one of them");
    }
    if (from.extrapolate != PLUMECAST_EXTRAPOLATE_REFUSE && from.extrapolate != PLUMECAST_EXTRAPOLATE_NAN) {
        throw InvalidInput("extrapolate is " + std::to_string(from.extrapolate) +
                           " (0 refuses what lies beyond the training, 1 leaves NaN there); give one of them");
    }
    PredictionOptions options;
    options.limits = from.limits == PLUMECAST_LIMITS_APPLY ? Limits::apply : Limits::leave_out;
    options.batch = from.batch;
    options.beyond = from.extrapolate == PLUMECAST_EXTRAPOLATE_NAN ? Beyond::leave_nan : Beyond::refuse;
    options.uncertainty = from.uncertainty != 0;
    if (from.buildup_limit != 0.0) {
        options.buildup_limit = from.buildup_limit;
    }
    if (from.progress != nullptr) {
        options.progress = [from](std::int64_t done, std::int64_t all) { from.progress(done, all, from.user); };
    }
    if (from.stop != nullptr) {
        options.stop_requested = [from] { return from.stop(from.user) != 0; };
    }
    options.log = sink_of(from.log, from.user);
    return options;
}

PredictedArrays outputs_of(const plumecast_named* outputs, std::size_t count) {
    return {named_arrays<OutputArray>({outputs, count, "outputs"}, output_from)};
}

}  // namespace plumecast::c
