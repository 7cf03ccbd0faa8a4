#include "backend/cuda/vendor/dnn.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "backend/cuda/vendor/refusal.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {
namespace {

// Those that add in the same order in every run; the first that takes a problem does it.
constexpr std::array forward_algorithms{CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
                                        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM};
constexpr std::array data_algorithms{CUDNN_CONVOLUTION_BWD_DATA_ALGO_1};
constexpr std::array filter_algorithms{CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1};

cudnnDataType_t vendor_type(DType type) { return type == DType::bfloat16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT; }

using Axes = std::array<int, 5>;

/// Extents [B, a1, a2, a3, C] in cuDNN's order of axes, which says nothing about the order in memory: B, C, a1, a2, a3.
Axes extents_of(const Shape& shape) {
    const auto axis = [&](int a) { return static_cast<int>(shape[a]); };
    return {axis(0), axis(4), axis(1), axis(2), axis(3)};
}

/// Steps in memory of a channels-last field, in cuDNN's order of axes.
Axes strides_of(const Shape& shape) {
    const auto step = [&](int axis) { return static_cast<int>(shape.count(axis + 1, 5)); };
    return {step(0), 1, step(1), step(2), step(3)};
}

/// cuDNN counts in int, and pads both ends alike. Unlike padding is the same to it where the number of coarse cells
/// comes out right, since cells beyond either end of the field count as zero anyway.
bool describable(const ConvPart& part) {
    constexpr std::int64_t largest = std::numeric_limits<int>::max();
    if (part.coarse.count() > largest || part.fine.count() > largest) {
        return false;
    }
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a) + 1;
        const ConvGeometry& g = part.geometry;
        const std::int64_t reach = part.fine[axis] + 2 * g.padding_low[a] - g.kernel[a];
        if (reach < 0 || reach / g.stride[a] + 1 != part.coarse[axis]) {
            return false;
        }
    }
    return true;
}

}  // namespace

Dnn::Functions::Functions(const Library& library) {
    library.bind(create, "cudnnCreate");
    library.bind(destroy, "cudnnDestroy");
    library.bind(set_stream, "cudnnSetStream");
    library.bind(get_version, "cudnnGetVersion");
    library.bind(error_string, "cudnnGetErrorString");
    library.bind(create_tensor, "cudnnCreateTensorDescriptor");
    library.bind(destroy_tensor, "cudnnDestroyTensorDescriptor");
    library.bind(set_tensor, "cudnnSetTensorNdDescriptor");
    library.bind(create_filter, "cudnnCreateFilterDescriptor");
    library.bind(destroy_filter, "cudnnDestroyFilterDescriptor");
    library.bind(set_filter, "cudnnSetFilterNdDescriptor");
    library.bind(create_convolution, "cudnnCreateConvolutionDescriptor");
    library.bind(destroy_convolution, "cudnnDestroyConvolutionDescriptor");
    library.bind(set_convolution, "cudnnSetConvolutionNdDescriptor");
    library.bind(set_math, "cudnnSetConvolutionMathType");
    library.bind(forward_bytes, "cudnnGetConvolutionForwardWorkspaceSize");
    library.bind(forward, "cudnnConvolutionForward");
    library.bind(data_bytes, "cudnnGetConvolutionBackwardDataWorkspaceSize");
    library.bind(data, "cudnnConvolutionBackwardData");
    library.bind(filter_bytes, "cudnnGetConvolutionBackwardFilterWorkspaceSize");
    library.bind(filter, "cudnnConvolutionBackwardFilter");
}

/// Gives back cuDNN's descriptions through the functions opened at run time.
struct Dnn::Release {
    const Functions* functions;

    void operator()(cudnnTensorStruct* tensor) const { functions->destroy_tensor(tensor); }
    void operator()(cudnnFilterStruct* filter) const { functions->destroy_filter(filter); }
    void operator()(cudnnConvolutionStruct* convolution) const { functions->destroy_convolution(convolution); }
};

/// A convolution in cuDNN's terms, and per direction the algorithm that takes it.
struct Dnn::Problem {
    /// Thrown where cuDNN cannot even be told of the problem.
    struct Refused {};

    std::unique_ptr<cudnnTensorStruct, Release> coarse, fine;
    std::unique_ptr<cudnnFilterStruct, Release> weight;
    std::unique_ptr<cudnnConvolutionStruct, Release> convolution;
    AlgorithmChoice forward_choice, data_choice, filter_choice;
    std::size_t most_bytes;  ///< of workspace, which memory plans count

