#pragma once

#include <cublasLt.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/handles.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// Row-major matrices c[n] = f(op(a[n]) op(b[n]) + beta c[n] + bias) for n in [0, batch); op(a) [rows, depth],
/// op(b) [depth, columns], bias [columns] or null.
struct BatchedProduct {
    std::int64_t rows, columns, depth;
    std::int64_t batch = 1;
    bool transpose_a = false, transpose_b = false;
    const float *a, *b, *bias = nullptr;
    float* c;
    /// Elements from one matrix of the batch to the next; 0 takes the same one for all.
    std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
    float beta = 0.0f;
    bool relu = false;
};

/// Matrix products by cuBLASLt on the current device.
class Blas {
   public:
    /// Throws DeviceError when the library cannot be used.
    explicit Blas(Precision precision);
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;
    ~Blas();

    /// Starts the product on a stream; false, with nothing done, when cuBLASLt has no algorithm for it.
    bool multiply(const BatchedProduct& product, cudaStream_t stream);
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
    using Key = std::array<std::int64_t, 14>;

    void check(cublasStatus_t status, const char* action) const;
    static Key key(const BatchedProduct& product);
    std::optional<cublasLtMatmulAlgo_t> chosen(const BatchedProduct& product, const Problem& problem) const;

    Library library_{blas_library};
    Functions functions_{library_};
    cublasComputeType_t arithmetic_;
    cublasLtHandle_t handle_ = nullptr;
    DeviceBlock workspace_;
    std::map<Key, std::optional<cublasLtMatmulAlgo_t>> choices_;
};

}  // namespace plumecast::cuda
