#include "backend/cuda/vendor/blas.hpp"

#include <cstddef>
#include <memory>

namespace plumecast::cuda {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

cudaDataType_t vendor_type(DType type) { return type == DType::bfloat16 ? CUDA_R_16BF : CUDA_R_32F; }

}  // namespace

Blas::Functions::Functions(const Library& library) {
    library.bind(create, "cublasLtCreate");
    library.bind(destroy, "cublasLtDestroy");
    library.bind(get_version, "cublasLtGetVersion");
    library.bind(status_string, "cublasLtGetStatusString");
    library.bind(matmul, "cublasLtMatmul");
    library.bind(choose, "cublasLtMatmulAlgoGetHeuristic");
    library.bind(create_operation, "cublasLtMatmulDescCreate");
    library.bind(destroy_operation, "cublasLtMatmulDescDestroy");
    library.bind(set_operation, "cublasLtMatmulDescSetAttribute");
    library.bind(create_layout, "cublasLtMatrixLayoutCreate");
    library.bind(destroy_layout, "cublasLtMatrixLayoutDestroy");
    library.bind(set_layout, "cublasLtMatrixLayoutSetAttribute");
    library.bind(create_preference, "cublasLtMatmulPreferenceCreate");
    library.bind(destroy_preference, "cublasLtMatmulPreferenceDestroy");
    library.bind(set_preference, "cublasLtMatmulPreferenceSetAttribute");
}

/// Gives back cuBLASLt's descriptions through the functions opened at run time.
struct Blas::Release {
    const Functions* functions;

    void operator()(cublasLtMatmulDescOpaque_t* operation) const { functions->destroy_operation(operation); }
    void operator()(cublasLtMatrixLayoutOpaque_t* layout) const { functions->destroy_layout(layout); }
    void operator()(cublasLtMatmulPreferenceOpaque_t* preference) const { functions->destroy_preference(preference); }
};

/// A product in cuBLASLt's terms. Its matrices are column-major, so it sees the transposes of ours:
/// c^T [columns, rows] = op(b)^T op(a)^T. Stored row-major, b [depth, columns] is column-major [columns, depth], which
/// is op(b)^T already; stored transposed, it is [depth, columns] and wants to be transposed. The same holds for a. Our
/// bias runs along the columns of c, which are the rows of c^T, just where cuBLASLt adds its bias vector.
struct Blas::Problem {
    using Operation = std::unique_ptr<cublasLtMatmulDescOpaque_t, Release>;
    using Layout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Release>;

    Operation operation;
    Layout left, right, result;

    Problem(const Blas& blas, const BatchedProduct& p)
        : operation(make_operation(blas, p)),
          left(make_layout(blas, p.factors, p.transpose_b ? p.depth : p.columns, p.transpose_b ? p.columns : p.depth,
                           p.batch, p.stride_b)),
          right(make_layout(blas, p.factors, p.transpose_a ? p.rows : p.depth, p.transpose_a ? p.depth : p.rows,
                            p.batch, p.stride_a)),
          result(make_layout(blas, p.result, p.columns, p.rows, p.batch, p.stride_c)) {}

   private:
    static Operation make_operation(const Blas& blas, const BatchedProduct& p) {
        cublasLtMatmulDesc_t made = nullptr;
        const bool narrow = p.factors == DType::bfloat16;
        const cublasComputeType_t arithmetic = narrow       ? CUBLAS_COMPUTE_32F
                                               : p.ten_bits ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                            : blas.arithmetic_;
        blas.check(blas.functions_.create_operation(&made, arithmetic, CUDA_R_32F), "describing a product");
        Operation operation(made, Release{&blas.functions_});
        const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
            blas.check(blas.functions_.set_operation(made, attribute, &value, sizeof(value)), "describing a product");
        };
        set(CUBLASLT_MATMUL_DESC_TRANSA, p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_TRANSB, p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
        if (epilogue_of(p) == Epilogue::bias) {
            set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias);
            set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<std::int32_t>(vendor_type(p.result)));
        }
        return operation;
    }

    static Layout make_layout(const Blas& blas, DType type, std::int64_t rows, std::int64_t columns, std::int64_t batch,
                              std::int64_t stride) {
        cublasLtMatrixLayout_t made = nullptr;
        blas.check(blas.functions_.create_layout(&made, vendor_type(type), static_cast<std::uint64_t>(rows),
                                                 static_cast<std::uint64_t>(columns), rows),
                   "describing a matrix");
        Layout layout(made, Release{&blas.functions_});
        if (batch != 1) {
            const auto count = static_cast<std::int32_t>(batch);
            blas.check(blas.functions_.set_layout(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)),
                       "describing a batch");
            blas.check(
                blas.functions_.set_layout(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride)),
                "describing a batch");
        }
        return layout;
    }
};

