#include "bindings/python/failure.hpp"

#include <exception>

#include <nanobind/nanobind.h>

namespace plumecast::python {
namespace {

void raise_failure(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
        try {
            const nanobind::object raised =
                nanobind::module_::import_("plumecast.errors").attr("class_of")(static_cast<int>(failure.status()));
            PyErr_SetString(raised.ptr(), failure.what());
        } catch (nanobind::python_error& error) {
            error.restore();
        }
    }
}

}  // namespace

void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        throw Failure(status, plumecast_last_error());
    }
}

void translate_failures() { nanobind::register_exception_translator(raise_failure); }

}  // namespace plumecast::python
