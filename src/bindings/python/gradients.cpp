#include <string>
#include <utility>

#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/python/named_arrays.hpp"
#include "bindings/python/options.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

std::unique_ptr<Recording> record(const Model& model, nb::object cases, const nb::dict& outputs,
                                  const Options& options) {
    const NamedArrays<WritableArray> named(outputs);
    Cases& of = nb::cast<Cases&>(cases);
    plumecast_recording* handle = nullptr;
    options.work(of, [&](const plumecast_options& given) {
        return plumecast_record(model.get(), of.get(), named.data(), named.size(), &given, &handle);
    });
    return std::make_unique<Recording>(Owned<plumecast_recording>(handle), std::move(cases));
}

}  // namespace

void Recording::pull_back(const nb::dict& weights, const nb::dict& gradients) {
    const NamedArrays<InputArray> from(weights);
    const NamedArrays<WritableArray> to(gradients);
    const Unlocked unlocked;
    const std::lock_guard mine(turn_);
    require(plumecast_pull_back(handle_.get(), from.data(), from.size(), to.data(), to.size()));
}

std::vector<double> Recording::series(const std::string& name, std::size_t count) {
    std::vector<double> values(count);
    const Unlocked unlocked;
    const std::lock_guard mine(turn_);
    require(plumecast_recorded_series(handle_.get(), name.c_str(), values.data(), values.size()));
    return values;
}

std::vector<std::int64_t> Recording::retaken_steps(std::size_t cases) {
    std::vector<std::int64_t> steps(cases);
    const Unlocked unlocked;
    const std::lock_guard mine(turn_);
    require(plumecast_retaken_steps(handle_.get(), steps.data(), steps.size()));
    return steps;
}

void bind_gradients(nb::module_& module) {
    nb::class_<Recording>(module, "Recording", "A forward pass whose tape is kept.")
        .def("pull_back", &Recording::pull_back, "weights"_a, "gradients"_a,
             nb::sig("def pull_back(self, weights: Mapping[str, object], gradients: Mapping[str, object]) -> None"),
             "Derivatives of the sum of weights times fields by inputs, into arrays by their names.")
        .def("series", &Recording::series, "name"_a, "count"_a,
             "Values of a series of a report on the recorded fields, of all cases at all times.")
        .def("retaken_steps", &Recording::retaken_steps, "cases"_a,
             "Of each case, time steps of its physics that were taken in another way than at first.");
    module.def("record", record, "model"_a, "cases"_a, "outputs"_a, "options"_a,
               nb::sig("def record(model: Model, cases: Cases, outputs: Mapping[str, object], options: Options) -> "
                       "Recording"),
               "Runs cases forward and keeps the tape.");
}

}  // namespace plumecast::python
