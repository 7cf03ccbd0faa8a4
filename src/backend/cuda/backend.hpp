#pragma once

#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/vendor/blas.hpp"
#include "backend/cuda/vendor/dnn.hpp"

namespace plumecast::cuda {

/// float32 on a CUDA device: the kernels, with cuBLASLt and cuDNN in their place for matrix products and convolutions.
/// Each verb family is instantiated, or implemented, in the file of its name.
class CudaBackend final : public KernelBackend<DeviceExecutor> {
   public:
    explicit CudaBackend(const CudaOptions& options);

    std::string description() const override;
    bool shares_host_memory() const override { return false; }

    // gemm.cu
    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias,
              Activation f) override;

    // transform.cu
    void transform_axis(ConstView matrix, ConstView x, Target y, Activation f) override;

   protected:
    // conv.cu
    void coarse_from_fine(const ConvPart& part, const float* fine, const float* weight, float* coarse,
                          float beta) override;
    void fine_from_coarse(const ConvPart& part, const float* coarse, const float* weight, float* fine,
                          float beta) override;
    void weight_from_both(const ConvPart& part, const float* coarse, const float* fine, float* weight,
                          float beta) override;

   private:
    using Kernels = KernelBackend<DeviceExecutor>;
    /// Who convolves: cuDNN where it can and our kernels elsewhere, or one of them only, for tests and comparisons.
    enum class ConvRoute { automatic, library, kernels };

    static ConvRoute route_from_environment();
    /// A product with its activation, fused where possible; false, with nothing done, where cuBLASLt cannot multiply.
    bool multiply(BatchedProduct product, View result, Activation f);
    bool library_convolves(const ConvPart& part) const;
    void expect_kernels_allowed(const ConvPart& part) const;

    Precision precision_;
    ConvRoute route_;
    std::string device_name_;
    Blas blas_;
    Dnn dnn_;
};

}  // namespace plumecast::cuda
