#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <plumecast.h>
#include <plumecast/core/error.hpp>
#include <plumecast/inference/predicted_arrays.hpp>

#include "bindings/c/status.hpp"

namespace plumecast::c {

/// An array of the caller's as an input. Throws InvalidInput naming it for one that is not in host memory or whose
/// description cannot be read.
ArrayView view_from(const plumecast_array& array, const std::string& name, std::string unit);

/// The same as an array to be written.
OutputArray output_from(const plumecast_array& array, const std::string& name);

/// Arrays that a caller lists: "outputs", "weights", "gradients".
struct NamedArrays {
    const plumecast_named* first;
    std::size_t count;
    const char* what;
};

/// Of each of them convert(array, name), by name. Throws InvalidInput for NULL where there are some, and for a name
/// given twice.
template <class Array, class Convert>
std::map<std::string, Array> named_arrays(const NamedArrays& given, const Convert& convert) {
    std::map<std::string, Array> arrays;
    if (given.count > 0) {
        require_pointer(given.first, given.what);
    }
    for (std::size_t i = 0; i < given.count; ++i) {
        const std::string name = text_of(given.first[i].name, "name of an array");
        if (!arrays.emplace(name, convert(given.first[i].array, name)).second) {
            throw InvalidInput(std::string(given.what) + " name " + name +
                               " twice (each goes to one array); leave "
                               "one out");
        }
    }
    return arrays;
}

}  // namespace plumecast::c
