#include "bindings/c/options.hpp"

#include <string>
#include <string_view>

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

PredictionOptions options_of(const plumecast_options* given) {
    const plumecast_options defaults{sizeof defaults, 0, nullptr, nullptr, nullptr, nullptr, PLUMECAST_LIMITS_APPLY, 0};
    const plumecast_options from = read_sized(given, defaults, "options");
    if (from.batch < 0) {
        throw InvalidInput("batch is " + std::to_string(from.batch) +
                           " (it counts cases; 0 takes as many as seem to fit); give 0 or more");
    }
    if (from.limits != PLUMECAST_LIMITS_APPLY && from.limits != PLUMECAST_LIMITS_LEAVE_OUT) {
        throw InvalidInput("limits is " + std::to_string(from.limits) +
                           " (0 applies them, 1 leaves them out); give one of them");
    }
    PredictionOptions options;
    options.limits = from.limits == PLUMECAST_LIMITS_APPLY ? Limits::apply : Limits::leave_out;
    options.batch = from.batch;
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
