#pragma once

#include <cstdint>

#include <plumecast/backend/ops.hpp>

#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

/// What stands beside transforms of whole fields: truncation, scaling, conversion and accumulation. Fields are
/// transformed side by side, [axes..., items, C].
namespace plumecast::cuda::kernel {

/// Which frequencies of an axis of space are kept, 0..count-1, then -count..-1: SpaceModes as kernels take it.
struct KeptFrequencies {
    std::int64_t cells = 1, count = 1, rows = 1;

    /// The frequency, from 0 to cells - 1, of a row of the spectrum; negative where another row repeats it.
    constexpr std::int64_t frequency(std::int64_t row) const {
        if (row >= count) {
            return row - rows + cells;
        }
        return rows > count && row >= cells - count ? -1 : row;
    }
    /// The row of a frequency; negative where it is not kept.
    constexpr std::int64_t row(std::int64_t frequency) const {
        if (rows > count && frequency >= cells - count) {
            return frequency - cells + rows;
        }
        return frequency < count ? frequency : -1;
    }
    constexpr std::int64_t opposite(std::int64_t frequency) const { return frequency == 0 ? 0 : cells - frequency; }
};

/// A FourierGeometry of up to two axes of space and time, for so many items side by side.
struct FourierModes {
    KeptFrequencies first, second;
    std::int64_t steps, kept, items, channels;
    bool by_multiplicity;
    float scale;

    FourierModes(const FourierGeometry& geometry, std::int64_t items_at_once, std::int64_t field_channels)
        : steps(geometry.extents[-1]),
          kept(geometry.modes[-1]),
          items(items_at_once),
          channels(field_channels),
          by_multiplicity(geometry.by_multiplicity),
          scale(static_cast<float>(geometry.scale)) {
        const int axes = geometry.extents.rank() - 1;
        if (axes > 0) {
            second = {geometry.extents[axes - 1], geometry.modes[axes - 1], 2 * geometry.modes[axes - 1]};
        }
        if (axes > 1) {
            first = {geometry.extents[0], geometry.modes[0], 2 * geometry.modes[0]};
        }
    }

    constexpr std::int64_t half_steps() const { return steps / 2 + 1; }
    constexpr std::int64_t spectrum_elements() const { return items * first.rows * second.rows * 2 * kept * channels; }
    constexpr std::int64_t half_elements() const {
        return first.cells * second.cells * half_steps() * items * channels;
    }
    /// Whether a mode of time is its own opposite.
    constexpr bool is_own_opposite(std::int64_t mode) const { return mode == 0 || 2 * mode == steps; }
    constexpr float weight(std::int64_t mode) const {
        return by_multiplicity && !is_own_opposite(mode) ? 2.0f * scale : scale;
    }
    constexpr std::int64_t in_half(std::int64_t f, std::int64_t s, std::int64_t mode, std::int64_t item,
                                   std::int64_t channel) const {
        return (((f * second.cells + s) * half_steps() + mode) * items + item) * channels + channel;
    }
    constexpr std::int64_t in_spectrum(std::int64_t item, std::int64_t f, std::int64_t s, std::int64_t part,
                                       std::int64_t mode, std::int64_t channel) const {
        return ((((item * first.rows + f) * second.rows + s) * 2 + part) * kept + mode) * channels + channel;
    }
};

/// One element of the kept modes [items, 2 m..., 2 mt, C] of half the spectra.
struct KeepModes {
    FourierModes modes;
    const float* half;
    float* spectrum;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided in(i, modes.channels), time(in.quotient, modes.kept), parts(time.quotient, 2);
        const Divided second(parts.quotient, modes.second.rows), first(second.quotient, modes.first.rows);
        const std::int64_t f = modes.first.frequency(first.rest), s = modes.second.frequency(second.rest);
        const std::int64_t mode = time.rest, part = parts.rest;
        spectrum[i] = f < 0 || s < 0
                          ? 0.0f
                          : modes.weight(mode) * half[2 * modes.in_half(f, s, mode, first.quotient, in.rest) + part];
    }
};