    Problem(const Dnn& dnn, const ConvPart& part, const Types& types)
        : coarse(tensor(dnn, part.coarse, types.fields)),
          fine(tensor(dnn, part.fine, types.fields)),
          weight(filter(dnn, part.packed(), types.weight)),
          convolution(geometry(dnn, part.geometry, dnn.math_for(types))),
          most_bytes(conv_workspace_bound(part)) {}

    /// Runs the first algorithm that takes the problem. `bytes` asks for the workspace of one, `execute` runs it.
    template <class Algorithms, class Bytes, class Execute>
    bool run(const Dnn& dnn, const Algorithms& algorithms, AlgorithmChoice& choice, MemoryResource& scratch,
             const Bytes& bytes, const Execute& execute) {
        const auto wanted = [&](std::size_t n) -> std::optional<std::size_t> {
            std::size_t size = 0;
            const bool accepted = dnn.accepts(bytes(algorithms[n], &size), "planning a convolution");
            return accepted && size <= most_bytes ? std::optional(size) : std::nullopt;
        };
        const auto does = [&](std::size_t n, std::size_t size) {
            const Buffer workspace(scratch, size);
            return dnn.accepts(execute(algorithms[n], workspace.data(), size), "a convolution");
        };
        return choice.run(algorithms.size(), wanted, does);
    }

