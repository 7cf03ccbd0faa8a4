#include "support/fft_by_definition.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

namespace plumecast::testing {
namespace {

using Number = std::complex<double>;
using Lengths = std::vector<long long>;

constexpr int success = 0, invalid_plan = 1, invalid_value = 4, exec_failed = 6;

constexpr std::size_t work_bytes_of(long long batch) { return 24 * static_cast<std::size_t>(batch); }

long long count(const Lengths& n) {
    long long product = 1;
    for (const long long extent : n) {
        product *= extent;
    }
    return product;
}

Lengths halved(Lengths n) {
    n.back() = n.back() / 2 + 1;
    return n;
}

/// Indices of an element of extents n.
Lengths indices(long long element, const Lengths& n) {
    Lengths at(n.size());
    for (std::size_t axis = n.size(); axis-- > 0;) {
        at[axis] = element % n[axis];
        element /= n[axis];
    }
    return at;
}

long long position(const Lengths& at, const Lengths& n) {
    long long sum = 0;
    for (std::size_t axis = 0; axis < n.size(); ++axis) {
        sum = sum * n[axis] + at[axis];
    }
    return sum;
}

/// The transform along one axis with e^{sign 2 pi i k n / N}.
std::vector<Number> along(const std::vector<Number>& x, const Lengths& n, std::size_t axis, double sign) {
    std::vector<Number> y(x.size());
    for (std::size_t element = 0; element < x.size(); ++element) {
        Lengths at = indices(static_cast<long long>(element), n);
        const long long k = at[axis];
        for (at[axis] = 0; at[axis] < n[axis]; ++at[axis]) {
            const double turn = static_cast<double>(k * at[axis] % n[axis]) / static_cast<double>(n[axis]);
            y[element] +=
                x[static_cast<std::size_t>(position(at, n))] * std::polar(1.0, sign * 2.0 * std::numbers::pi * turn);
        }
    }
    return y;
}

std::vector<Number> along_all(std::vector<Number> x, const Lengths& n, double sign) {
    for (std::size_t axis = 0; axis < n.size(); ++axis) {
        x = along(x, n, axis, sign);
    }
    return x;
}

/// Where an element of a field of a batch lies in memory.
long long place(const Lengths& at, const Lengths& embed, long long stride, long long distance, long long field) {
    long long sum = at[0];
    for (std::size_t axis = 1; axis < at.size(); ++axis) {
        sum = sum * embed[axis] + at[axis];
    }
    return field * distance + sum * stride;
}

/// The whole spectrum of a real field from the half that is there.
std::vector<Number> completed(const std::vector<Number>& half, const Lengths& n) {
    const Lengths kept = halved(n);
    std::vector<Number> whole(static_cast<std::size_t>(count(n)));
    for (std::size_t element = 0; element < whole.size(); ++element) {
        Lengths at = indices(static_cast<long long>(element), n);
        const bool is_there = at.back() < kept.back();
        if (!is_there) {
            for (std::size_t axis = 0; axis < n.size(); ++axis) {
                at[axis] = (n[axis] - at[axis]) % n[axis];
            }
        }
        const Number value = half[static_cast<std::size_t>(position(at, kept))];
        whole[element] = is_there ? value : std::conj(value);
    }
    return whole;
}

}  // namespace

int FftByDefinition::create(int* plan) {
    *plan = asked_->created++;
    plans_[*plan] = {};
    return success;
}

int FftByDefinition::destroy(int plan) {
    ++asked_->destroyed;
    return plans_.erase(plan) == 1 ? success : invalid_plan;
}

int FftByDefinition::set_auto_allocation(int plan, int is_automatic) {
    const auto found = plans_.find(plan);
    if (found == plans_.end()) {
        return invalid_plan;
    }
    found->second.is_automatic = is_automatic != 0;
    return success;
}

int FftByDefinition::make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride,
                                    long long idist, long long* onembed, long long ostride, long long odist,
                                    cuda::FftKind kind, long long batch, std::size_t* work_bytes) {
    const auto found = plans_.find(plan);
    if (found == plans_.end()) {
        return invalid_plan;
    }
    if (rank < 1 || rank > 3 || batch < 1 || *std::min_element(n, n + rank) < 1) {
        return invalid_value;
    }
    Plan& made = found->second;
    made.n.assign(n, n + rank);
    made.in = {{inembed, inembed + rank}, istride, idist};
    made.out = {{onembed, onembed + rank}, ostride, odist};
    made.kind = kind;
    made.batch = batch;
    *work_bytes = work_bytes_of(batch);
    return success;
}

