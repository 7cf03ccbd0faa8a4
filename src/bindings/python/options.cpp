#include "bindings/python/options.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;

void bind_options(nb::module_& module) {
    nb::class_<Options>(module, "Options", "How cases are predicted, recorded and evaluated.")
        .def(nb::init<std::int64_t, bool, nb::object, nb::object, nb::object, bool, double, bool, nb::object, bool>(),
             "batch"_a, "limits"_a, "progress"_a.none(), "stop"_a.none(), "log"_a.none(), "extrapolate"_a,
             "buildup_limit"_a, "strict"_a, "verdict"_a.none(), "uncertainty"_a,
             nb::sig("def __init__(self, batch: int, limits: bool, progress: Callable[[int, int], object] | None,"
                     " stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None, extrapolate: bool,"
                     " buildup_limit: float, strict: bool, verdict: Callable[[int, int, str], None] | None,"
                     " uncertainty: bool) -> None"));
}

}  // namespace plumecast::python
