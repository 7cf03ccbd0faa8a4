#pragma once

#include <string>

#include <plumecast.h>
#include <plumecast/inference/predicted_arrays.hpp>

namespace plumecast::c {

/// An array of the caller's as an input. Throws InvalidInput naming it for one that is not in host memory or whose
/// description cannot be read.
ArrayView view_from(const plumecast_array& array, const std::string& name, std::string unit);

/// The same as an output.
OutputArray output_from(const plumecast_array& array, const std::string& name);

}  // namespace plumecast::c
