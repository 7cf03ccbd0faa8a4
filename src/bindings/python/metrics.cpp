#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/python/options.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

std::string evaluate(const Model& model, Cases& cases, const Options& options) {
    std::string found;
    options.work(cases, [&](const plumecast_options& given) {
        const char* json = nullptr;
        const plumecast_status status = plumecast_evaluate(model.get(), cases.get(), &given, &json);
        found = json == nullptr ? "" : json;
        return status;
    });
    return found;
}

std::string measure(Cases& cases, const std::vector<double>& thresholds, double pressure_front,
                    double fracture_gradient, double fracture_pressure, double fracture_factor, double top_depth) {
    plumecast_measures measures{};
    measures.size = sizeof measures;
    measures.thresholds = thresholds.empty() ? nullptr : thresholds.data();
    measures.threshold_count = thresholds.size();
    measures.pressure_front = pressure_front;
    measures.fracture_gradient = fracture_gradient;
    measures.fracture_pressure = fracture_pressure;
    measures.fracture_factor = fracture_factor;
    measures.top_depth = top_depth;
    const Unlocked unlocked;
    const std::lock_guard mine(cases.turn());
    const char* json = nullptr;
    require(plumecast_measure(cases.get(), &measures, &json));
    return json;
}

}  // namespace

void bind_metrics(nb::module_& module) {
    module.def("evaluate", evaluate, "model"_a, "cases"_a, "options"_a, "Errors of the fields of a model, as JSON.");
    module.def("measure", measure, "cases"_a, "thresholds"_a, "pressure_front"_a, "fracture_gradient"_a,
               "fracture_pressure"_a, "fracture_factor"_a, "top_depth"_a, "Series of the outputs of cases, as JSON.");
}

}  // namespace plumecast::python
