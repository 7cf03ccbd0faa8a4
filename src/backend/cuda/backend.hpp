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
#include "backend/cuda/dnn/backend.hpp"
#include "backend/cuda/executor.hpp"
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/tuning_cache.hpp"
#include "backend/cuda/vendor/blas.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {

/// What the times of kernels and libraries depend on.
std::string machine_text(const std::string& device, const std::string& libraries);

/// float32, and bfloat16 fields, on a CUDA device: the kernels, with cuBLASLt and cuDNN in their place for matrix
/// products and convolutions. Each op family is instantiated, or implemented, in the file of its name.
class CudaBackend final : public DnnBackend<DeviceExecutor> {
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

   private:
    using Kernels = DnnBackend<DeviceExecutor>;
    /// How transforms along an axis multiply in fp32: plainly, by three products with ten-bit parts on the matrix
    /// units, or by what turns out faster, which may differ from run to run.
    enum class AxisRoute { plain, split, autotuned };
    using AxisKind = std::array<std::int64_t, 4>;
    /// Under which copies of matrices are kept.
    static constexpr std::string_view narrow_form = "bfloat16", transposed_form = "bfloat16 transposed",
                                      split_form = "two parts of ten bits";

    static ConvRoute route_from_environment();
    static AxisRoute axis_route_from_environment();
    /// cuDNN, which times what it proposes.
    void open_dnn();
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
    AxisRoute axis_route_;
    Autotuner<AxisKind> axis_tuner_;
    std::string device_name_;
    Blas blas_;
    SpectralWay spectral_;
    std::unique_ptr<FftPlans> fft_;  ///< nothing where transforms are products
    std::optional<FastestWay> spectral_ways_;
};

}  // namespace plumecast::cuda
