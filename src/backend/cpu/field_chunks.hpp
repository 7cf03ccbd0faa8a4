#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// Numbers of a field that are worked on together: as float32 they stay in the first-level cache.
constexpr std::int64_t field_chunk = 2048;

/// The same in whole rows of so many channels, one at least.
inline std::int64_t rows_in_chunk(std::int64_t channels) {
    return std::max<std::int64_t>(1, field_chunk / std::max<std::int64_t>(1, channels));
}

/// Reads a field in chunks of float32: where they lie, or widened from bfloat16 into a buffer. One per thread.
class FieldReader {
   public:
    /// For chunks of at most `most` numbers.
    FieldReader(const SimdKernels& simd, ConstView field, std::int64_t most = field_chunk)
        : simd_(&simd),
          wide_(field.type == DType::bfloat16 ? nullptr : field.as<float>()),
          narrow_(field.type == DType::bfloat16 ? field.as<bfloat16>() : nullptr),
          buffer_(narrow_ != nullptr ? static_cast<std::size_t>(most) : 0) {}

    /// Numbers [first, first + count); valid until the next call.
    const float* operator()(std::int64_t first, std::int64_t count) {
        if (narrow_ == nullptr) {
            return wide_ + first;
        }
        simd_->bf16->widen(narrow_ + first, buffer_.data(), count);
        return buffer_.data();
    }

   private:
    const SimdKernels* simd_;
    const float* wide_;
    const bfloat16* narrow_;
    std::vector<float> buffer_;
};

/// Writes a field in chunks of float32, rounded when a chunk is done where the field is bfloat16. One per thread.
class FieldWriter {
   public:
    FieldWriter(const SimdKernels& simd, View field, std::int64_t most = field_chunk)
        : simd_(&simd),
          wide_(field.type == DType::bfloat16 ? nullptr : field.as<float>()),
          narrow_(field.type == DType::bfloat16 ? field.as<bfloat16>() : nullptr),
          buffer_(narrow_ != nullptr ? static_cast<std::size_t>(most) : 0) {}

    /// Calls fill(float* place) for numbers [first, first + count), which hold what the field does where `keeps`, and
    /// stores what it leaves there.
    template <class Fill>
    void operator()(std::int64_t first, std::int64_t count, bool keeps, const Fill& fill) {
        if (narrow_ == nullptr) {
            fill(wide_ + first);
            return;
        }
        if (keeps) {
            simd_->bf16->widen(narrow_ + first, buffer_.data(), count);
        }
        fill(buffer_.data());
        simd_->bf16->narrow(buffer_.data(), narrow_ + first, count);
    }

   private:
    const SimdKernels* simd_;
    float* wide_;
    bfloat16* narrow_;
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
