#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast.h>

#include <plumecast/core/error.hpp>

#include "bindings/c/arrays.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/status.hpp"

using namespace plumecast;

plumecast_status plumecast_record(const plumecast_model* model, const plumecast_cases* cases,
                                  const plumecast_named* outputs, size_t count, const plumecast_options* options,
                                  plumecast_recording** recording) {
    return c::guarded([&] {
        plumecast_recording*& to = c::required(recording, "recording");
        to = nullptr;
        const plumecast_model& by = c::required(model, "model");
        const plumecast_cases& of = c::required(cases, "cases");
        Recording made = by.predictor->record(of.input(), c::options_of(options), c::outputs_of(outputs, count));
        to = new plumecast_recording{by.backend, by.predictor, std::move(made)};
    });
}

plumecast_status plumecast_recorded_series(plumecast_recording* recording, const char* name, double* values,
                                           size_t count) {
    return c::guarded([&] {
        const std::string series = &c::required(name, "name");
        double& first = c::required(values, "values");
        const std::vector<double> found = c::required(recording, "recording").recording.series(series);
        if (count != found.size()) {
            throw InvalidInput(fmt::format(
                "room for {} values of {} (the cases and times of the recording have {}); give one for each", count,
                series, found.size()));
        }
        std::ranges::copy(found, &first);
    });
}

plumecast_status plumecast_pull_back(plumecast_recording* recording, const plumecast_named* weights,
                                     size_t weight_count, const plumecast_named* gradients, size_t gradient_count) {
    return c::guarded([&] {
        const auto view = [](const plumecast_array& array, const std::string& name) {
            return c::view_from(array, name, "");
        };
        c::required(recording, "recording")
            .recording.pull_back(
                c::named_arrays<ArrayView>({weights, weight_count, "weights"}, view),
                c::named_arrays<OutputArray>({gradients, gradient_count, "gradients"}, c::output_from));
    });
}

plumecast_status plumecast_retaken_steps(const plumecast_recording* recording, int64_t* steps, size_t count) {
    return c::guarded([&] {
        const std::vector<std::int64_t> found = c::required(recording, "recording").recording.retaken_steps();
        if (count != found.size()) {
            throw InvalidInput(fmt::format(
                "room for {} numbers of steps (the recording has {} cases); give one for each", count, found.size()));
        }
        std::ranges::copy(found, &c::required(steps, "steps"));
    });
}

void plumecast_recording_release(plumecast_recording* recording) { delete recording; }
