#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast::bench {

/// A backend that hands every op on to another one and keeps how long it took, by op and shape. For backends that
/// have finished when an op returns, as the CPU's has.
class TimedBackend final : public Backend {
   public:
    explicit TimedBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}

    /// Forgets what was measured so far.
    void restart() { spent_.clear(); }
    /// [{op, shape, calls, seconds, cpu_seconds}], the longest first, each divided by `repetitions`. The processor
    /// time is that of all threads; with one thread it tells what an op costs on a machine that does other work too.
    Json report(int repetitions) const;

    std::string description() const override { return inner_->description(); }
    DType compute_type() const override { return inner_->compute_type(); }
    DType field_type() const override { return inner_->field_type(); }
    MemoryResource& memory() override { return inner_->memory(); }
    bool shares_host_memory() const override { return inner_->shares_host_memory(); }
    int host_threads() const override { return inner_->host_threads(); }
    std::int64_t rows_at_once(std::size_t row_bytes) const override { return inner_->rows_at_once(row_bytes); }
    void wait() override { inner_->wait(); }
    std::size_t peak_bytes() const override { return inner_->peak_bytes(); }
    void reset_peak_bytes() override { inner_->reset_peak_bytes(); }
    std::size_t capacity_bytes() const override { return inner_->capacity_bytes(); }

    void upload(ConstView host, View device) override;
    void download(ConstView device, View host) override;
    void fill(View y, double value) override;
    void add(double alpha, ConstView x, OutputRef y) override;
    void add_product(ConstView a, ConstView x, OutputRef y) override;
    void activate(Activation f, ConstView x, View y) override;
    void activation_gradient(Activation f, ConstView kept, View g) override;
    void adam(const AdamStep& step, std::span<const AdamParameter> targets) override;
    void squared_norm(std::span<const ConstView> arrays, View sum) override;
    void column_sums(ConstView x, OutputRef y) override;
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override;
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override;
    void combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) override;
    void complex_product(ConstView x, ConstView w, View y) override;
    void complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) override;
    void complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) override;
    void padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) override;
    void padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) override;
    void copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) override;
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;
    void moments(ConstView x, View moments) override;
    void normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias, Activation f,
                   View y) override;
    void normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                        ConstView bias, Activation f, View sums) override;
    void normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics, ConstView weight,
                            ConstView bias, Activation f, ConstView sums, OutputRef gradient_x) override;
    void error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                     View sums) override;
    void error_ratios(ConstView sums, double weight, double share, View values, View coefficients) override;
    Tensor fourier(const FourierGrid& grid, ConstView field, const std::function<Tensor()>& by_axes) override {
        return inner_->fourier(grid, field, by_axes);  // the ops within are timed
    }
    void fourier_transpose(const FourierGrid& grid, Tensor spectrum, OutputRef field, Activation f,
                           const std::function<void(Tensor spectrum, OutputRef field)>& by_axes) override {
        inner_->fourier_transpose(grid, std::move(spectrum), field, f, by_axes);
    }
    void error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                        ConstView coefficients, View gradient) override;

   private:
    struct Spent {
        std::int64_t calls = 0;
        double seconds = 0.0;
        double cpu_seconds = 0.0;
    };
    /// Calls `work` and adds its time to what the op spent on the shape.
    template <class Work>
    auto timed(const char* op, const std::string& shape, const Work& work);

    std::unique_ptr<Backend> inner_;
    std::map<std::pair<std::string, std::string>, Spent> spent_;
};

}  // namespace plumecast::bench
