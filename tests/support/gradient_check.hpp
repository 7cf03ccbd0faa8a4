#pragma once

#include <functional>
#include <string>
#include <vector>

#include <plumecast/layers/variable.hpp>

namespace plumecast::testing {

/// A differentiable operation on variables of any one backend; called anew for every evaluation.
using Operation = std::function<Variable(const std::vector<Variable>&)>;

/// A leaf of standard normal values fixed by the name, float32 numbers even in float64.
Variable random_leaf(Backend& backend, const Shape& shape, const std::string& name, bool requires_grad = true);

/// Values of a variable or its gradient in host memory, float64.
Tensor on_host(const Variable& owner, ConstView values);

/// The gradient that expect_gradients() feeds to backward().
Tensor cotangent(Backend& backend, const Shape& shape);

/// Checks value and gradients of an operation on random inputs of the given shapes; gradients are of <result, random
/// cotangent>. On the oracle, backward() agrees with central differences for every element of every input (1e-7);
/// on every other backend, value and gradients agree with the oracle's (1e-5); without gradients the value is the same.
/// Inputs listed in `constant` want no gradient and must get none.
void expect_gradients(const Operation& operation, const std::vector<Shape>& inputs,
                      const std::vector<std::size_t>& constant = {});

}  // namespace plumecast::testing
