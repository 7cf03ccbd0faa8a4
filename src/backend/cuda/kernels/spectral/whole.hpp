#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/extents.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda {
namespace kernel {

/// A FourierGrid as kernels take it, for one case. Its half spectrum is what a real transform over all points gives:
/// complex numbers, parts side by side, of the frequencies 0..N-1 along every axis but the last, 0..N/2 along that, and
/// all channels.
struct FourierPoints {
    Extents points, half, kept, low, held;
    std::int64_t channels;
    double scale;

    FourierPoints(const FourierGrid& grid, std::int64_t all_channels)
        : points(grid.points),
          half(grid.points.with(-1, grid.points[-1] / 2 + 1)),
          kept(grid.kept),
          low(grid.low),
          held(grid.held),
          channels(all_channels),
          scale(grid.scale) {}

    constexpr int last() const { return points.rank - 1; }
    /// How often a frequency of the last axis counts.
    constexpr float weight(std::int64_t real_frequency) const {
        if (scale == 0.0) {
            return 1.0f;
        }
        return static_cast<float>(stands_alone(real_frequency) ? scale : 2.0 * scale);
    }
    /// Zero and Nyquist: a real signal has no other frequency that is the conjugate of it.
    constexpr bool stands_alone(std::int64_t real_frequency) const {
        return real_frequency == 0 || 2 * real_frequency == points[last()];
    }
    /// Place of a stored row along an axis among the frequencies 0..N-1, or -1 where it holds zero.
    constexpr std::int64_t frequency(int axis, std::int64_t row) const {
        const std::int64_t n = points[axis], m = kept[axis];
        if (row >= m) {
            return n - 2 * m + row;
        }
        return row < n - m ? row : -1;
    }
    /// The inverse: the row that holds a frequency, or -1.
    constexpr std::int64_t row(int axis, std::int64_t frequency) const {
        const std::int64_t n = points[axis], m = kept[axis];
        if (frequency >= n - m) {
            return frequency - n + 2 * m;
        }
        return frequency < m ? frequency : -1;
    }
    /// Position in the spectrum [K, 2, kept, C] of the real part of the frequency at `cell` of the half spectrum, or
    /// its conjugate's; -1 where it is not kept.
    constexpr std::int64_t stored(const Index& cell, std::int64_t channel, bool conjugate) const {
        std::int64_t pencil = 0;
        bool is_kept = true;
        each_axis(last(), [&](std::size_t a) {
            const std::int64_t n = points.axes[a];
            const std::int64_t found = row(static_cast<int>(a), conjugate ? (n - cell[a]) % n : cell[a]);
            is_kept = is_kept && found >= 0;
            pencil = pencil * 2 * kept.axes[a] + found;
        });
        const std::int64_t real_frequency = entry(cell, last()), m = kept[last()];
        return is_kept && real_frequency < m ? (pencil * 2 * m + real_frequency) * channels + channel : -1;
    }
    /// Steps from a real part in the spectrum to the imaginary one.
    constexpr std::int64_t to_imaginary() const { return kept[last()] * channels; }
};

/// One element of a whole real field: the held one's, or zero beyond it.
template <class T>
struct Embed {
    FourierPoints at;
    const T* held;
    float* whole;

    constexpr void operator()(std::int64_t i) const {
        Index cell = at.points.index(i / at.channels);
        bool is_held = true;
        each_axis(at.points.rank, [&](std::size_t a) {
            cell[a] -= at.low.axes[a];
            is_held = is_held && cell[a] >= 0 && cell[a] < at.held.axes[a];
        });
        whole[i] = is_held ? number(held[at.held.position(cell) * at.channels + i % at.channels]) : 0.0f;
    }
};

/// One element of a held field = f(the whole one's + beta before).
template <class T>
struct Extract {
    FourierPoints at;
    const float* whole;
    T* held;
    float beta;
    Pointwise f;

    constexpr void operator()(std::int64_t i) const {
        Index cell = at.held.index(i / at.channels);
        each_axis(at.points.rank, [&](std::size_t a) { cell[a] += at.low.axes[a]; });
        const float value = whole[at.points.position(cell) * at.channels + i % at.channels];
        held[i] = static_cast<T>(f(beta != 0.0f ? value + beta * number(held[i]) : value));
    }
};

/// One element of the spectrum [K, 2, kept, C] from the half spectrum.
struct TakeKept {
    FourierPoints at;
    const float* half;
    float* spectrum;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t channel = i % at.channels, rest = i / at.channels, m = at.kept[at.last()];
        const std::int64_t part = rest / m % 2;
        std::int64_t pencil = rest / m / 2;
        Index cell{};
        bool exists = true;
        each_axis_from_the_last(at.points.rank, [&](std::size_t a) {
            const int axis = static_cast<int>(a);
            if (axis == at.last()) {
                cell[a] = rest % m;
                return;
            }
            cell[a] = at.frequency(axis, pencil % (2 * at.kept.axes[a]));
            exists = exists && cell[a] >= 0;
            pencil /= 2 * at.kept.axes[a];
        });
        if (!exists) {
            spectrum[i] = 0.0f;
            return;
        }
        spectrum[i] = at.weight(rest % m) * half[(at.half.position(cell) * at.channels + channel) * 2 + part];
    }
};

