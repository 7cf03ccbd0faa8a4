#include "backend/cuda/vendor/fft.hpp"

#include <algorithm>
#include <vector>

namespace plumecast::cuda {
namespace {

/// cuFFT transforms three axes at once at most; one before them is transformed by itself.
constexpr int most_axes = 3;

using Lengths = std::vector<long long>;

Lengths lengths_of(const Shape& shape) {
    const auto extents = shape.extents();
    return {extents.begin(), extents.end()};
}

}  // namespace

Fft::Functions::Functions(const Library& library) {
    library.bind(create, "cufftCreate");
    library.bind(destroy, "cufftDestroy");
    library.bind(get_version, "cufftGetVersion");
    library.bind(set_stream, "cufftSetStream");
    library.bind(set_auto_allocation, "cufftSetAutoAllocation");
    library.bind(set_work_area, "cufftSetWorkArea");
    library.bind(make_plan, "cufftMakePlanMany64");
    library.bind(real_to_complex, "cufftExecR2C");
    library.bind(complex_to_real, "cufftExecC2R");
    library.bind(complex_to_complex, "cufftExecC2C");
}

/// How the axes of a field are shared out among plans.
struct Fft::Passes {
    Shape inner;                      ///< the last axes, transformed at once
    std::int64_t slices = 1;          ///< of the field along the axis before them
    std::int64_t real = 0, half = 0;  ///< numbers of one slice, before and after, all channels

    Passes(const Shape& points, std::int64_t channels) : inner(points) {
        expects(points.rank() >= 1 && points.rank() <= most_axes + 1, "one to four axes of a Fourier transform");
        if (points.rank() > most_axes) {
            inner = points.slice(1, points.rank());
            slices = points[0];
        }
        real = inner.count() * channels;
        half = inner.with(-1, inner[-1] / 2 + 1).count() * channels;
    }
};

Fft::Fft(cudaStream_t stream, MemoryResource& memory) : stream_(stream), memory_(&memory) {}

Fft::~Fft() {
    for (const auto& [key, plan] : plans_) {
        functions_.destroy(plan.handle);
    }
}

bool Fft::takes(const Shape& points, std::int64_t channels) {
    if (points.rank() < 1 || points.rank() > most_axes + 1 || points.count() == 0 || channels == 0) {
        return false;
    }
    const Passes passes(points, channels);
    return passes.slices == 1 || passes.real % 2 == 0;
}

void Fft::check(cufftResult status, const char* action) const {
    if (status != CUFFT_SUCCESS) {
        throw DeviceError(std::string(action) + " failed (cuFFT: error " + std::to_string(static_cast<int>(status)) +
                          "); look at the device with nvidia-smi, or do without cuFFT: PLUMECAST_CUDA_SPECTRAL=dft");
    }
}

std::string Fft::version() const {
    int version = 0;
    check(functions_.get_version(&version), "asking for the version");
    return "cuFFT " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
           std::to_string(version % 100);
}

/// A field of `lines` is transformed for all its channels at once: they lie side by side, so a step along the last axis
/// is `channels` numbers, and from one transform to the next it is one number.
const Fft::Plan& Fft::plan(cufftType kind, const Shape& lines, std::int64_t channels) {
    Key key{static_cast<std::int64_t>(kind)};
    *std::ranges::copy(lines.extents(), key.begin() + 1).out = channels;
    const auto known = plans_.find(key);
    if (known != plans_.end()) {
        return known->second;
    }
    Lengths n = lengths_of(lines), half = n;
    half.back() = kind == CUFFT_C2C ? half.back() : half.back() / 2 + 1;
    Lengths& in = kind == CUFFT_C2R ? half : n;
    Lengths& out = kind == CUFFT_R2C ? half : n;
    Plan made{};
    check(functions_.create(&made.handle), "making a plan of a Fourier transform");
    const auto prepared = [&] {
        const cufftResult own_memory = functions_.set_auto_allocation(made.handle, 0);
        const cufftResult planned =
            own_memory != CUFFT_SUCCESS
                ? own_memory
                : functions_.make_plan(made.handle, static_cast<int>(n.size()), n.data(), in.data(), channels, 1,
                                       out.data(), channels, 1, kind, channels, &made.work_bytes);
        return planned != CUFFT_SUCCESS ? planned : functions_.set_stream(made.handle, stream_);
    };
    const cufftResult status = prepared();
    if (status != CUFFT_SUCCESS) {
        functions_.destroy(made.handle);
        check(status, "making a plan of a Fourier transform");
    }
    return plans_.emplace(key, made).first->second;
}

void Fft::forward(const Shape& points, std::int64_t channels, const float* real, float* half) {
    const Passes passes(points, channels);
    const Plan& inner = plan(CUFFT_R2C, passes.inner, channels);
    const Plan* outer = passes.slices > 1 ? &plan(CUFFT_C2C, {passes.slices}, passes.half) : nullptr;
    const Buffer work(*memory_, std::max(inner.work_bytes, outer != nullptr ? outer->work_bytes : 0));
    auto* complex = reinterpret_cast<cufftComplex*>(half);
    check(functions_.set_work_area(inner.handle, work.data()), "a Fourier transform");
    for (std::int64_t slice = 0; slice < passes.slices; ++slice) {
        // The library's interface is not const; a transform out of place from reals leaves them as they are.
        check(functions_.real_to_complex(inner.handle, const_cast<float*>(real) + slice * passes.real,
                                         complex + slice * passes.half),
              "a Fourier transform");
    }
    if (outer != nullptr) {
        check(functions_.set_work_area(outer->handle, work.data()), "a Fourier transform");
        check(functions_.complex_to_complex(outer->handle, complex, complex, CUFFT_FORWARD), "a Fourier transform");
    }
}

void Fft::inverse(const Shape& points, std::int64_t channels, float* half, float* real) {
    const Passes passes(points, channels);
    const Plan& inner = plan(CUFFT_C2R, passes.inner, channels);
    const Plan* outer = passes.slices > 1 ? &plan(CUFFT_C2C, {passes.slices}, passes.half) : nullptr;
    const Buffer work(*memory_, std::max(inner.work_bytes, outer != nullptr ? outer->work_bytes : 0));
    auto* complex = reinterpret_cast<cufftComplex*>(half);
    if (outer != nullptr) {
        check(functions_.set_work_area(outer->handle, work.data()), "a Fourier transform");
        check(functions_.complex_to_complex(outer->handle, complex, complex, CUFFT_INVERSE), "a Fourier transform");
    }
    check(functions_.set_work_area(inner.handle, work.data()), "a Fourier transform");
    for (std::int64_t slice = 0; slice < passes.slices; ++slice) {
        check(functions_.complex_to_real(inner.handle, complex + slice * passes.half, real + slice * passes.real),
              "a Fourier transform");
    }
}

}  // namespace plumecast::cuda
