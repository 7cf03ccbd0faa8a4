#pragma once

#include <cufft.h>

#include <functional>
#include <string>
#include <utility>

#include "backend/cuda/fft/functions.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// cuFFT on the current device; each transform runs on the stream that its thread has then.
class Fft final : public FftFunctions {
   public:
    /// Throws DeviceError when the library cannot be used.
    explicit Fft(std::function<cudaStream_t()> stream) : stream_(std::move(stream)) {}

    int create(int* plan) override { return functions_.create(plan); }
    int destroy(int plan) override { return functions_.destroy(plan); }
    int set_auto_allocation(int plan, int is_automatic) override {
        return functions_.set_auto_allocation(plan, is_automatic);
    }
    int make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                       long long* onembed, long long ostride, long long odist, FftKind kind, long long batch,
                       std::size_t* work_bytes) override;
    int set_work_area(int plan, void* area) override { return functions_.set_work_area(plan, area); }
    int exec_r2c(int plan, float* real, std::complex<float>* half) override;
    int exec_c2r(int plan, std::complex<float>* half, float* real) override;

    /// "cuFFT 12.0.0"
    std::string version() const;

   private:
    /// The functions of the library, under its names.
    struct Functions {
        explicit Functions(const Library& library);

        decltype(&cufftCreate) create;
        decltype(&cufftDestroy) destroy;
        decltype(&cufftGetVersion) get_version;
        decltype(&cufftSetStream) set_stream;
        decltype(&cufftSetAutoAllocation) set_auto_allocation;
        decltype(&cufftSetWorkArea) set_work_area;
        decltype(&cufftMakePlanMany64) make_plan_many;
        decltype(&cufftExecR2C) exec_r2c;
        decltype(&cufftExecC2R) exec_c2r;
    };

    Library library_{fft_library};
    Functions functions_{library_};
    std::function<cudaStream_t()> stream_;
};

}  // namespace plumecast::cuda
