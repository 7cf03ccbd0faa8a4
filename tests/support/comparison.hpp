#pragma once

#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "core/random.hpp"

namespace plumecast::testing {

/// Elements of a host array as double, whatever its element type.
std::vector<double> as_double(ConstView view);

/// ||a - b|| / ||b|| over all elements; the norm of a when b is zero.
double relative_l2(ConstView a, ConstView b);

/// Fails the running test, with worst index and both values, unless relative_l2(a, b) <= tolerance.
void expect_close(ConstView a, ConstView b, double tolerance, const std::string& what = "");

/// Standard normal values in host memory, fixed by the name.
Tensor random_tensor(const Shape& shape, DType type, const std::string& name, double scale = 1.0);

/// The same values with another element type.
Tensor converted(ConstView view, DType type);

}  // namespace plumecast::testing
