#include <string>
#include <utility>

#include <nanobind/stl/string.h>

#include "bindings/python/callbacks.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

void invert(const Device& device, const std::string& configuration, std::int32_t threads, bool resume, bool replace,
            nb::object progress, nb::object step, nb::object stop, nb::object log) {
    Callbacks callbacks(std::move(progress), std::move(stop), std::move(log), std::move(step));
    plumecast_inversion_options options{};
    options.size = sizeof options;
    options.threads = threads;
    options.resume = resume ? 1 : 0;
    options.replace = replace ? 1 : 0;
    callbacks.put_into(options);
    callbacks.work([&] { return plumecast_invert(device.get(), configuration.c_str(), &options); });
}

}  // namespace

void bind_inversion(nb::module_& module) {
    module.def("invert", invert, "device"_a, "configuration"_a, "threads"_a, "resume"_a, "replace"_a,
               "progress"_a.none(), "step"_a.none(), "stop"_a.none(), "log"_a.none(),
               nb::sig("def invert(device: Device, configuration: str, threads: int, resume: bool, replace: bool,"
                       " progress: Callable[[str, int, int], object] | None, step: Callable[[str], object] | None,"
                       " stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None) -> None"),
               "Finds reservoirs that explain observations as a configuration says.");
}

}  // namespace plumecast::python
