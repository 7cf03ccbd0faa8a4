#pragma once

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predicted_arrays.hpp>

#include "reservoir/dataset/store/memory_store.hpp"

namespace plumecast {

/// An array of the caller's in the backend's memory, of the type that it computes with. The view must be readable
/// (problem_of_view()).
Tensor from_caller(Backend& backend, const ArrayView& array);

/// Copies a tensor of the backend to an array of the caller's of its shape.
void to_caller(Backend& backend, ConstView values, const OutputArray& array);

}  // namespace plumecast