/// One complex number of half the spectra of real fields from their kept modes; zero where none is kept. The transform
/// to reals counts each number and its conjugate at the opposite frequency, so each gets half of a mode; where time has
/// no opposite, the opposites in space get theirs here, since the transform takes them for conjugates of each other.
struct PlaceModes {
    FourierModes modes;
    const float* spectrum;
    float* half;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided in(i, modes.channels), item(in.quotient, modes.items), time(item.quotient, modes.half_steps());
        const Divided space(time.quotient, modes.second.cells);
        const std::int64_t f = space.quotient, s = space.rest, mode = time.rest, b = item.rest, c = in.rest;
        float real = 0.0f, imaginary = 0.0f;
        if (mode < modes.kept) {
            real = kept(f, s, b, 0, mode, c);
            imaginary = kept(f, s, b, 1, mode, c);
            if (modes.is_own_opposite(mode)) {
                const std::int64_t of = modes.first.opposite(f), os = modes.second.opposite(s);
                real += kept(of, os, b, 0, mode, c);
                imaginary -= kept(of, os, b, 1, mode, c);
            }
        }
        const float weight = mode < modes.kept ? 0.5f * modes.weight(mode) : 0.0f;
        half[2 * std::int64_t{i}] = weight * real;
        half[2 * std::int64_t{i} + 1] = weight * imaginary;
    }

   private:
    constexpr float kept(std::int64_t f, std::int64_t s, std::int64_t item, std::int64_t part, std::int64_t mode,
                         std::int64_t channel) const {
        const std::int64_t first = modes.first.row(f), second = modes.second.row(s);
        return first < 0 || second < 0 ? 0.0f : spectrum[modes.in_spectrum(item, first, second, part, mode, channel)];
    }
};

/// Three axes of a field and of what is transformed; the field holds the first cells.
struct FourierCells {
    std::int64_t items, channels;
    std::int64_t first, second, last;                    ///< of the field
    std::int64_t whole_first, whole_second, whole_last;  ///< of the transform

    FourierCells(const FourierGeometry& geometry, const Shape& field, std::int64_t items_at_once)
        : items(items_at_once), channels(field[-1]) {
        const Shape cells = field.slice(1, field.rank() - 1);
        const auto extent = [](const Shape& shape, int from_last) {
            return shape.rank() > from_last ? shape[shape.rank() - 1 - from_last] : 1;
        };
        first = extent(cells, 2);
        second = extent(cells, 1);
        last = extent(cells, 0);
        whole_first = extent(geometry.extents, 2);
        whole_second = extent(geometry.extents, 1);
        whole_last = extent(geometry.extents, 0);
    }

    constexpr std::int64_t item_elements() const { return first * second * last * channels; }
    constexpr std::int64_t whole_elements() const { return whole_first * whole_second * whole_last * items * channels; }
    constexpr bool is_whole() const { return first == whole_first && second == whole_second && last == whole_last; }
};

/// One element of what is transformed, [axes..., items, C] float32, of fields [items, cells..., C]; zero beyond these.
template <class From>
struct SideBySide {
    FourierCells cells;
    const From* fields;
    float* whole;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided in(i, cells.channels), item(in.quotient, cells.items), last(item.quotient, cells.whole_last);
        const Divided second(last.quotient, cells.whole_second);
        const std::int64_t c = in.rest, b = item.rest, t = last.rest, s = second.rest, f = second.quotient;
        const bool is_inside = f < cells.first && s < cells.second && t < cells.last;
        whole[i] =
            is_inside
                ? number(fields[(((b * cells.first + f) * cells.second + s) * cells.last + t) * cells.channels + c])
                : 0.0f;
    }
};

/// One element of fields [items, cells..., C] = f(what was transformed + beta fields).
template <class To>
struct OneByOne {
    FourierCells cells;
    const float* whole;
    To* fields;
    float beta;
    Pointwise f;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided in(i, cells.channels), last(in.quotient, cells.last), second(last.quotient, cells.second);
        const Divided first(second.quotient, cells.first);
        const std::int64_t c = in.rest, t = last.rest, s = second.rest, a = first.rest, b = first.quotient;
        const float sum =
            whole[(((a * cells.whole_second + s) * cells.whole_last + t) * cells.items + b) * cells.channels + c];
        fields[i] = static_cast<To>(f(beta != 0.0f ? sum + beta * number(fields[i]) : sum));
    }
};

}  // namespace plumecast::cuda::kernel
