#pragma once

#include <cstdint>

namespace plumecast::cpu {

/// Rows of per-channel numbers, repeated so often that a loop over them fills whole vectors: number i of a field's row
/// belongs to entry i % period.
struct NormRows {
    const float* scale;  ///< z = scale x + shift
    const float* shift;
    const float* mean;  ///< unit = (x - mean) inverse
    const float* inverse;
    const float* mean_g;  ///< of the gradient behind the activation, and of its product with unit
    const float* mean_gx;
    std::int64_t period;
    float slope;  ///< f(z) = z >= 0 ? z : slope z
};

/// One step of Adam on neighbouring numbers: m and v move towards the gradient s = scale g + decay w and its square,
/// w -= rate m / (sqrt(v) root + epsilon) + shrink w.
struct AdamNumbers {
    float beta1, rest1, beta2, rest2, scale, decay, rate, root, epsilon, shrink;
};

/// Sums that FieldKernels::add_norm keeps apart.
constexpr std::int64_t norm_lanes = 64;

/// Loops over neighbouring numbers of fields, compiled once per instruction set like SimdKernels. The first number
/// belongs to entry 0 of a period.
struct FieldKernels {
    /// g *= y > 0 ? 1 : slope.
    void (*slope_gradient)(const float* y, float* g, std::int64_t count, float slope);
    void (*adam)(const AdamNumbers& step, const float* g, float* w, float* m, float* v, std::int64_t count);

    /// sums[i % period] += x[i].
    void (*add_up)(const float* x, std::int64_t count, double* sums, std::int64_t period);
    /// The same with sums of four periods rounded to float32 first, which is faster: to convert takes longer than to
    /// add.
    void (*add_fours)(const float* x, std::int64_t count, double* sums, std::int64_t period);
    /// sums[i % period] += (x[i] - mean[i % period])^2.
    void (*add_squares)(const float* x, std::int64_t count, const double* mean, double* sums, std::int64_t period);

    /// sums[i % norm_lanes] += x[i]^2.
    void (*add_norm)(const float* x, std::int64_t count, double* sums);

    /// y = f(scale x + shift).
    void (*normalise)(const NormRows& rows, const float* x, float* y, std::int64_t count);
    /// Adds g f' and g f' unit to two rows of sums.
    void (*normalise_sums)(const NormRows& rows, const float* x, const float* g, std::int64_t count, double* sums,
                           double* products);
    /// y = beta y + scale (g f' - mean_g - unit mean_gx).
    void (*normalise_gradient)(const NormRows& rows, const float* x, const float* g, float* y, std::int64_t count,
                               float beta);
};

const FieldKernels& field_kernels_baseline();
const FieldKernels& field_kernels_avx2();
const FieldKernels& field_kernels_avx512();

}  // namespace plumecast::cpu
