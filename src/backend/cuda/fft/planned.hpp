#pragma once

#include <algorithm>

#include "backend/cuda/fft/plans.hpp"

namespace plumecast::cuda {

/// cuFFT without a device: asks for the most memory that a plan may, and transforms nothing.
class PlannedFft final : public FftFunctions {
   public:
    int create(int* plan) override {
        *plan = 0;
        return 0;
    }
    int destroy(int) override { return 0; }
    int set_auto_allocation(int, int) override { return 0; }
    int make_plan_many(int, int rank, long long* n, long long*, long long, long long, long long*, long long, long long,
                       FftKind, long long batch, std::size_t* work_bytes) override {
        Shape extents;
        std::for_each(n, n + rank, [&](long long extent) { extents = extents.append(extent); });
        *work_bytes = fft_work_bound(extents, batch);
        return 0;
    }
    int set_work_area(int, void*) override { return 0; }
    int exec_r2c(int, float*, std::complex<float>*) override { return 0; }
    int exec_c2r(int, std::complex<float>*, float*) override { return 0; }
};

}  // namespace plumecast::cuda