/// One complex number of the half spectrum whose real field is the transpose of TakeKept after a real transform. The
/// inverse transform counts frequencies with a conjugate beyond the half twice. Those without one it takes to have
/// theirs at the opposite place of the other axes; a spectrum need not be like that, and of one that is not the real
/// part counts, to which both places give half.
struct PlaceKept {
    FourierPoints at;
    const float* spectrum;
    float* half;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t channel = i % at.channels;
        const Index cell = at.half.index(i / at.channels);
        const std::int64_t real_frequency = entry(cell, at.last());
        float re = 0.0f, im = 0.0f;
        const std::int64_t here = at.stored(cell, channel, false);
        if (here >= 0) {
            re = spectrum[here];
            im = spectrum[here + at.to_imaginary()];
        }
        const std::int64_t there = at.stands_alone(real_frequency) ? at.stored(cell, channel, true) : -1;
        if (there >= 0) {
            re += spectrum[there];
            im -= spectrum[there + at.to_imaginary()];
        }
        const float weight = 0.5f * at.weight(real_frequency);
        half[2 * i] = weight * re;
        half[2 * i + 1] = weight * im;
    }
};

}  // namespace kernel

/// The truncated transform by way of a full one over all points, case by case. `Fft` has forward(points, channels,
/// real, half), unscaled, and inverse(points, channels, half, real), unscaled, which may destroy the half spectrum:
/// arrays [points..., C] and [half points..., C] of complex numbers.
template <class Executor, class Fft>
class WholeFourier {
   public:
    WholeFourier(Executor& executor, Fft& fft, const FourierGrid& grid, std::int64_t channels)
        : executor_(executor),
          fft_(fft),
          grid_(grid),
          at_(grid, channels),
          half_(executor.memory(), {grid.points.with(-1, grid.points[-1] / 2 + 1).count(), channels, 2},
                DType::float32) {}

    void transform(ConstView field, View spectrum) {
        const bool is_whole = field.type == DType::float32 && grid_.held == grid_.points;
        for (std::int64_t b = 0; b < field.shape[0]; ++b) {
            const ConstView held = field.rows(b, b + 1);
            // The library wants reals where complex numbers may lie.
            const bool direct = is_whole && reinterpret_cast<std::uintptr_t>(held.data) % 16 == 0;
            fft_.forward(grid_.points, at_.channels, direct ? held.as<float>() : embedded(held), half());
            const View kept = spectrum.rows(b, b + 1);
            executor_.run(kept.shape.count(), kernel::TakeKept{at_, half(), kept.as<float>()});
        }
    }
    void transpose(ConstView spectrum, OutputRef field, Activation f) {
        float* real = whole();
        for (std::int64_t b = 0; b < field.view.shape[0]; ++b) {
            executor_.run(half_.shape().count() / 2,
                          kernel::PlaceKept{at_, spectrum.rows(b, b + 1).template as<float>(), half()});
            fft_.inverse(grid_.points, at_.channels, half(), real);
            const View held = field.view.rows(b, b + 1);
            with_elements(
                [&](auto* to) {
                    using T = Element<decltype(to)>;
                    executor_.run(held.shape.count(),
                                  kernel::Extract<T>{at_, real, to, static_cast<float>(field.beta), Pointwise(f)});
                },
                held);
        }
    }

   private:
    float* half() { return half_.view().template as<float>(); }
    float* whole() {
        if (whole_.empty()) {
            whole_ = Tensor(executor_.memory(), {grid_.points.count(), at_.channels}, DType::float32);
        }
        return whole_.view().template as<float>();
    }
    const float* embedded(ConstView held) {
        float* real = whole();
        with_elements(
            [&](const auto* from) {
                using T = Element<decltype(from)>;
                executor_.run(grid_.points.count() * at_.channels, kernel::Embed<T>{at_, from, real});
            },
            held);
        return real;
    }

    Executor& executor_;
    Fft& fft_;
    const FourierGrid& grid_;
    kernel::FourierPoints at_;
    Tensor half_, whole_;
};

}  // namespace plumecast::cuda
