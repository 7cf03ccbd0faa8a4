#include <array>
#include <string>
#include <utility>

#include "backend/cuda/backend.hpp"
#include "backend/cuda/fft/choice.hpp"
#include "backend/cuda/fft/transforms.hpp"
#include "backend/cuda/vendor/fft.hpp"

namespace plumecast::cuda {

/// Without cuFFT, products do what is not asked of it by name.
void CudaBackend::open_fft() {
    if (spectral_ == SpectralWay::dft) {
        return;
    }
    try {
        auto library = std::make_unique<Fft>([this] { return executor().stream(); });
        const std::string machine = machine_text(device_name_, blas_.version() + ", " + library->version());
        spectral_ways_.emplace(TuningCache(TuningCache::default_path(), machine, executor().log()));
        fft_ = std::make_unique<FftPlans>(std::move(library));
    } catch (const DeviceError& missing) {
        if (spectral_ == SpectralWay::cufft) {
            throw;
        }
        if (executor().log()) {
            executor().log()(Severity::warning, std::string("spectral transforms are products: ") + missing.what());
        }
    }
}

/// Both ways are timed once for a shape, into memory of their own; where there is no room for that, the rule decides.
bool CudaBackend::transforms_by_fft(const FourierGeometry& geometry, const Shape& field, DType type) {
    if (!fft_ || !fft_takes(*fft_, geometry, field)) {
        return false;
    }
    if (spectral_ == SpectralWay::cufft) {
        return true;
    }
    const auto clock = [&](auto transform) {
        return [&, transform] { return executor().seconds_of([&] { transform(*this, geometry, field, type); }); };
    };
    const std::array ways{TimedWay{"products", clock(transform_by_products)},
                          TimedWay{"cuFFT", clock(transform_by_fft)}};
    const std::string kind = fourier_kind(geometry, field, type) + (precision() == Precision::tf32 ? " tf32" : "");
    try {
        return spectral_ways_->choose(kind, ways, !executor().is_recording()) == 1;
    } catch (const OutOfMemory&) {
        return fft_pays(geometry, precision());
    }
}

void CudaBackend::forward_fft(const FourierGeometry& geometry, ConstView x, View spectrum) {
    expects(fft_ != nullptr, "a backend with cuFFT");
    cuda::forward_fft(executor(), *fft_, geometry, x, spectrum);
}

void CudaBackend::inverse_fft(const FourierGeometry& geometry, ConstView spectrum, OutputRef y, Activation f) {
    expects(fft_ != nullptr, "a backend with cuFFT");
    cuda::inverse_fft(executor(), *fft_, geometry, spectrum, y, f);
}

}  // namespace plumecast::cuda
