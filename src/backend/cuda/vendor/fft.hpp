#pragma once

#include <cufft.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <plumecast/core/tensor.hpp>

#include "backend/cuda/vendor/library.hpp"

namespace plumecast::cuda {

/// Fourier transforms of real fields [points..., C], over two to four axes and all channels at once, by cuFFT on one
/// stream, unscaled. Plans are made once per shape; their work area is taken from the memory of the fields for as long
/// as a transform is started, so that all share it.
class Fft {
   public:
    /// On the current device. Throws DeviceError when the library cannot be used.
    Fft(cudaStream_t stream, MemoryResource& memory);
    Fft(const Fft&) = delete;
    Fft& operator=(const Fft&) = delete;
    ~Fft();

    /// Whether the transforms below can be done: one field after the other, each must start where complex numbers may.
    static bool takes(const Shape& points, std::int64_t channels);
    /// half [points..., but half the last + 1, C] complex numbers, from real, which stays as it is.
    void forward(const Shape& points, std::int64_t channels, const float* real, float* half);
    /// real from half, which is destroyed.
    void inverse(const Shape& points, std::int64_t channels, float* half, float* real);

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
        decltype(&cufftMakePlanMany64) make_plan;
        decltype(&cufftExecR2C) real_to_complex;
        decltype(&cufftExecC2R) complex_to_real;
        decltype(&cufftExecC2C) complex_to_complex;
    };
    struct Plan {
        cufftHandle handle;
        std::size_t work_bytes;
    };
    struct Passes;
    /// Kind, then points and channels.
    using Key = std::array<std::int64_t, 1 + Shape::max_rank>;

    void check(cufftResult status, const char* action) const;
    const Plan& plan(cufftType kind, const Shape& lines, std::int64_t channels);

    Library library_{fft_library};
    Functions functions_{library_};
    cudaStream_t stream_;
    MemoryResource* memory_;
    std::map<Key, Plan> plans_;
};

}  // namespace plumecast::cuda
