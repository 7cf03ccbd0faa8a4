#include <nanobind/nanobind.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/handles.hpp"

NB_MODULE(_native, module) {
    module.doc() = "plumecast.h in Python; the package plumecast is what programs use.";
    nanobind::set_leak_warnings(false);  // what a traceback holds when Python ends is no leak
    plumecast::python::translate_failures();
    plumecast::python::bind_fork(module);
    plumecast::python::bind_model(module);
    plumecast::python::bind_cases(module);
    plumecast::python::bind_options(module);
    plumecast::python::bind_predict(module);
    plumecast::python::bind_gradients(module);
    plumecast::python::bind_metrics(module);
    plumecast::python::bind_network(module);
    plumecast::python::bind_training(module);
    plumecast::python::bind_inversion(module);
    module.def("version", plumecast_version, "major.minor.patch");
    module.def("build_info", plumecast_build_info, "What this build is made of, as JSON.");
    module.def("abi", plumecast_abi, "PLUMECAST_ABI of the library that runs.");
}
