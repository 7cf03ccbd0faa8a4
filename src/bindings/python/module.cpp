#include <nanobind/nanobind.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/handles.hpp"

NB_MODULE(_native, module) {
    module.doc() = "plumecast.h in Python; the package plumecast is what programs use.";
    plumecast::python::translate_failures();
    plumecast::python::bind_model(module);
    plumecast::python::bind_cases(module);
    plumecast::python::bind_predict(module);
    module.def("version", plumecast_version, "major.minor.patch");
    module.def("build_info", plumecast_build_info, "What this build is made of, as JSON.");
    module.def("abi", plumecast_abi, "PLUMECAST_ABI of the library that runs.");
}
