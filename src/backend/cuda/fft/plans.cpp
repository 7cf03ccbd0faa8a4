#include "backend/cuda/fft/plans.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <initializer_list>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "backend/cuda/vendor/refusal.hpp"

namespace plumecast::cuda {
namespace {

using Lengths = std::vector<long long>;

bool has_small_factors(std::int64_t extent) {
    for (const std::int64_t factor : {2, 3, 5, 7}) {
        while (extent > 1 && extent % factor == 0) {
            extent /= factor;
        }
    }
    return extent <= 1;
}

void check(int status) {
    if (is_want_of_memory_for_transforms(status)) {
        throw OutOfMemory("no memory for a plan of Fourier transforms (cuFFT: error " + std::to_string(status) +
                          "); use a smaller batch or network, or end other programs on the device");
    }
    if (status != 0) {
        throw DeviceError("a Fourier transform failed (cuFFT: error " + std::to_string(status) +
                          "); look at the device with nvidia-smi; if it is well, take products in place of cuFFT and "
                          "please report shapes and device");
    }
}

}  // namespace

/// Twice the half of the spectrum, or eight times all of it (the most that cuFFT's documentation speaks of).
std::size_t fft_work_bound(const Shape& extents, std::int64_t batch) {
    const auto axes = extents.extents();
    const bool is_easy = std::ranges::all_of(axes, has_small_factors);
    const std::int64_t half = extents.with(-1, extents[-1] / 2 + 1).count();
    const std::int64_t points = batch * (is_easy ? 2 * half : 8 * extents.count());
    return static_cast<std::size_t>(points) * sizeof(std::complex<float>);
}

FftPlans::~FftPlans() {
    for (const auto& [key, plan] : plans_) {
        if (plan) {
            functions_->destroy(plan->number);
        }
    }
}

/// Fields lie side by side: a step along the last axis is `batch` numbers, and from one field to the next it is one.
std::optional<FftPlans::Plan> FftPlans::made(FftKind kind, const Shape& extents, std::int64_t batch) {
    // Want of memory is no refusal: another time, or for fewer fields, there may be enough.
    const auto refused = [](int status) {
        check(is_want_of_memory_for_transforms(status) ? status : 0);
        return std::nullopt;
    };
    Plan plan;
    if (const int status = functions_->create(&plan.number); status != 0) {
        return refused(status);
    }
    const auto axes = extents.extents();
    Lengths n(axes.begin(), axes.end()), whole = n, half = n;
    half.back() = half.back() / 2 + 1;
    const bool is_forward = kind == FftKind::real_to_complex;
    Lengths& in = is_forward ? whole : half;
    Lengths& out = is_forward ? half : whole;
    int status = functions_->set_auto_allocation(plan.number, 0);
    if (status == 0) {
        status = functions_->make_plan_many(plan.number, static_cast<int>(n.size()), n.data(), in.data(), batch, 1,
                                            out.data(), batch, 1, kind, batch, &plan.work_bytes);
    }
    if (status == 0 && plan.work_bytes <= fft_work_bound(extents, batch)) {
        return plan;
    }
    functions_->destroy(plan.number);
    return refused(status);
}

const std::optional<FftPlans::Plan>& FftPlans::plan(FftKind kind, const Shape& extents, std::int64_t batch) {
    Key key{static_cast<std::int64_t>(kind), batch};
    const auto axes = extents.extents();
    key.insert(key.end(), axes.begin(), axes.end());
    auto known = plans_.find(key);
    if (known == plans_.end()) {
        known = plans_.emplace(std::move(key), made(kind, extents, batch)).first;
    }
    return known->second;
}

bool FftPlans::takes(const Shape& extents, std::int64_t batch) {
    const std::lock_guard lock(mutex_);
    return extents.count() > 0 && batch > 0 && plan(FftKind::real_to_complex, extents, batch) &&
           plan(FftKind::complex_to_real, extents, batch);
}

int FftPlans::ready(FftKind kind, const Shape& extents, std::int64_t batch, MemoryResource& memory, Tensor& work) {
    const std::optional<Plan>& found = plan(kind, extents, batch);
    if (!found) {
        throw DeviceError("cuFFT has no transform over " + extents.text() + " of " + std::to_string(batch) +
                          " fields, or asks for too much memory; take products in place of cuFFT");
    }
    const auto bytes = static_cast<std::int64_t>(found->work_bytes);
    work = Tensor(memory, {(bytes + 7) / 8}, DType::float64);
    check(functions_->set_work_area(found->number, work.view().data));
    return found->number;
}

void FftPlans::forward(const Shape& extents, std::int64_t batch, MemoryResource& memory, const float* real,
                       float* half) {
    const std::lock_guard lock(mutex_);
    Tensor work;
    const int plan = ready(FftKind::real_to_complex, extents, batch, memory, work);
    // The library's interface is not const; a transform out of place from reals leaves them as they are.
    check(functions_->exec_r2c(plan, const_cast<float*>(real), reinterpret_cast<std::complex<float>*>(half)));
}

void FftPlans::inverse(const Shape& extents, std::int64_t batch, MemoryResource& memory, float* half, float* real) {
    const std::lock_guard lock(mutex_);
    Tensor work;
    const int plan = ready(FftKind::complex_to_real, extents, batch, memory, work);
    check(functions_->exec_c2r(plan, reinterpret_cast<std::complex<float>*>(half), real));
}

}  // namespace plumecast::cuda
