#pragma once

#include <type_traits>

#include <plumecast/core/tensor.hpp>

namespace plumecast::cuda {

/// An element as a number to compute with.
constexpr float number(float x) { return x; }
constexpr double number(double x) { return x; }
constexpr float number(bfloat16 x) { return static_cast<float>(x); }

/// Type of the arithmetic whose result is stored as T.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Calls visit(pointers...) with the elements of views that hold float32 or bfloat16 numbers, each view as a pointer to
/// its own type. Kernels are made for every combination of types that visit() meets.
template <class Visit>
void with_elements(const Visit& visit) {
    visit();
}
template <class Visit, class First, class... Rest>
void with_elements(const Visit& visit, const First& first, const Rest&... rest) {
    const auto next = [&](auto* elements) {
        with_elements([&](auto*... others) { visit(elements, others...); }, rest...);
    };
    first.type == DType::bfloat16 ? next(first.template as<bfloat16>()) : next(first.template as<float>());
}

/// The element type behind a pointer that with_elements() gave.
template <class Pointer>
using Element = std::remove_cv_t<std::remove_pointer_t<Pointer>>;

}  // namespace plumecast::cuda
