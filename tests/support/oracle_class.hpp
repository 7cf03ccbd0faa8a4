#pragma once

#include <plumecast/backend/backend.hpp>

#include "support/counted_memory.hpp"

namespace plumecast::testing {

/// The oracle; each op family is in the file of its name.
class OracleBackend : public Backend {
   public:
    std::string description() const override { return "oracle: float64, definitions"; }
    DType compute_type() const override { return DType::float64; }
    MemoryResource& memory() override { return memory_; }
    std::size_t peak_bytes() const override { return memory_.peak_bytes(); }
    void reset_peak_bytes() override { memory_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const override { return memory_.capacity_bytes(); }

    // oracle_elementwise.cpp
    void upload(ConstView host, View device) override;
    void download(ConstView device, View host) override;
    void fill(View y, double value) override;
    void add(double alpha, ConstView x, OutputRef y) override;
    void add_product(ConstView a, ConstView x, OutputRef y) override;
    void activate(Activation f, ConstView x, View y) override;
    void activation_gradient(Activation f, ConstView kept, View g) override;
    void adam(const AdamStep& step, std::span<const AdamParameter> targets) override;

    // oracle_linear.cpp
    void squared_norm(std::span<const ConstView> arrays, View sum) override;
    void column_sums(ConstView x, OutputRef y) override;
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override;
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override;
    void combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) override;
    void complex_product(ConstView x, ConstView w, View y) override;
    void complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) override;
    void complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) override;

    // oracle_fields.cpp
    void padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) override;
    void padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) override;
    void copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) override;
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;

    // oracle_statistics.cpp
    void moments(ConstView x, View moments) override;
    void normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias, Activation f,
                   View y) override;
    void normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                        ConstView bias, Activation f, View sums) override;
    void normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                            ConstView bias, Activation f, ConstView sums, OutputRef gradient_x) override;
    void error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                     View sums) override;
    void error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                        ConstView coefficients, View gradient) override;

   private:
    CountedMemory memory_;
};

}  // namespace plumecast::testing
