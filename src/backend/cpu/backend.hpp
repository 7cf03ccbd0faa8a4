#pragma once

#include <cstddef>

#include <plumecast/backend/backend.hpp>

#include "backend/arena.hpp"
#include "backend/cpu/conv/own_conv.hpp"
#include "backend/cpu/onednn.hpp"
#include "backend/cpu/processor/settings.hpp"
#include "backend/cpu/shared_cores.hpp"
#include "backend/cpu/simd.hpp"
#include "backend/cpu/team_size.hpp"
#include "core/machine/memory_limit.hpp"

namespace plumecast::cpu {

/// An address range that takes memory from the system only where it is touched, in huge pages where granted.
class Reservation {
   public:
    /// Throws DeviceError when the system refuses the range.
    explicit Reservation(std::size_t bytes);
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    /// Gives the whole pages of a part of the range back to the system; they are zero when touched again. Returns the
    /// bytes of those that the system had granted.
    static std::size_t give_back(void* begin, std::size_t bytes);

   private:
    void* data_;
    std::size_t bytes_;
};

/// Weights and sums in float32 on the host, fields in float32 or bfloat16. Each op family is implemented in the file
/// of its name.
class CpuBackend final : public Backend {
   public:
    explicit CpuBackend(const CpuOptions& options);

    std::string description() const override;
    DType compute_type() const override { return DType::float32; }
    DType field_type() const override { return field_type_; }
    MemoryResource& memory() override { return arena_; }
    int host_threads() const override { return threads_; }
    std::size_t peak_bytes() const override { return arena_.peak_bytes(); }
    void reset_peak_bytes() override { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const override { return reservation_.bytes(); }
    std::size_t trim() override { return arena_.trim(Reservation::give_back); }

    // elementwise.cpp
    void upload(ConstView host, View device) override;
    void download(ConstView device, View host) override;
    void fill(View y, double value) override;
    void add(double alpha, ConstView x, OutputRef y) override;
    void add_product(ConstView a, ConstView x, OutputRef y) override;
    void activate(Activation f, ConstView x, View y) override;
    void activation_gradient(Activation f, ConstView kept, View g) override;
    void adam(const AdamStep& step, std::span<const AdamParameter> targets) override;

    // reduce.cpp
    void squared_norm(std::span<const ConstView> arrays, View sum) override;
    void column_sums(ConstView x, OutputRef y) override;

    // gemm.cpp
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override;

    // transform.cpp
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override;
    void combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) override;
    void complex_product(ConstView x, ConstView w, View y) override;
    void complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) override;
    void complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) override;

    // box.cpp
    void padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) override;
    void padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) override;
    void copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) override;

    // conv.cpp
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;

    // norm.cpp
    void moments(ConstView x, View moments) override;
    void normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias, Activation f,
                   View y) override;
    void normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                        ConstView bias, Activation f, View sums) override;
    void normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                            ConstView bias, Activation f, ConstView sums, OutputRef gradient_x) override;

    // error.cpp
    void error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                     View sums) override;
    void error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                        ConstView coefficients, View gradient) override;

   private:
    CpuBackend(const CpuOptions& options, const Settings& settings);
    CpuBackend(const CpuOptions& options, const Settings& settings, std::unique_ptr<SleepingTeam> quiet,
               const MemoryLimit& limit);
    OwnConv own_conv();
    Tensor transposed(ConstView a);

    TeamSize threads_;
    std::unique_ptr<SleepingTeam> quiet_;  // beside several threads, so that those that wait leave their processors
    DType field_type_;
    Reservation reservation_;
    Arena arena_;
    const SimdKernels* simd_;
    ConvChoice conv_choice_;
    OneDnn dnn_;
};

}  // namespace plumecast::cpu
