#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "backend/cuda/dnn/convolutions.hpp"
#include "backend/cuda/fallback.hpp"
#include "backend/cuda/kernels/backend.hpp"

namespace plumecast::cuda {

/// Who convolves: cuDNN, and our simple kernels for what it does not take; or one of them only, for tests and
/// comparisons.
enum class ConvRoute { automatic, library, kernels };

/// The kernels, with cuDNN in their place for convolutions where it takes them: those of float32 fields part by part
/// (wide.hpp), those of bfloat16 fields whole (narrow.hpp).
template <class Executor>
class DnnBackend : public KernelBackend<Executor> {
   public:
    // narrow.hpp
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    PackedForms pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                 View y, WeightReader reader) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;

   protected:
    /// The executor is made of the other arguments. Kernels convolve until use_dnn().
    template <class... Arguments>
    DnnBackend(Precision precision, ConvRoute route, const LogSink& log, Arguments&&... arguments)
        : Kernels(precision, std::forward<Arguments>(arguments)...),
          precision_(precision),
          route_(route),
          fallback_(log) {}

    void use_dnn(std::unique_ptr<DnnFunctions> functions, std::optional<DnnClock> clock = std::nullopt) {
        dnn_.emplace(std::move(functions), precision_, std::move(clock));
    }
    Precision precision() const { return precision_; }
    /// What convolves, for people.
    std::string dnn_text() const { return route_ == ConvRoute::kernels || !dnn_ ? "no cuDNN" : dnn_->version(); }

    // wide.hpp
    void coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse, float beta) override;
    void fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine, float beta) override;
    void weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta) override;

   private:
    using Kernels = KernelBackend<Executor>;

    /// The forms of a weight in which cuDNN takes it, for bfloat16 fields and for each of several float32 inputs.
    void pack_narrow(ConstView weight, PackedForms& forms);
    void pack_parts(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, View y,
                    PackedForms& forms);
    /// Float32 arrays of a product, and what is kept of its result.
    struct LibraryOperands {
        const float* first;
        std::int64_t first_count;
        const float* second;
        std::int64_t second_count;
        float* result;
        std::int64_t result_count;
        float beta;
    };
    /// By cuDNN, plainly or in parts of ten bits, or by our kernels: whatever takes it first.
    void convolve(ConvProduct kind, const ConvPart& part, const LibraryOperands& of,
                  const std::function<void()>& by_kernels);
    bool convolve_split(DnnProduct product, const LibraryOperands& of);
    bool library_convolves(const ConvPart& part) const;
    void expect_kernels_allowed(const ConvPart& part) const;
    /// An op for bfloat16 fields by the first way that takes it.
    void convolve_narrow(ConvProduct kind, const ConvGeometry& geometry, std::span<const Shape> inputs,
                         const Shape& output, std::initializer_list<Way> ways);
    /// The ops for bfloat16 fields; false, with nothing done, where cuDNN cannot.
    bool narrow_conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                     OutputRef y, Activation f);
    bool narrow_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                              std::span<const OutputRef> gradient_inputs);
    /// The gradient comes from cuDNN in the type `sums`: rounded once more where that is bfloat16.
    bool narrow_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                                OutputRef gradient_weight, DType sums);
    bool library_convolves(std::span<const ConstView> fields) const;
    void expect_kernels_allowed(ConstView fields) const;

    Precision precision_;
    ConvRoute route_;
    Fallback<std::vector<std::int64_t>> fallback_;
    std::optional<DnnConvolutions> dnn_;
};

}  // namespace plumecast::cuda
