#pragma once

#include <memory>
#include <utility>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/kernels/conv/part.hpp"

namespace plumecast::cuda {

/// Every op as short kernels: structs whose operator()(index) computes one element, run over a range of indices by an
/// Executor. They are plain C++; constexpr is what lets the CUDA compiler build them for the device as well. Tests
/// run the same ops with an executor that is a loop on the host.
///
/// An Executor has run(count, kernel); copy_in(host, device, bytes) and copy_out(device, host, bytes), which return
/// when the host may reuse its bytes; memory(), peak_bytes(), reset_peak_bytes() and capacity_bytes(). Work happens in
/// the order of the calls.
///
/// Each op family is implemented in the header of its name.
template <class Executor>
class KernelBackend : public Backend {
   public:
    DType compute_type() const override { return DType::float32; }
    DType field_type() const override { return field_type_; }
    MemoryResource& memory() override { return executor_.memory(); }
    std::size_t peak_bytes() const override { return executor_.peak_bytes(); }
    void reset_peak_bytes() override { executor_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const override { return executor_.capacity_bytes(); }

    // replay.hpp
    void start_upload(ConstView host, View device) override;
    std::unique_ptr<PendingDownload> start_download(ConstView device, View host) override;
    std::unique_ptr<Replay> make_replay() override;

    // elementwise.hpp
    void upload(ConstView host, View device) override;
    void download(ConstView device, View host) override;
    void fill(View y, double value) override;
    void add(double alpha, ConstView x, OutputRef y) override;
    void add_product(ConstView a, ConstView x, OutputRef y) override;
    void activate(Activation f, ConstView x, View y) override;
    void activation_gradient(Activation f, ConstView kept, View g) override;

    // adam.hpp
    void squared_norm(std::span<const ConstView> arrays, View sum) override;
    void adam(const AdamStep& step, std::span<const AdamParameter> targets) override;

    // reduce.hpp
    void column_sums(ConstView x, OutputRef y) override;

    // gemm.hpp
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override;

    // transform.hpp
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override;
    void combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) override;
    void complex_product(ConstView x, ConstView w, View y) override;
    void complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) override;
    void complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) override;

    // box.hpp
    void padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) override;
    void padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) override;
    void copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) override;

    // conv.hpp
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;

    // moments.hpp
    void moments(ConstView x, View moments) override;

    // norm.hpp
    void normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias, Activation f,
                   View y) override;
    void normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                        ConstView bias, Activation f, View sums) override;
    void normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                            ConstView bias, Activation f, ConstView sums, OutputRef gradient_x) override;

    // error.hpp
    void error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                     View sums) override;
    void error_ratios(ConstView sums, const LossMeasure& measure, double share, View values,
                      View coefficients) override;
    void error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                        ConstView coefficients, View gradient) override;

   protected:
    /// Fields of bfloat16 under Precision::bf16; the executor is made of the other arguments.
    template <class... Arguments>
    explicit KernelBackend(Precision precision, Arguments&&... arguments)
        : field_type_(precision == Precision::bf16 ? DType::bfloat16 : DType::float32),
          executor_(std::forward<Arguments>(arguments)...) {}

    Executor& executor() { return executor_; }

    // The three products a convolution is made of, for one part of its channels (conv.hpp). What they read and write:
    // fields of the part's channels, the whole weight.
    virtual void coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse, float beta);
    virtual void fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine, float beta);
    virtual void weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta);

   private:
    void convert(double alpha, ConstView x, View y);
    void finish_conv(ConstView sum, ConstView bias, OutputRef y, Activation f);

    DType field_type_;
    Executor executor_;
};

}  // namespace plumecast::cuda
