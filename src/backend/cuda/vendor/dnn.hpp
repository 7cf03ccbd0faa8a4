#pragma once

#include <cudnn.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/kernels/conv/part.hpp"
#include "backend/cuda/vendor/dnn_version.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// Convolutions by cuDNN, each on the stream that its thread has then; threads take turns. For cuDNN, the fine field is
/// the input, the coarse field the output, and the packed weights of the part (ConvPart::packed()) are the filter. Only
/// algorithms that give the same bits in every run. Each product returns false, with nothing done, when cuDNN has no
/// such algorithm, or one that is known to be wrong.
class Dnn {
   public:
    /// On the current device. Throws DeviceError when the library cannot be used.
    Dnn(Precision precision, std::function<cudaStream_t()> stream);
    Dnn(const Dnn&) = delete;
    Dnn& operator=(const Dnn&) = delete;
    ~Dnn();

    /// Element types of both fields, and of weight or its gradient: float32 or bfloat16. Sums are in float32.
    struct Types {
        DType fields = DType::float32, weight = DType::float32;
        /// float32 numbers have but ten bits of mantissa, or may be rounded to them.
        bool ten_bits = false;
    };

    bool coarse_from_fine(const ConvPart& part, const Types& types, const void* fine, const void* packed, void* coarse,
                          float beta, MemoryResource& scratch);
    bool fine_from_coarse(const ConvPart& part, const Types& types, const void* coarse, const void* packed, void* fine,
                          float beta, MemoryResource& scratch);
    bool weight_from_both(const ConvPart& part, const Types& types, const void* coarse, const void* fine, void* packed,
                          float beta, MemoryResource& scratch);
    /// Whether numbers of ten bits may be given to it as such.
    bool takes_ten_bits() const { return version_.convolves_tf32(); }
    /// As DnnVersion says it.
    std::string version() const { return version_.text(); }

   private:
    /// The functions of the library, under its names.
    struct Functions {
        explicit Functions(const Library& library);

        decltype(&cudnnCreate) create;
        decltype(&cudnnDestroy) destroy;
        decltype(&cudnnSetStream) set_stream;
        decltype(&cudnnGetVersion) get_version;
        decltype(&cudnnGetErrorString) error_string;
        decltype(&cudnnCreateTensorDescriptor) create_tensor;
        decltype(&cudnnDestroyTensorDescriptor) destroy_tensor;
        decltype(&cudnnSetTensorNdDescriptor) set_tensor;
        decltype(&cudnnCreateFilterDescriptor) create_filter;
        decltype(&cudnnDestroyFilterDescriptor) destroy_filter;
        decltype(&cudnnSetFilterNdDescriptor) set_filter;
        decltype(&cudnnCreateConvolutionDescriptor) create_convolution;
        decltype(&cudnnDestroyConvolutionDescriptor) destroy_convolution;
        decltype(&cudnnSetConvolutionNdDescriptor) set_convolution;
        decltype(&cudnnSetConvolutionMathType) set_math;
        decltype(&cudnnGetConvolutionForwardWorkspaceSize) forward_bytes;
        decltype(&cudnnConvolutionForward) forward;
        decltype(&cudnnGetConvolutionBackwardDataWorkspaceSize) data_bytes;
        decltype(&cudnnConvolutionBackwardData) data;
        decltype(&cudnnGetConvolutionBackwardFilterWorkspaceSize) filter_bytes;
        decltype(&cudnnConvolutionBackwardFilter) filter;
    };
    struct Release;
    struct Problem;
    using Key = std::vector<std::int64_t>;

    void check(cudnnStatus_t status, const char* action) const;
    /// As check(), but false where cuDNN only cannot do this.
    bool accepts(cudnnStatus_t status, const char* action) const;
    /// With the handle on the stream of this thread; null where cuDNN cannot do it.
    Problem* problem(const ConvPart& part, const Types& types);
    std::unique_ptr<Problem> described(const ConvPart& part, const Types& types) const;
    cudnnMathType_t math_for(const Types& types) const;

    Library library_{dnn_library};
    Functions functions_{library_};
    DnnVersion version_{functions_.get_version()};
    cudnnMathType_t math_;
    std::function<cudaStream_t()> stream_;
    std::mutex mutex_;  // of the handle, its stream and problems_
    cudnnHandle_t handle_ = nullptr;
    std::map<Key, std::unique_ptr<Problem>> problems_;
};

}  // namespace plumecast::cuda
