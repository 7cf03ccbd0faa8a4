#include "backend/cuda/kernels/spectral/whole.hpp"

#include <string>
#include <utility>

#include "backend/cuda/backend.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {
namespace {

/// What the time of a transform depends on.
std::vector<std::int64_t> kind_of(const FourierGrid& grid, const Shape& field, DType type, bool is_transpose) {
    std::vector<std::int64_t> kind{is_transpose ? 1 : 0, type == DType::bfloat16 ? 1 : 0, field[0], field[-1]};
    for (const Shape* shape : {&grid.points, &grid.kept, &grid.held}) {
        for (int axis = 0; axis < shape->rank(); ++axis) {
            kind.push_back((*shape)[axis]);
        }
    }
    return kind;
}

Shape spectrum_of(const FourierGrid& grid, const Shape& field) {
    std::int64_t pencils = 1;
    for (int axis = 0; axis + 1 < grid.kept.rank(); ++axis) {
        pencils *= 2 * grid.kept[axis];
    }
    return {field[0], pencils, 2, grid.kept[-1], field[-1]};
}

}  // namespace

Fft* CudaBackend::fft() {
    if (!fft_ && !lacks_fft_) {
        try {
            fft_ = std::make_unique<Fft>(executor().stream(), memory());
        } catch (const DeviceError& missing) {
            if (spectral_route_ != SpectralRoute::automatic) {
                throw;
            }
            lacks_fft_ = true;
            if (executor().log()) {
                executor().log()(Severity::info, std::string("spectral transforms without cuFFT: ") + missing.what());
            }
        }
    }
    return fft_.get();
}

/// Whether a transform goes through cuFFT. Products along the axes are taken unless cuFFT is clearly faster, so that
/// what is about as fast does not change from run to run, and with it the last bits.
bool CudaBackend::prefers_fft(const FourierGrid& grid, ConstView field, bool is_transpose, const OneWay& seconds) {
    constexpr double clearly = 0.8;
    const bool is_settled = spectral_route_ == SpectralRoute::dft ||
                            (spectral_route_ == SpectralRoute::automatic && products_cannot_lose(grid));
    if (is_settled || field.shape.count() == 0 || !Fft::takes(grid.points, field.shape[-1]) || fft() == nullptr) {
        return false;
    }
    if (spectral_route_ == SpectralRoute::fft) {
        return true;
    }
    const std::vector<std::int64_t> kind = kind_of(grid, field.shape, field.type, is_transpose);
    if (executor().is_recording() && !spectral_tuner_.knows(kind)) {
        return false;
    }
    try {
        return spectral_tuner_.choose(
                   kind, 2, [&](std::size_t way) { return way == 1 ? seconds(true) : clearly * seconds(false); }) == 1;
    } catch (const OutOfMemory&) {
        spectral_tuner_.settle(kind, 0);  // what has no room to be tried has none to be done
        return false;
    }
}

Tensor CudaBackend::fourier(const FourierGrid& grid, ConstView field, const std::function<Tensor()>& by_axes) {
    const auto by_fft = [&] {
        Tensor spectrum(memory(), spectrum_of(grid, field.shape), DType::float32);
        WholeFourier<DeviceExecutor, Fft>(executor(), *fft(), grid, field.shape[-1]).transform(field, spectrum);
        return spectrum;
    };
    const auto seconds = [&](bool fft) { return executor().seconds_of([&] { fft ? by_fft() : by_axes(); }); };
    if (prefers_fft(grid, field, false, seconds)) {
        try {
            return by_fft();
        } catch (const OutOfMemory&) {
            if (spectral_route_ == SpectralRoute::fft) {
                throw;  // asked for by name; else products, which need less memory, do the work
            }
        }
    }
    return by_axes();
}

void CudaBackend::fourier_transpose(const FourierGrid& grid, Tensor spectrum, OutputRef field, Activation f,
                                    const std::function<void(Tensor, OutputRef)>& by_axes) {
    const auto by_fft = [&](ConstView from, OutputRef to) {
        WholeFourier<DeviceExecutor, Fft>(executor(), *fft(), grid, to.view.shape[-1]).transpose(from, to, f);
    };
    spectrum.reshape(spectrum_of(grid, field.view.shape));
    const auto seconds = [&](bool fft) {
        Tensor scratch(memory(), field.view.shape, field.view.type);
        return executor().seconds_of([&] {
            Tensor copy(memory(), spectrum.shape(), spectrum.type());
            fft ? by_fft(std::as_const(copy).view(), {scratch, field.beta})
                : by_axes(std::move(copy), {scratch, field.beta});
        });
    };
    if (prefers_fft(grid, field.view, true, seconds)) {
        try {
            by_fft(std::as_const(spectrum).view(), field);
            return;
        } catch (const OutOfMemory&) {  // comes before the field is touched
            if (spectral_route_ == SpectralRoute::fft) {
                throw;
            }
        }
    }
    by_axes(std::move(spectrum), field);
}

}  // namespace plumecast::cuda
