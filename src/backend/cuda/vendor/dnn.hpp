#pragma once

#include <cudnn.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/kernels/conv_part.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// Convolutions by cuDNN on one stream: for it, the fine field is the input, the coarse field the output, and the
/// packed weights of the part (ConvPart::packed()) are the filter. Only algorithms that give the same bits in every
/// run. Each product returns false, with nothing done, when cuDNN has no such algorithm.
class Dnn {
   public:
    /// On the current device. Throws DeviceError when the library cannot be used.
    Dnn(Precision precision, cudaStream_t stream);
    Dnn(const Dnn&) = delete;
    Dnn& operator=(const Dnn&) = delete;
    ~Dnn();

    bool coarse_from_fine(const ConvPart& part, const float* fine, const float* packed, float* coarse, float beta,
                          MemoryResource& scratch);
    bool fine_from_coarse(const ConvPart& part, const float* coarse, const float* packed, float* fine, float beta,
                          MemoryResource& scratch);
    /// Overwrites the packed gradient.
    bool weight_from_both(const ConvPart& part, const float* coarse, const float* fine, float* packed,
                          MemoryResource& scratch);
    /// "cuDNN 9.19.0"
    std::string version() const;

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
    using Key = std::array<std::int64_t, 19>;

    void check(cudnnStatus_t status, const char* action) const;
    bool accepts(cudnnStatus_t status, const char* action) const;
    Problem* problem(const ConvPart& part);

    Library library_{dnn_library};
    Functions functions_{library_};
    cudnnMathType_t math_;
    cudnnHandle_t handle_ = nullptr;
    std::map<Key, std::unique_ptr<Problem>> problems_;
};

}  // namespace plumecast::cuda
