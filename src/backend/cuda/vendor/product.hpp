#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast::cuda {

/// Row-major matrices c[n] = op(a[n]) op(b[n]) + beta c[n] + bias for n in [0, batch); op(a) [rows, depth],
/// op(b) [depth, columns], bias [columns] or null.
struct BatchedProduct {
    std::int64_t rows, columns, depth;
    std::int64_t batch = 1;
    bool transpose_a = false, transpose_b = false;
    const void *a, *b, *bias = nullptr;
    void* c;
    /// Element types of a and b, and of c and bias: float32 or bfloat16. float32 factors give float32.
    DType factors = DType::float32, result = DType::float32;
    /// float32 factors have but ten bits of mantissa, or may be rounded to them.
    bool ten_bits = false;
    /// Elements from one matrix of the batch to the next; 0 takes the same one for all.
    std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
    float beta = 0.0f;
};

/// What cuBLASLt does to a sum before it stores it. Its ReLU is not among these: it is max(x, 0), which leaves open
/// what becomes of NaN, and every backend passes NaN through activations.
enum class Epilogue { none, bias };

constexpr Epilogue epilogue_of(const BatchedProduct& product) {
    return product.bias != nullptr ? Epilogue::bias : Epilogue::none;
}

/// Multiples of bytes, powers of two up to 256, that every matrix of a product begins at. cuBLASLt takes 256 for
/// granted unless told otherwise, and views of rows begin anywhere.
struct ProductAlignment {
    std::uint32_t a, b, c, bias;

    explicit ProductAlignment(const BatchedProduct& p)
        : a(of(p.a, p.stride_a, p.factors)),
          b(of(p.b, p.stride_b, p.factors)),
          c(of(p.c, p.stride_c, p.result)),
          bias(of(p.bias, 0, p.result)) {}

    /// What may be relied on where results are stored, along with which the bias is read: cuBLASLt can be told of no
    /// alignment of the bias itself.
    std::uint32_t stored() const { return std::min(c, bias); }

   private:
    static std::uint32_t of(const void* address, std::int64_t stride, DType type) {
        const auto bits = reinterpret_cast<std::uintptr_t>(address) |
                          (static_cast<std::uintptr_t>(stride) * size_of(type)) | std::uintptr_t{256};
        return static_cast<std::uint32_t>(bits & (~bits + 1));
    }
};

/// Products that one algorithm does alike: their numbers are the same.
using ProductKey = std::array<std::int64_t, 12>;

inline ProductKey key_of(const BatchedProduct& p) {
    const std::int64_t flags = (p.transpose_a ? 1 : 0) + (p.transpose_b ? 2 : 0) +
                               (epilogue_of(p) == Epilogue::bias ? 4 : 0) + (p.beta != 0.0f ? 8 : 0) +
                               (p.factors == DType::bfloat16 ? 16 : 0) + (p.result == DType::bfloat16 ? 32 : 0) +
                               (p.ten_bits ? 64 : 0);
    const ProductAlignment alignment(p);
    return {p.rows,     p.columns,  p.depth,     p.batch,     flags,       p.stride_a,
            p.stride_b, p.stride_c, alignment.a, alignment.b, alignment.c, alignment.bias};
}

/// Most matrices of a batch that cuBLASLt takes at once.
constexpr std::int64_t largest_batch = 65535;

/// The matrices of a product from `first` on, at most `largest_batch` of them.
inline BatchedProduct batch_from(const BatchedProduct& whole, std::int64_t first) {
    const auto skip = [&](std::int64_t stride, DType type) {
        return first * stride * static_cast<std::int64_t>(size_of(type));
    };
    BatchedProduct part = whole;
    part.batch = std::min(whole.batch - first, largest_batch);
    part.a = static_cast<const std::byte*>(whole.a) + skip(whole.stride_a, whole.factors);
    part.b = static_cast<const std::byte*>(whole.b) + skip(whole.stride_b, whole.factors);
    part.c = static_cast<std::byte*>(whole.c) + skip(whole.stride_c, whole.result);
    return part;
}

/// Does a product in batches that cuBLASLt takes, by multiply(product), which is false, with nothing done, where it
/// refuses. False when the first is refused. Throws DeviceError when a later one is, since sums are then added in part.
template <class Multiply>
bool in_batches(const BatchedProduct& whole, const Multiply& multiply) {
    for (std::int64_t first = 0; first < whole.batch; first += largest_batch) {
        if (multiply(batch_from(whole, first))) {
            continue;
        }
        if (first == 0) {
            return false;
        }
        throw DeviceError("a matrix product ended after " + std::to_string(first) + " of " +
                          std::to_string(whole.batch) +
                          " matrices (cuBLASLt refuses the others); take smaller batches of cases, and please report "
                          "shapes and device");
    }
    return true;
}

}  // namespace plumecast::cuda
