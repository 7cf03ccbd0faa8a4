#pragma once

#include <cublasLt.h>

#include <optional>
#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/handles.hpp"
#include "backend/cuda/vendor/library.hpp"
#include "backend/cuda/vendor/product.hpp"
#include "backend/cuda/vendor/refusal.hpp"

namespace plumecast::cuda {

/// Matrix products by cuBLASLt on the current device, with sums in float32.
class Blas {
   public:
    /// Throws DeviceError when the library cannot be used.
    explicit Blas(Precision precision);
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;
    ~Blas();

    /// Starts the product on a stream, in batches as large as cuBLASLt takes; false, with nothing done, when it has no
    /// algorithm for the product or refuses to run it.
    bool multiply(const BatchedProduct& product, cudaStream_t stream);
    /// Whether multiply() would do the product.
    bool takes(const BatchedProduct& product);
    /// "cuBLASLt 13.0.2"
    std::string version() const;

   private:
    /// The functions of the library, under its names.
    struct Functions {
        explicit Functions(const Library& library);

        decltype(&cublasLtCreate) create;
        decltype(&cublasLtDestroy) destroy;
        decltype(&cublasLtGetVersion) get_version;
        decltype(&cublasLtGetStatusString) status_string;
        decltype(&cublasLtMatmul) matmul;
        decltype(&cublasLtMatmulAlgoGetHeuristic) choose;
        decltype(&cublasLtMatmulDescCreate) create_operation;
        decltype(&cublasLtMatmulDescDestroy) destroy_operation;
        decltype(&cublasLtMatmulDescSetAttribute) set_operation;
        decltype(&cublasLtMatrixLayoutCreate) create_layout;
        decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
        decltype(&cublasLtMatrixLayoutSetAttribute) set_layout;
        decltype(&cublasLtMatmulPreferenceCreate) create_preference;
        decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;
        decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;
    };
    struct Release;
    struct Problem;

    void check(cublasStatus_t status, const char* action) const;
    bool multiply_batch(const BatchedProduct& product, cudaStream_t stream);
    std::optional<cublasLtMatmulAlgo_t> chosen(const BatchedProduct& product, const Problem& problem) const;

    Library library_{blas_library};
    Functions functions_{library_};
    cublasComputeType_t arithmetic_;
    cublasLtHandle_t handle_ = nullptr;
    DeviceBlock workspace_;
    ChosenAlgorithms<ProductKey, cublasLtMatmulAlgo_t> algorithms_;
};

}  // namespace plumecast::cuda
