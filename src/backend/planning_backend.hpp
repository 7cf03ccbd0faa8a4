#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <plumecast/backend/backend.hpp>

#include "backend/arena.hpp"

namespace plumecast {

/// Every op succeeds without touching memory; only allocation is real arithmetic. Not a fallback: results are never
/// read, since the only question it answers is how many bytes a computation holds at once.
class PlanningBackend : public Backend {
   public:
    explicit PlanningBackend(Precision precision) : precision_(precision) {}

    std::string description() const override { return "plan: counts memory, computes nothing"; }
    DType compute_type() const override { return DType::float32; }
    DType field_type() const override { return precision_ == Precision::bf16 ? DType::bfloat16 : DType::float32; }
    MemoryResource& memory() override { return arena_; }
    std::size_t peak_bytes() const override { return arena_.peak_bytes(); }
    void reset_peak_bytes() override { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const override { return capacity; }

    void upload(ConstView, View) override {}
    void download(ConstView, View) override {}  // leaves the host's numbers as they are
    void fill(View, double) override {}
    void add(double, ConstView, OutputRef) override {}
    void add_product(ConstView, ConstView, OutputRef) override {}
    void activate(Activation, ConstView, View) override {}
    void activation_gradient(Activation, ConstView, View) override {}
    void adam(const AdamStep&, std::span<const AdamParameter>) override {}
    void squared_norm(std::span<const ConstView>, View) override {}
    void column_sums(ConstView, OutputRef) override {}
    void gemm(bool, bool, ConstView, ConstView, OutputRef, ConstView, Activation) override {}
    void transform_axis(ConstView, ConstView, OutputRef, Activation) override {}
    void combine_signs(View, View, std::int64_t, bool) override {}
    void complex_product(ConstView, ConstView, View) override {}
    void complex_product_data_gradient(ConstView, ConstView, View) override {}
    void complex_product_weight_gradient(ConstView, ConstView, OutputRef) override {}
    void padded_sum(std::span<const ConstView>, ConstView, const Padding&, View) override {}
    void padded_sum_gradient(ConstView, const Padding&, OutputRef) override {}
    void copy_box(ConstView, const Shape&, OutputRef, const Shape&, const Shape&) override {}
    void conv(const ConvGeometry&, std::span<const ConstView>, ConstView, ConstView, OutputRef, Activation) override {}
    void conv_data_gradient(const ConvGeometry&, ConstView, ConstView, std::span<const OutputRef>) override {}
    void conv_weight_gradient(const ConvGeometry&, std::span<const ConstView>, ConstView, OutputRef) override {}
    void moments(ConstView, View) override {}
    void normalise(ConstView, const BatchNormStatistics&, ConstView, ConstView, Activation, View) override {}
    void normalise_sums(ConstView, ConstView, const BatchNormStatistics&, ConstView, ConstView, Activation,
                        View) override {}
    void normalise_gradient(ConstView, ConstView, const BatchNormStatistics&, ConstView, ConstView, Activation,
                            ConstView, OutputRef) override {}
    void error_norms(ConstView, ConstView, ConstView, ConstView, View) override {}
    void error_ratios(ConstView, const LossMeasure&, double, View, View) override {}
    void error_gradient(ConstView, ConstView, ConstView, ConstView, ConstView, View) override {}

   private:
    // No memory lies behind these addresses; the range is only large enough for any plan.
    static constexpr std::size_t capacity = std::size_t{1} << 46;
    Precision precision_;
    Arena arena_{reinterpret_cast<void*>(std::uintptr_t{4096}), capacity};  // NOLINT(performance-no-int-to-ptr)
};

}  // namespace plumecast
