#pragma once

#include <cstddef>
#include <string_view>

#include <plumecast/core/bfloat16.hpp>

namespace plumecast {

/// Element types a tensor can hold. Complex values are pairs (real, imaginary) on an axis of extent 2.
enum class DType { float32, float64, bfloat16 };

/// Bytes of one element.
std::size_t size_of(DType type);
/// "float32", "float64", "bfloat16".
std::string_view name_of(DType type);

/// The DType of a C++ element type.
template <class T>
constexpr DType dtype_of();
/// DType::float32.
template <>
constexpr DType dtype_of<float>() {
    return DType::float32;
}
/// DType::float64.
template <>
constexpr DType dtype_of<double>() {
    return DType::float64;
}
/// DType::bfloat16.
template <>
constexpr DType dtype_of<bfloat16>() {
    return DType::bfloat16;
}

}  // namespace plumecast
