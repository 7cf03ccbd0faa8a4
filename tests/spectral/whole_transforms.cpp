#include "spectral/whole_transforms.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/replay.hpp"
#include "backend/cuda/kernels/spectral/whole.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "support/environment.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

using Complex = std::complex<double>;

/// Stands in for cuFFT: sums by definition, axis by axis, in float64.
class DirectFft {
   public:
    explicit DirectFft(int* transforms) : transforms_(transforms) {}

    void forward(const Shape& points, std::int64_t channels, const float* real, float* half) {
        std::vector<Complex> all(real, real + points.count() * channels);
        for (int axis = 0; axis < points.rank(); ++axis) {
            along(points.append(channels), axis, -1.0, all);
        }
        each_half(points, channels, [&](std::int64_t at, std::int64_t from, std::int64_t) {
            half[2 * at] = static_cast<float>(all[static_cast<std::size_t>(from)].real());
            half[2 * at + 1] = static_cast<float>(all[static_cast<std::size_t>(from)].imag());
        });
        count();
    }
    /// Every frequency of the other half is the conjugate of one in this.
    void inverse(const Shape& points, std::int64_t channels, float* half, float* real) {
        std::vector<Complex> all(static_cast<std::size_t>(points.count() * channels));
        each_half(points, channels, [&](std::int64_t at, std::int64_t from, std::int64_t opposite) {
            const Complex value(static_cast<double>(half[2 * at]), static_cast<double>(half[2 * at + 1]));
            all[static_cast<std::size_t>(from)] = value;
            if (opposite >= 0) {
                all[static_cast<std::size_t>(opposite)] = std::conj(value);
            }
            half[2 * at] = half[2 * at + 1] = std::numeric_limits<float>::quiet_NaN();
        });
        for (int axis = 0; axis < points.rank(); ++axis) {
            along(points.append(channels), axis, 1.0, all);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::abs(all[i].imag()) > 1e-4) {
                throw Error("a half spectrum that no real field has (its field would be complex)");
            }
            real[i] = static_cast<float>(all[i].real());
        }
        count();
    }

   private:
    /// visit(place in the half spectrum, place among all frequencies, that of the conjugate if it is not in the half).
    template <class Visit>
    static void each_half(const Shape& points, std::int64_t channels, const Visit& visit) {
        const cuda::Extents all(points), half(points.with(-1, points[-1] / 2 + 1));
        const auto last = static_cast<std::size_t>(points.rank() - 1);
        for (std::int64_t i = 0; i < points.with(-1, points[-1] / 2 + 1).count() * channels; ++i) {
            const cuda::Index cell = half.index(i / channels);
            cuda::Index other = cell;
            for (int axis = 0; axis < points.rank(); ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                other[a] = (points[axis] - cell[a]) % points[axis];
            }
            const std::int64_t channel = i % channels;
            visit(i, all.position(cell) * channels + channel,
                  other[last] > points[-1] / 2 ? all.position(other) * channels + channel : -1);
        }
    }
    static void along(const Shape& shape, int axis, double sign, std::vector<Complex>& values) {
        const std::int64_t n = shape[axis], inner = shape.count(axis + 1, shape.rank());
        std::vector<Complex> line(static_cast<std::size_t>(n));
        for (std::int64_t start = 0; start < shape.count() / n; ++start) {
            Complex* first = values.data() + start / inner * n * inner + start % inner;
            for (std::int64_t k = 0; k < n; ++k) {
                Complex& sum = line[static_cast<std::size_t>(k)] = 0.0;
                for (std::int64_t j = 0; j < n; ++j) {
                    const double turn = static_cast<double>(k * j % n) / static_cast<double>(n);
                    sum += first[j * inner] * std::polar(1.0, sign * 2.0 * std::numbers::pi * turn);
                }
            }
            for (std::int64_t k = 0; k < n; ++k) {
                first[k * inner] = line[static_cast<std::size_t>(k)];
            }
        }
    }
    void count() {
        if (transforms_ != nullptr) {
            ++*transforms_;
        }
    }

    int* transforms_;
};

class KernelsWithFft final : public cuda::KernelBackend<HostExecutor> {
   public:
    KernelsWithFft(Precision precision, int* transforms)
        : KernelBackend(precision, std::make_unique<CountedMemory>()), fft_(transforms) {}

    std::string description() const override {
        return "kernels of the CUDA backend on the host, with whole transforms";
    }

    Tensor fourier(const FourierGrid& grid, ConstView field, const std::function<Tensor()>& by_axes) override {
        Tensor spectrum = by_axes();
        fill(spectrum, std::nan(""));
        const Shape shape = spectrum.shape();
        spectrum.reshape({field.shape[0], shape.count() / std::max<std::int64_t>(field.shape[0], 1)});
        Whole(executor(), fft_, grid, field.shape[-1]).transform(field, spectrum);
        spectrum.reshape(shape);
        return spectrum;
    }
    void fourier_transpose(const FourierGrid& grid, Tensor spectrum, OutputRef field, Activation f,
                           const std::function<void(Tensor, OutputRef)>&) override {
        spectrum.reshape(
            {field.view.shape[0], spectrum.shape().count() / std::max<std::int64_t>(field.view.shape[0], 1)});
        Whole(executor(), fft_, grid, field.view.shape[-1]).transpose(std::as_const(spectrum).view(), field, f);
    }

   private:
    using Whole = cuda::WholeFourier<HostExecutor, DirectFft>;
    DirectFft fft_;
};

std::unique_ptr<Backend> make_cuda(const char* way) {
    const EnvironmentScope forced("PLUMECAST_CUDA_SPECTRAL", way);
    return cuda_obstacle().empty() ? make_cuda_backend({.memory_bytes = std::size_t{1} << 30}) : nullptr;
}

}  // namespace

std::unique_ptr<Backend> make_kernels_with_fft(Precision precision, int* transforms) {
    return std::make_unique<KernelsWithFft>(precision, transforms);
}

std::vector<BackendChoice> spectral_backends() {
    std::vector<BackendChoice> all = backends_and_oracle();
    all.push_back({"cuda_kernels_with_fft", "", [] { return make_kernels_with_fft(); }});
    if (!cuda_backends().empty()) {
        for (const char* way : {"dft", "fft"}) {
            all.push_back({std::string("cuda_") + way, cuda_obstacle(), [=] { return make_cuda(way); }});
        }
    }
    return all;
}

}  // namespace plumecast::testing
