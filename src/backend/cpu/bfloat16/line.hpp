#pragma once

#include <cstdint>

#include <plumecast/core/tensor.hpp>

#include "backend/cpu/bfloat16/kernels.hpp"

namespace plumecast::cpu {

/// `count` neighbouring numbers of a field as float32: where they lie, or widened into `buffer`.
inline const float* read_line(const Bfloat16Kernels& kernels, ConstView field, std::int64_t first, std::int64_t count,
                              float* buffer) {
    if (field.type != DType::bfloat16) {
        return field.as<float>() + first;
    }
    kernels.widen(field.as<bfloat16>() + first, buffer, count);
    return buffer;
}

/// Calls change(float* line) for such numbers, which hold what the field does where `keeps`, and stores what it leaves.
template <class Change>
void write_line(const Bfloat16Kernels& kernels, View field, std::int64_t first, std::int64_t count, bool keeps,
                float* buffer, const Change& change) {
    if (field.type != DType::bfloat16) {
        change(field.as<float>() + first);
        return;
    }
    bfloat16* narrow = field.as<bfloat16>() + first;
    if (keeps) {
        kernels.widen(narrow, buffer, count);
    }
    change(buffer);
    kernels.narrow(buffer, narrow, count);
}

/// Numbers that such a buffer needs for lines of so many; none for a field of float32.
inline std::int64_t line_buffer(DType type, std::int64_t count) { return type == DType::bfloat16 ? count : 0; }

}  // namespace plumecast::cpu
