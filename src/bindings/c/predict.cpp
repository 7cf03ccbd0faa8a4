#include <plumecast.h>

#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/status.hpp"

using namespace plumecast;

plumecast_status plumecast_predict(const plumecast_model* model, const plumecast_cases* cases,
                                   const plumecast_named* outputs, size_t count, const plumecast_options* options) {
    return c::guarded([&] {
        const plumecast_model& by = c::required(model, "model");
        const plumecast_cases& of = c::required(cases, "cases");
        c::finish(by.predictor->predict(of.input(), c::outputs_of(outputs, count), c::options_of(options)), options,
                  of.path.value_or(of.memory.name));
    });
}

plumecast_status plumecast_predict_file(const plumecast_model* model, const plumecast_cases* cases, const char* path,
                                        const plumecast_options* options) {
    return c::guarded([&] {
        const plumecast_model& by = c::required(model, "model");
        const plumecast_cases& of = c::required(cases, "cases");
        const std::string result = c::text_of(path, "path");
        c::finish(by.predictor->predict(of.input(), result, c::options_of(options)), options, result);
    });
}
