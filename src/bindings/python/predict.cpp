#include <string>

#include "bindings/python/named_arrays.hpp"
#include "bindings/python/options.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

void predict(const Model& model, Cases& cases, const nb::dict& outputs, const Options& options) {
    const NamedArrays<WritableArray> named(outputs);
    options.work(cases, [&](const plumecast_options& given) {
        return plumecast_predict(model.get(), cases.get(), named.data(), named.size(), &given);
    });
}

void predict_file(const Model& model, Cases& cases, const std::string& path, const Options& options) {
    options.work(cases, [&](const plumecast_options& given) {
        return plumecast_predict_file(model.get(), cases.get(), path.c_str(), &given);
    });
}

}  // namespace

void bind_predict(nb::module_& module) {
    module.def(
        "predict", predict, "model"_a, "cases"_a, "outputs"_a, "options"_a,
        nb::sig("def predict(model: Model, cases: Cases, outputs: Mapping[str, object], options: Options) -> None"),
        "Predicts fields into arrays by their names.");
    module.def("predict_file", predict_file, "model"_a, "cases"_a, "path"_a, "options"_a,
               "Predicts all fields into a result file.");
}

}  // namespace plumecast::python
