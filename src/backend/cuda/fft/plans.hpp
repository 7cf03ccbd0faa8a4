#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "backend/cuda/fft/functions.hpp"

namespace plumecast::cuda {

/// Most that a plan of cuFFT may ask for as work area [bytes]; one that asks for more is not taken, so that plans of
/// memory without a device count enough. Extents with prime factors above seven take a convolution of their own each.
std::size_t fft_work_bound(const Shape& extents, std::int64_t batch);

/// Transforms of so many real fields side by side, [extents..., batch], to the half of their spectrum, unscaled, and
/// back. Plans are made once for each shape, and then usable while work is recorded; their work area is taken from the
/// memory of the fields for as long as it takes to start a transform, so that all share it. Any number of threads.
class FftPlans {
   public:
    /// Fields of up to so many elements in all are transformed side by side; one at a time where one has more.
    explicit FftPlans(std::unique_ptr<FftFunctions> functions, std::int64_t most_elements = std::int64_t{16} << 20)
        : functions_(std::move(functions)), most_elements_(most_elements) {}
    FftPlans(const FftPlans&) = delete;
    FftPlans& operator=(const FftPlans&) = delete;
    ~FftPlans();

    std::int64_t most_elements() const { return most_elements_; }
    /// Whether both transforms can be done within fft_work_bound(). Throws OutOfMemory where cuFFT has no memory to
    /// plan them.
    bool takes(const Shape& extents, std::int64_t batch);
    /// half [extents..., but half the last + 1, batch] complex numbers from real, which stays as it is. Throws
    /// DeviceError where the transform cannot be done.
    void forward(const Shape& extents, std::int64_t batch, MemoryResource& memory, const float* real, float* half);
    /// real from half, which is destroyed.
    void inverse(const Shape& extents, std::int64_t batch, MemoryResource& memory, float* half, float* real);

   private:
    struct Plan {
        int number = 0;
        std::size_t work_bytes = 0;
    };
    using Key = std::vector<std::int64_t>;  // kind, batch, extents

    const std::optional<Plan>& plan(FftKind kind, const Shape& extents, std::int64_t batch);
    std::optional<Plan> made(FftKind kind, const Shape& extents, std::int64_t batch);
    /// A plan with its work area set, or an error.
    int ready(FftKind kind, const Shape& extents, std::int64_t batch, MemoryResource& memory, Tensor& work);

    std::unique_ptr<FftFunctions> functions_;
    std::int64_t most_elements_;
    std::mutex mutex_;
    std::map<Key, std::optional<Plan>> plans_;
};

}  // namespace plumecast::cuda
