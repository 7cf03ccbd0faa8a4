#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/cpu/bfloat16/line.hpp"
#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// Numbers of a field that are worked on together: as float32 they stay in the first-level cache.
constexpr std::int64_t field_chunk = 2048;

/// Reads a field in chunks of float32. One per thread.
class FieldReader {
   public:
    /// For chunks of at most `most` numbers.
    FieldReader(const SimdKernels& simd, ConstView field, std::int64_t most = field_chunk)
        : kernels_(simd.bf16), field_(field), buffer_(static_cast<std::size_t>(line_buffer(field.type, most))) {}

    /// Numbers [first, first + count); valid until the next call.
    const float* operator()(std::int64_t first, std::int64_t count) {
        return read_line(*kernels_, field_, first, count, buffer_.data());
    }

   private:
    const Bfloat16Kernels* kernels_;
    ConstView field_;
    std::vector<float> buffer_;
};

/// Writes a field in chunks of float32, rounded when a chunk is done where the field is bfloat16. One per thread.
class FieldWriter {
   public:
    FieldWriter(const SimdKernels& simd, View field, std::int64_t most = field_chunk)
        : kernels_(simd.bf16), field_(field), buffer_(static_cast<std::size_t>(line_buffer(field.type, most))) {}

    /// Calls fill(float* place) for numbers [first, first + count), which hold what the field does where `keeps`, and
    /// stores what it leaves there.
    template <class Fill>
    void operator()(std::int64_t first, std::int64_t count, bool keeps, const Fill& fill) {
        write_line(*kernels_, field_, first, count, keeps, buffer_.data(), fill);
    }

   private:
    const Bfloat16Kernels* kernels_;
    View field_;
    std::vector<float> buffer_;
};

/// Calls work(first, count) for pieces of [begin, end) of at most `most`.
template <class Work>
void for_chunks(std::int64_t begin, std::int64_t end, std::int64_t most, const Work& work) {
    for (std::int64_t first = begin; first < end; first += most) {
        work(first, std::min(most, end - first));
    }
}

}  // namespace plumecast::cpu
