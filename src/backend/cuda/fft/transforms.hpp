#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <plumecast/core/error.hpp>

#include "backend/cuda/fft/kernels.hpp"
#include "backend/cuda/fft/plans.hpp"

/// Backend::forward_fft() and inverse_fft() on an executor (kernels/backend.hpp) by transforms of whole fields.
namespace plumecast::cuda {

/// How many of the fields [outer, cells..., C] are transformed side by side (FftPlans::most_elements()).
struct FftParts {
    std::int64_t outer, items;

    FftParts(const FftPlans& plans, const FourierGeometry& geometry, const Shape& field) : outer(field[0]) {
        const std::int64_t each = std::max<std::int64_t>(geometry.extents.count() * field[-1], 1);
        const std::int64_t most = std::max<std::int64_t>(plans.most_elements() / each, 1);
        const std::int64_t parts = std::max<std::int64_t>((outer + most - 1) / most, 1);
        items = (outer + parts - 1) / parts;
    }

    /// Calls transform(first, items) for each part.
    template <class Transform>
    void each(const Transform& transform) const {
        for (std::int64_t first = 0; first < outer; first += items) {
            transform(first, std::min(items, outer - first));
        }
    }
};

/// Whether forward_fft() and inverse_fft() of such fields can be done.
inline bool fft_takes(FftPlans& plans, const FourierGeometry& geometry, const Shape& field) {
    bool all = field.count() > 0;
    FftParts(plans, geometry, field).each([&](std::int64_t /*first*/, std::int64_t items) {
        all = all && plans.takes(geometry.extents, items * field[-1]);
    });
    return all;
}

/// Where the numbers of a field may be transformed as they lie: whole fields in float32, one at a time, at an address
/// where complex numbers may start.
inline bool lies_ready(const kernel::FourierCells& cells, DType type, const void* field) {
    constexpr std::uintptr_t alignment = 16;
    return type == DType::float32 && cells.items == 1 && cells.is_whole() &&
           reinterpret_cast<std::uintptr_t>(field) % alignment == 0;
}

inline void expect_fft(const FourierGeometry& geometry, const Shape& field, const Shape& spectrum) {
    const int rank = geometry.extents.rank();
    expects(rank >= 1 && rank <= 3 && field.rank() == rank + 2 && spectrum.rank() == rank + 2 &&
                field[0] == spectrum[0] && field[-1] == spectrum[-1] &&
                spectrum.slice(1, rank + 1) == geometry.spectrum(),
            "matching extents in a Fourier transform");
}

template <class Executor>
void forward_fft(Executor& executor, FftPlans& plans, const FourierGeometry& geometry, ConstView x, View spectrum) {
    expect_fft(geometry, x.shape, spectrum.shape);
    const std::int64_t channels = x.shape[-1], kept = spectrum.shape.count(1, spectrum.shape.rank());
    FftParts(plans, geometry, x.shape).each([&](std::int64_t first, std::int64_t items) {
        const kernel::FourierModes modes(geometry, items, channels);
        const kernel::FourierCells cells(geometry, x.shape, items);
        Tensor half(executor.memory(), {2 * modes.half_elements()}, DType::float32), whole;
        with_elements(
            [&](const auto* fields) {
                const auto* start = fields + first * cells.item_elements();
                const auto* real = reinterpret_cast<const float*>(start);
                if (!lies_ready(cells, x.type, start)) {
                    whole = Tensor(executor.memory(), {cells.whole_elements()}, DType::float32);
                    executor.run(cells.whole_elements(), kernel::SideBySide<Element<decltype(fields)>>{
                                                             cells, start, whole.view().template as<float>()});
                    real = whole.view().template as<float>();
                }
                plans.forward(geometry.extents, items * channels, executor.memory(), real,
                              half.view().template as<float>());
            },
            x);
        executor.run(modes.spectrum_elements(),
                     kernel::KeepModes{modes, half.view().template as<float>(), spectrum.as<float>() + first * kept});
    });
}

template <class Executor>
void inverse_fft(Executor& executor, FftPlans& plans, const FourierGeometry& geometry, ConstView spectrum, OutputRef y,
                 Activation f) {
    expect_fft(geometry, y.view.shape, spectrum.shape);
    const std::int64_t channels = y.view.shape[-1], kept = spectrum.shape.count(1, spectrum.shape.rank());
    FftParts(plans, geometry, y.view.shape).each([&](std::int64_t first, std::int64_t items) {
        const kernel::FourierModes modes(geometry, items, channels);
        const kernel::FourierCells cells(geometry, y.view.shape, items);
        Tensor half(executor.memory(), {2 * modes.half_elements()}, DType::float32), whole;
        float* waves = half.view().template as<float>();
        executor.run(modes.half_elements(), kernel::PlaceModes{modes, spectrum.as<float>() + first * kept, waves});
        with_elements(
            [&](auto* fields) {
                auto* start = fields + first * cells.item_elements();
                if (y.beta == 0.0 && f.is_identity() && lies_ready(cells, y.view.type, start)) {
                    plans.inverse(geometry.extents, channels, executor.memory(), waves,
                                  reinterpret_cast<float*>(start));
                    return;
                }
                whole = Tensor(executor.memory(), {cells.whole_elements()}, DType::float32);
                float* real = whole.view().template as<float>();
                plans.inverse(geometry.extents, items * channels, executor.memory(), waves, real);
                executor.run(items * cells.item_elements(),
                             kernel::OneByOne<Element<decltype(fields)>>{cells, real, start, static_cast<float>(y.beta),
                                                                         Pointwise(f)});
            },
            y.view);
    });
}

}  // namespace plumecast::cuda
