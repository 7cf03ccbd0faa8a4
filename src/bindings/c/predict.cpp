#include <string>

#include <plumecast.h>
#include <plumecast/core/error.hpp>

#include "bindings/c/arrays.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"

namespace plumecast::c {
namespace {

PredictionOptions options_of(const plumecast_options* given) {
    const plumecast_options defaults{sizeof defaults, 0, nullptr, nullptr, nullptr, nullptr};
    const plumecast_options from = read_sized(given, defaults, "options");
    if (from.batch < 0) {
        throw InvalidInput("batch is " + std::to_string(from.batch) +
                           " (it counts cases; 0 takes as many as seem to fit); give 0 or more");
    }
    PredictionOptions options;
    options.batch = from.batch;
    if (from.progress != nullptr) {
        options.progress = [from](std::int64_t done, std::int64_t all) { from.progress(done, all, from.user); };
    }
    if (from.stop != nullptr) {
        options.stop_requested = [from] { return from.stop(from.user) != 0; };
    }
    if (from.log != nullptr) {
        options.log = [from](Severity severity, std::string_view text) {
            from.log(severity == Severity::warning ? 1 : 0, std::string(text).c_str(), from.user);
        };
    }
    return options;
}

PredictedArrays outputs_of(const plumecast_named* outputs, std::size_t count) {
    PredictedArrays arrays;
    if (count > 0) {
        require_pointer(outputs, "outputs");
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = text_of(outputs[i].name, "name of an output");
        if (!arrays.arrays.emplace(name, output_from(outputs[i].array, name)).second) {
            throw InvalidInput("output " + name + " is given twice (each field is written once); leave one out");
        }
    }
    return arrays;
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_predict(const plumecast_model* model, const plumecast_cases* cases,
                                   const plumecast_named* outputs, size_t count, const plumecast_options* options) {
    return c::guarded([&] {
        const plumecast_model& by = c::required(model, "model");
        const plumecast_cases& of = c::required(cases, "cases");
        by.predictor.predict(of.input(), c::outputs_of(outputs, count), c::options_of(options));
    });
}

plumecast_status plumecast_predict_file(const plumecast_model* model, const plumecast_cases* cases, const char* path,
                                        const plumecast_options* options) {
    return c::guarded([&] {
        const plumecast_model& by = c::required(model, "model");
        const plumecast_cases& of = c::required(cases, "cases");
        by.predictor.predict(of.input(), c::text_of(path, "path"), c::options_of(options));
    });
}
