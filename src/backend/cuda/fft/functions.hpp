#pragma once

#include <complex>
#include <cstddef>

namespace plumecast::cuda {

/// Transforms by the numbers that cuFFT gives them (cufftType).
enum class FftKind : int { real_to_complex = 0x2a, complex_to_real = 0x2c };

/// The functions of cuFFT that are used, with their arguments; a plan is a number, and 0 is success. Real: on a device
/// (vendor/fft.hpp); in tests sums over the definition; for plans of memory the size of the work area alone.
class FftFunctions {
   public:
    virtual ~FftFunctions() = default;

    virtual int create(int* plan) = 0;
    virtual int destroy(int plan) = 0;
    virtual int set_auto_allocation(int plan, int is_automatic) = 0;
    /// cufftMakePlanMany64()
    virtual int make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                               long long* onembed, long long ostride, long long odist, FftKind kind, long long batch,
                               std::size_t* work_bytes) = 0;
    virtual int set_work_area(int plan, void* area) = 0;
    virtual int exec_r2c(int plan, float* real, std::complex<float>* half) = 0;
    virtual int exec_c2r(int plan, std::complex<float>* half, float* real) = 0;
};

}  // namespace plumecast::cuda