   private:
    static void expect_described(const Dnn& dnn, cudnnStatus_t status) {
        if (!dnn.accepts(status, "describing a convolution")) {
            throw Refused{};
        }
    }
    static std::unique_ptr<cudnnTensorStruct, Release> tensor(const Dnn& dnn, const Shape& shape, DType type) {
        cudnnTensorDescriptor_t made = nullptr;
        dnn.check(dnn.functions_.create_tensor(&made), "describing a field");
        std::unique_ptr<cudnnTensorStruct, Release> tensor(made, Release{&dnn.functions_});
        expect_described(dnn, dnn.functions_.set_tensor(made, vendor_type(type), 5, extents_of(shape).data(),
                                                        strides_of(shape).data()));
        return tensor;
    }
    static std::unique_ptr<cudnnFilterStruct, Release> filter(const Dnn& dnn, const Shape& shape, DType type) {
        cudnnFilterDescriptor_t made = nullptr;
        dnn.check(dnn.functions_.create_filter(&made), "describing weights");
        std::unique_ptr<cudnnFilterStruct, Release> filter(made, Release{&dnn.functions_});
        expect_described(
            dnn, dnn.functions_.set_filter(made, vendor_type(type), CUDNN_TENSOR_NHWC, 5, extents_of(shape).data()));
        return filter;
    }
    static std::unique_ptr<cudnnConvolutionStruct, Release> geometry(const Dnn& dnn, const ConvGeometry& g,
                                                                     cudnnMathType_t math) {
        cudnnConvolutionDescriptor_t made = nullptr;
        dnn.check(dnn.functions_.create_convolution(&made), "describing a convolution");
        std::unique_ptr<cudnnConvolutionStruct, Release> convolution(made, Release{&dnn.functions_});
        std::array<int, 3> padding{}, stride{};
        const std::array<int, 3> dilation{1, 1, 1};
        std::ranges::transform(g.padding_low, padding.begin(), [](std::int64_t n) { return static_cast<int>(n); });
        std::ranges::transform(g.stride, stride.begin(), [](std::int64_t n) { return static_cast<int>(n); });
        expect_described(dnn, dnn.functions_.set_convolution(made, 3, padding.data(), stride.data(), dilation.data(),
                                                             CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        expect_described(dnn, dnn.functions_.set_math(made, math));
        return convolution;
    }
};

Dnn::Dnn(Precision precision, std::function<cudaStream_t()> stream)
    : math_(precision == Precision::fp32 || !version_.convolves_tf32() ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH),
      stream_(std::move(stream)) {
    check(functions_.create(&handle_), "starting cuDNN");
}

Dnn::~Dnn() { functions_.destroy(handle_); }

void Dnn::check(cudnnStatus_t status, const char* action) const {
    if (status != CUDNN_STATUS_SUCCESS) {
        throw DeviceError(std::string(action) + " failed (cuDNN: " + functions_.error_string(status) +
                          "); look at the device with nvidia-smi, or do without cuDNN: PLUMECAST_CUDA_CONV=direct");
    }
}

bool Dnn::accepts(cudnnStatus_t status, const char* action) const {
    if (is_refusal(static_cast<int>(status))) {
        cudaGetLastError();  // else the check after the next launch would report what a refusal left
        return false;
    }
    check(status, action);
    return true;
}

cudnnMathType_t Dnn::math_for(const Types& types) const {
    if (types.fields == DType::bfloat16) {
        return CUDNN_TENSOR_OP_MATH;
    }
    return types.ten_bits && takes_ten_bits() ? CUDNN_DEFAULT_MATH : math_;
}

std::unique_ptr<Dnn::Problem> Dnn::described(const ConvPart& part, const Types& types) const {
    if (!describable(part) || (types.fields == DType::bfloat16 && !version_.convolves_bfloat16())) {
        return nullptr;
    }
    try {
        return std::make_unique<Problem>(*this, part, types);
    } catch (const Problem::Refused&) {
        return nullptr;
    }
}

Dnn::Problem* Dnn::problem(const ConvPart& part, const Types& types) {
    check(functions_.set_stream(handle_, stream_()), "choosing the stream of a convolution");
    Key key = part.numbers();
    key.push_back((types.fields == DType::bfloat16 ? 1 : 0) + (types.weight == DType::bfloat16 ? 2 : 0) +
                  (types.ten_bits ? 4 : 0));
    auto known = problems_.find(key);
    if (known == problems_.end()) {
        known = problems_.emplace(std::move(key), described(part, types)).first;
    }
    return known->second.get();
}

bool Dnn::coarse_from_fine(const ConvPart& part, const Types& types, const void* fine, const void* packed, void* coarse,
                           float beta, MemoryResource& scratch) {
    const std::lock_guard lock(mutex_);
    Problem* p = problem(part, types);
    const auto bytes = [&](auto algorithm, std::size_t* wanted) {
        return functions_.forward_bytes(handle_, p->fine.get(), p->weight.get(), p->convolution.get(), p->coarse.get(),
                                        algorithm, wanted);
    };
    const auto execute = [&](auto algorithm, void* workspace, std::size_t size) {
        const float one = 1.0f;
        return functions_.forward(handle_, &one, p->fine.get(), fine, p->weight.get(), packed, p->convolution.get(),
                                  algorithm, workspace, size, &beta, p->coarse.get(), coarse);
    };
    return p != nullptr && p->run(*this, forward_algorithms, p->forward_choice, scratch, bytes, execute);
}

bool Dnn::fine_from_coarse(const ConvPart& part, const Types& types, const void* coarse, const void* packed, void* fine,
                           float beta, MemoryResource& scratch) {
    const std::lock_guard lock(mutex_);
    Problem* p = problem(part, types);
    const auto bytes = [&](auto algorithm, std::size_t* wanted) {
        return functions_.data_bytes(handle_, p->weight.get(), p->coarse.get(), p->convolution.get(), p->fine.get(),
                                     algorithm, wanted);
    };
    const auto execute = [&](auto algorithm, void* workspace, std::size_t size) {
        const float one = 1.0f;
        return functions_.data(handle_, &one, p->weight.get(), packed, p->coarse.get(), coarse, p->convolution.get(),
                               algorithm, workspace, size, &beta, p->fine.get(), fine);
    };
    return p != nullptr && p->run(*this, data_algorithms, p->data_choice, scratch, bytes, execute);
}

bool Dnn::weight_from_both(const ConvPart& part, const Types& types, const void* coarse, const void* fine, void* packed,
                           float beta, MemoryResource& scratch) {
    const std::lock_guard lock(mutex_);
    Problem* p = problem(part, types);
    const auto bytes = [&](auto algorithm, std::size_t* wanted) {
        return functions_.filter_bytes(handle_, p->fine.get(), p->coarse.get(), p->convolution.get(), p->weight.get(),
                                       algorithm, wanted);
    };
    const auto execute = [&](auto algorithm, void* workspace, std::size_t size) {
        const float one = 1.0f;
        return functions_.filter(handle_, &one, p->fine.get(), fine, p->coarse.get(), coarse, p->convolution.get(),
                                 algorithm, workspace, size, &beta, p->weight.get(), packed);
    };
    return p != nullptr && p->run(*this, filter_algorithms, p->filter_choice, scratch, bytes, execute);
}

}  // namespace plumecast::cuda
