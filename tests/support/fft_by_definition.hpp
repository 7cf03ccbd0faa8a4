#pragma once

#include <map>
#include <vector>

#include "backend/cuda/fft/functions.hpp"

namespace plumecast::testing {

/// What was asked of a stand-in for cuFFT.
struct AskedOfFft {
    int created = 0, destroyed = 0, transforms = 0;
};

/// The functions of cuFFT on the host, by the definition in float64, for any strides. As strict as its documentation:
/// a transform to reals wants the half of a spectrum that real fields have, and destroys it; real and complex numbers
/// start where complex numbers may; the work area is overwritten.
class FftByDefinition final : public cuda::FftFunctions {
   public:
    /// `asked`, if given, must outlive this.
    explicit FftByDefinition(AskedOfFft* asked = nullptr) : asked_(asked != nullptr ? asked : &own_) {}

    int create(int* plan) override;
    int destroy(int plan) override;
    int set_auto_allocation(int plan, int is_automatic) override;
    int make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                       long long* onembed, long long ostride, long long odist, cuda::FftKind kind, long long batch,
                       std::size_t* work_bytes) override;
    int set_work_area(int plan, void* area) override;
    int exec_r2c(int plan, float* real, std::complex<float>* half) override;
    int exec_c2r(int plan, std::complex<float>* half, float* real) override;

   private:
    /// Where the numbers of the fields of a batch lie.
    struct Embedding {
        std::vector<long long> embed;
        long long stride = 1, distance = 1;
    };
    struct Plan {
        std::vector<long long> n;
        Embedding in, out;
        cuda::FftKind kind = cuda::FftKind::real_to_complex;
        long long batch = 0;
        bool is_automatic = true;
        void* work = nullptr;
    };

    /// The plan to carry out; nothing where it cannot be.
    const Plan* started(int plan, cuda::FftKind kind, const void* real, const void* half);

    AskedOfFft own_;
    AskedOfFft* asked_;
    std::map<int, Plan> plans_;
};

}  // namespace plumecast::testing