int FftByDefinition::set_work_area(int plan, void* area) {
    const auto found = plans_.find(plan);
    if (found == plans_.end()) {
        return invalid_plan;
    }
    found->second.work = area;
    return success;
}

const FftByDefinition::Plan* FftByDefinition::started(int plan, cuda::FftKind kind, const void* real,
                                                      const void* half) {
    const auto found = plans_.find(plan);
    const auto is_aligned = [](const void* data) {
        return reinterpret_cast<std::uintptr_t>(data) % sizeof(std::complex<float>) == 0;
    };
    if (found == plans_.end() || found->second.kind != kind || found->second.n.empty() || found->second.is_automatic ||
        found->second.work == nullptr || !is_aligned(real) || !is_aligned(half)) {
        return nullptr;
    }
    ++asked_->transforms;
    std::memset(found->second.work, 0xff, work_bytes_of(found->second.batch));
    return &found->second;
}

int FftByDefinition::exec_r2c(int plan, float* real, std::complex<float>* half) {
    const Plan* found = started(plan, cuda::FftKind::real_to_complex, real, half);
    if (found == nullptr) {
        return exec_failed;
    }
    const Lengths &n = found->n, kept = halved(n);
    for (long long field = 0; field < found->batch; ++field) {
        std::vector<Number> x(static_cast<std::size_t>(count(n)));
        for (std::size_t element = 0; element < x.size(); ++element) {
            const Lengths at = indices(static_cast<long long>(element), n);
            x[element] = real[place(at, found->in.embed, found->in.stride, found->in.distance, field)];
        }
        x = along_all(std::move(x), n, -1.0);
        for (long long element = 0; element < count(kept); ++element) {
            const Lengths at = indices(element, kept);
            half[place(at, found->out.embed, found->out.stride, found->out.distance, field)] =
                std::complex<float>(x[static_cast<std::size_t>(position(at, n))]);
        }
    }
    return success;
}

int FftByDefinition::exec_c2r(int plan, std::complex<float>* half, float* real) {
    const Plan* found = started(plan, cuda::FftKind::complex_to_real, real, half);
    if (found == nullptr) {
        return exec_failed;
    }
    const Lengths &n = found->n, kept = halved(n);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (long long field = 0; field < found->batch; ++field) {
        std::vector<Number> spectrum(static_cast<std::size_t>(count(kept)));
        for (std::size_t element = 0; element < spectrum.size(); ++element) {
            const Lengths at = indices(static_cast<long long>(element), kept);
            std::complex<float>& here = half[place(at, found->in.embed, found->in.stride, found->in.distance, field)];
            spectrum[element] = Number(here);
            here = {nan, nan};
        }
        const std::vector<Number> x = along_all(completed(spectrum, n), n, 1.0);
        for (std::size_t element = 0; element < x.size(); ++element) {
            const double scale = 1.0 + std::abs(x[element].real());
            if (std::abs(x[element].imag()) > 1e-3 * scale) {
                return exec_failed;  // no real field has this spectrum
            }
            const Lengths at = indices(static_cast<long long>(element), n);
            real[place(at, found->out.embed, found->out.stride, found->out.distance, field)] =
                static_cast<float>(x[element].real());
        }
    }
    return success;
}

}  // namespace plumecast::testing
