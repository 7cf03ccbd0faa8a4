#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/autotuner.hpp"
#include "backend/cuda/executor.hpp"
#include "backend/cuda/fallback.hpp"
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/tuning_cache.hpp"
#include "backend/cuda/vendor/blas.hpp"
#include "backend/cuda/vendor/dnn.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {

/// What the times of kernels and libraries depend on.
std::string machine_text(const std::string& device, const std::string& libraries);

/// float32, and bfloat16 fields, on a CUDA device: the kernels, with cuBLASLt and cuDNN in their place for matrix
/// products and convolutions. Each op family is instantiated, or implemented, in the file of its name.
class CudaBackend final : public KernelBackend<DeviceExecutor> {
   public:
    explicit CudaBackend(const CudaOptions& options);

    std::string description() const override;
    bool shares_host_memory() const override { return false; }
    void wait() override;
    std::int64_t rows_at_once(std::size_t row_bytes) const override { return rows_of_a_device(row_bytes); }

    std::unique_ptr<Replay> make_replay() override;

    // gemm.cu
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override;
    PackedForms pack_factor(ConstView factor) override;

    // transform.cu
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override;
    PackedForms pack_axis_matrix(ConstView matrix, bool narrow) override;

    // fft.cu
    SpectralWay spectral_way() const override { return spectral_; }
    bool transforms_by_fft(const FourierGeometry& geometry, const Shape& field, DType type) override;
    void forward_fft(const FourierGeometry& geometry, ConstView x, View spectrum) override;
    void inverse_fft(const FourierGeometry& geometry, ConstView spectrum, OutputRef y, Activation f) override;

    // narrow_conv.cu
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override;
    PackedForms pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                 View y, WeightReader reader) override;
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override;
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override;

   protected:
    // conv.cu
    void coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse, float beta) override;
    void fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine, float beta) override;
    void weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta) override;

   private:
    using Kernels = KernelBackend<DeviceExecutor>;
    /// Who convolves: cuDNN, and our simple kernels for what it does not take; or one of them only, for tests and
    /// comparisons.
    enum class ConvRoute { automatic, library, kernels };
    /// How transforms along an axis multiply in fp32: plainly, by three products with ten-bit parts on the matrix
    /// units, or by what turns out faster, which may differ from run to run.
    enum class AxisRoute { plain, split, autotuned };
    using AxisKind = std::array<std::int64_t, 4>;
    /// Under which copies of matrices are kept.
    static constexpr std::string_view narrow_form = "bfloat16", transposed_form = "bfloat16 transposed",
                                      split_form = "two parts of ten bits";

    static ConvRoute route_from_environment();
    static AxisRoute axis_route_from_environment();
    // fft.cu
    void open_fft();
    bool prefers_split(const BatchedProduct& product, ConstView matrix);
    double seconds_of(BatchedProduct product, ConstView matrix, bool split);
    /// As multiply(), in three products, the first factor being this matrix.
    bool multiply_split(BatchedProduct product, ConstView matrix, View result, Activation f);
    /// The parts of ten bits of an array, [2, elements].
    Tensor split_copy(const void* whole, std::int64_t elements);
    /// x in bfloat16: itself, what is kept of it, or a copy in `scratch`.
    ConstView narrowed(ConstView x, Tensor& scratch);
    Tensor narrow_copy(ConstView x);
    Tensor narrow_transposed(ConstView matrix);
    /// A product and its activation; false, with nothing done, where cuBLASLt cannot multiply.
    bool multiply(const BatchedProduct& product, View result, Activation f);
    /// The forms of a weight in which cuDNN takes it, for bfloat16 fields and for each of several float32 inputs.
    void pack_narrow(ConstView weight, PackedForms& forms);
    void pack_parts(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, View y,
                    PackedForms& forms);
    /// The three products of a convolution, after what each gives.
    enum class ConvProduct { coarse, fine, weight };
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
    /// result = beta result + the product, by cuDNN; false, with nothing done, where it refuses.
    using LibraryProduct = std::function<bool(const Dnn::Types& types, const float* first, const float* second,
                                              float* result, float beta)>;
    /// By cuDNN, plainly or in parts of ten bits, or by our kernels: whatever takes it first.
    bool convolve(ConvProduct kind, const ConvPart& part, const LibraryOperands& of, const LibraryProduct& product,
                  const std::function<void()>& by_kernels);
    bool convolve_split(const LibraryProduct& product, const LibraryOperands& of);
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
    AxisRoute axis_route_;
    Autotuner<AxisKind> axis_tuner_;
    Fallback<std::vector<std::int64_t>> fallback_;
    std::string device_name_;
    Blas blas_;
    Dnn dnn_;
    SpectralWay spectral_;
    std::unique_ptr<FftPlans> fft_;  ///< nothing where transforms are products
    std::optional<FastestWay> spectral_ways_;
};

}  // namespace plumecast::cuda