Blas::Blas(Precision precision)
    : arithmetic_(precision == Precision::fp32 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32) {
    check(functions_.create(&handle_), "starting cuBLASLt");
    workspace_ = make_device_block(workspace_bytes);
}

Blas::~Blas() { functions_.destroy(handle_); }

void Blas::check(cublasStatus_t status, const char* action) const {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw_failure(std::string(action) + " failed (cuBLASLt: " + functions_.status_string(status) +
                          "); look at the device with nvidia-smi; if it is well, please report shapes and device",
                      is_want_of_memory_for_products(static_cast<int>(status)));
    }
}

std::string Blas::version() const {
    const std::size_t version = functions_.get_version();
    return "cuBLASLt " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

std::optional<cublasLtMatmulAlgo_t> Blas::chosen(const BatchedProduct& p, const Problem& problem) const {
    cublasLtMatmulPreference_t made = nullptr;
    check(functions_.create_preference(&made), "choosing an algorithm");
    const std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Release> preference(made, Release{&functions_});
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
        check(functions_.set_preference(made, attribute, &value, sizeof(value)), "choosing an algorithm");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_bytes});
    // Sums in separate steps only: their order is the same in every run.
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE});
    const ProductAlignment alignment(p);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment.b);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment.a);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment.c);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment.stored());
    cublasLtMatmulHeuristicResult_t result{};
    int count = 0;
    const cublasStatus_t status =
        functions_.choose(handle_, problem.operation.get(), problem.left.get(), problem.right.get(),
                          problem.result.get(), problem.result.get(), made, 1, &result, &count);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && count == 0)) {
        return std::nullopt;
    }
    check(status, "choosing an algorithm");
    return result.algo;
}

bool Blas::takes(const BatchedProduct& whole) {
    bool all = true;
    for (std::int64_t first = 0; all && first < whole.batch; first += largest_batch) {
        const BatchedProduct p = batch_from(whole, first);
        all = algorithms_.has(key_of(p), [&] { return chosen(p, Problem(*this, p)); });
    }
    return all;
}

bool Blas::multiply_batch(const BatchedProduct& p, cudaStream_t stream) {
    const Problem problem(*this, p);
    const auto choose = [&] { return chosen(p, problem); };
    const auto execute = [&](const cublasLtMatmulAlgo_t& algorithm) {
        const float one = 1.0f;
        const cublasStatus_t status = functions_.matmul(
            handle_, problem.operation.get(), &one, p.b, problem.left.get(), p.a, problem.right.get(), &p.beta, p.c,
            problem.result.get(), p.c, problem.result.get(), &algorithm, workspace_.get(), workspace_bytes, stream);
        if (is_refusal_of_products(static_cast<int>(status))) {
            cudaGetLastError();  // else the check after the next launch would report what a refusal left
            return false;
        }
        check(status, "a matrix product");
        return true;
    };
    return algorithms_.run(key_of(p), choose, execute);
}

bool Blas::multiply(const BatchedProduct& product, cudaStream_t stream) {
    return takes(product) && in_batches(product, [&](const BatchedProduct& p) { return multiply_batch(p, stream); });
}

}  // namespace plumecast::cuda
