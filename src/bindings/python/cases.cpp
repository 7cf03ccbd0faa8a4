#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;

std::unique_ptr<Cases> Cases::create() {
    plumecast_cases* handle = nullptr;
    require(plumecast_cases_create(&handle));
    return std::make_unique<Cases>(Owned<plumecast_cases>(handle));
}

std::unique_ptr<Cases> Cases::create_generic(const std::string& axes) {
    plumecast_cases* handle = nullptr;
    require(plumecast_cases_create_generic(axes.c_str(), &handle));
    return std::make_unique<Cases>(Owned<plumecast_cases>(handle));
}

std::unique_ptr<Cases> Cases::open(const std::string& path) {
    const Unlocked unlocked;
    plumecast_cases* handle = nullptr;
    require(plumecast_cases_open(path.c_str(), &handle));
    return std::make_unique<Cases>(Owned<plumecast_cases>(handle));
}

void Cases::set(const std::string& name, const std::string& unit, const InputArray& array) {
    const DescribedArray described(array);
    require(plumecast_cases_set(handle_.get(), name.c_str(), unit.c_str(), &described.array()));
    arrays_.insert_or_assign(name, array);
}

std::string Cases::check() {
    const Unlocked unlocked;
    const std::lock_guard mine(turn_);
    const char* report = nullptr;
    const plumecast_status status = plumecast_cases_check(handle_.get(), &report);
    std::string found = report == nullptr ? "[]" : report;
    if (status != PLUMECAST_INVALID_DATA || found == "[]") {
        require(status);  // not what is wrong with the cases, but that they could not be looked through
    }
    return found;
}

void Cases::write(const std::string& path) {
    const Unlocked unlocked;
    const std::lock_guard mine(turn_);
    require(plumecast_cases_write(handle_.get(), path.c_str()));
}

nb::tuple Cases::extents() {
    plumecast_cases_extents extents{};
    extents.size = sizeof extents;
    {
        const Unlocked unlocked;
        const std::lock_guard mine(turn_);
        require(plumecast_cases_info(handle_.get(), &extents));
    }
    return nb::make_tuple(extents.cases, extents.times, extents.rows, extents.lines, extents.columns,
                          extents.cartesian != 0, extents.wells, extents.periods, extents.axes, extents.timed != 0);
}

void bind_cases(nb::module_& module) {
    nb::class_<Cases>(module, "Cases", "Cases of plumecast.h; they hold on to the arrays that they look at.")
        .def_static("create", &Cases::create, "Cases in memory, without arrays yet.")
        .def_static("create_generic", &Cases::create_generic, "axes"_a,
                    "Cases of generic data in memory, without arrays yet.")
        .def_static("open", &Cases::open, "path"_a, "Cases of a data set file.")
        .def("set", &Cases::set, "name"_a, "unit"_a, "array"_a.noconvert(),
             nb::sig("def set(self, name: str, unit: str, array: object) -> None"),
             "Has an array looked at where it is, by its name in the data set format.")
        .def("check", &Cases::check, "All violations of the format, as a JSON list.")
        .def("write", &Cases::write, "path"_a, "Writes all of the cases as a data set file.")
        .def("extents", &Cases::extents,
             nb::sig("def extents(self) -> tuple[int, int, int, int, int, bool, int, int, int, bool]"),
             "Cases, times, rows, lines, columns, whether the grid is Cartesian, wells and periods of a schedule, axes "
             "of "
             "generic data, and whether there are times.");
}

}  // namespace plumecast::python
