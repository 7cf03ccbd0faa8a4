#include <string>
#include <utility>

#include <nanobind/stl/string.h>

#include "bindings/python/callbacks.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

const plumecast_cases* handle_of(const Cases* cases) { return cases == nullptr ? nullptr : cases->get(); }

void train(const Device& device, const std::string& recipe, const Cases* data, const Cases* validation, bool resume,
           nb::object progress, nb::object epoch, nb::object stop, nb::object log) {
    Callbacks callbacks(std::move(progress), std::move(stop), std::move(log), std::move(epoch));
    plumecast_training_options options{};
    options.size = sizeof options;
    options.train = handle_of(data);
    options.validation = handle_of(validation);
    options.resume = resume ? 1 : 0;
    callbacks.put_into(options);
    callbacks.work([&] { return plumecast_train(device.get(), recipe.c_str(), &options); });
}

}  // namespace

void bind_training(nb::module_& module) {
    module.def(
        "train", train, "device"_a, "recipe"_a, "data"_a.none(), "validation"_a.none(), "resume"_a, "progress"_a.none(),
        "epoch"_a.none(), "stop"_a.none(), "log"_a.none(),
        nb::sig("def train(device: Device, recipe: str, data: Cases | None, validation: Cases | None, resume: bool,"
                " progress: Callable[[int, int, int, int, float], object] | None,"
                " epoch: Callable[[str], object] | None, stop: Callable[[], bool] | None,"
                " log: Callable[[int, str], None] | None) -> None"),
        "Trains a model as a recipe says.");
}

}  // namespace plumecast::python
