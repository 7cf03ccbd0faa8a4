#pragma once

#include <cudnn.h>

#include <functional>
#include <string>

#include "backend/cuda/dnn/functions.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// cuDNN on the current device; each convolution runs on the stream that its thread has then.
class Dnn final : public DnnFunctions {
   public:
    /// Throws DeviceError when the library cannot be used.
    explicit Dnn(std::function<cudaStream_t()> stream);
    Dnn(const Dnn&) = delete;
    Dnn& operator=(const Dnn&) = delete;
    ~Dnn() override { functions_.destroy_handle(handle_); }

    int create(DnnKind kind, void** descriptor) override;
    int destroy(void* descriptor) override { return functions_.destroy(descriptor); }
    int set(void* descriptor, DnnAttribute name, DnnType type, std::int64_t count, const void* values) override;
    int finalize(void* descriptor) override { return told(functions_.finalize(descriptor)); }
    int get(void* descriptor, DnnAttribute name, DnnType type, std::int64_t wanted, std::int64_t* count,
            void* values) override;
    int execute(void* plan, void* variant_pack) override;

    void* handle() override { return handle_; }
    std::size_t version() override { return functions_.get_version(); }
    std::string error_text(int status) override { return functions_.error_string(static_cast<cudnnStatus_t>(status)); }

   private:
    /// The functions of the library, under its names.
    struct Functions {
        explicit Functions(const Library& library);

        decltype(&cudnnCreate) create_handle;
        decltype(&cudnnDestroy) destroy_handle;
        decltype(&cudnnSetStream) set_stream;
        decltype(&cudnnGetVersion) get_version;
        decltype(&cudnnGetErrorString) error_string;
        decltype(&cudnnBackendCreateDescriptor) create;
        decltype(&cudnnBackendDestroyDescriptor) destroy;
        decltype(&cudnnBackendSetAttribute) set;
        decltype(&cudnnBackendFinalize) finalize;
        decltype(&cudnnBackendGetAttribute) get;
        decltype(&cudnnBackendExecute) execute;
    };

    static int told(cudnnStatus_t status);

    Library library_{dnn_library};
    Functions functions_{library_};
    std::function<cudaStream_t()> stream_;
    cudnnHandle_t handle_ = nullptr;
};

}  // namespace plumecast::cuda
