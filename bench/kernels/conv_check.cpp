#include "conv_check.hpp"

#include <algorithm>
#include <array>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

using Axes = ConvGeometry::Axes;

/// Cell and channel of an element of [1, axes..., C].
struct Place {
    Axes cell;
    std::int64_t channel;
};

Place place_of(const Shape& shape, std::int64_t index) {
    Place place{{}, index % shape[4]};
    index /= shape[4];
    for (int axis = 2; axis >= 0; --axis) {
        place.cell[static_cast<std::size_t>(axis)] = index % shape[axis + 1];
        index /= shape[axis + 1];
    }
    return place;
}

/// All channels of a cell; nullptr outside the grid.
const float* channels_at(ConstView array, const Axes& cell) {
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t extent = array.shape[static_cast<int>(axis) + 1];
        if (cell[axis] < 0 || cell[axis] >= extent) {
            return nullptr;
        }
        index = index * extent + cell[axis];
    }
    return array.as<float>() + index * array.shape[4];
}

template <class F>
void for_each_tap(const Axes& kernel, const F& f) {
    std::int64_t tap = 0;
    for (std::int64_t i = 0; i < kernel[0]; ++i) {
        for (std::int64_t j = 0; j < kernel[1]; ++j) {
            for (std::int64_t k = 0; k < kernel[2]; ++k) {
                f(Axes{i, j, k}, tap++);
            }
        }
    }
}

Axes large_cell(const ConvGeometry& g, const Axes& small, const Axes& tap) {
    Axes cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        cell[axis] = g.stride[axis] * small[axis] + tap[axis] - g.padding_low[axis];
    }
    return cell;
}

/// The cell of the smaller grid that a tap joins to `large`; one outside every grid when there is none.
Axes small_cell(const ConvGeometry& g, const Axes& large, const Axes& tap) {
    Axes cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t ahead = large[axis] + g.padding_low[axis] - tap[axis];
        cell[axis] = ahead >= 0 && ahead % g.stride[axis] == 0 ? ahead / g.stride[axis] : -1;
    }
    return cell;
}

std::int64_t taps_of(const ConvGeometry& g) { return g.kernel[0] * g.kernel[1] * g.kernel[2]; }

}  // namespace

bool ConvForm::proves_small() const {
    const std::int64_t channels = large.shape[4], taps = taps_of(geometry);
    return std::ranges::all_of(sampled(small.shape.count(), 200), [&](std::int64_t index) {
        const Place at = place_of(small.shape, index);
        Expected sum;
        for_each_tap(geometry.kernel, [&](const Axes& k, std::int64_t tap) {
            const float* x = channels_at(large, large_cell(geometry, at.cell, k));
            const float* w = weight.as<float>() + (at.channel * taps + tap) * channels;
            for (std::int64_t l = 0; x != nullptr && l < channels; ++l) {
                sum.add(static_cast<double>(x[l]) * w[l]);
            }
        });
        return sum.admits(small.as<float>()[index]);
    });
}

bool ConvForm::proves_large() const {
    const std::int64_t channels = small.shape[4], taps = taps_of(geometry), own = large.shape[4];
    return std::ranges::all_of(sampled(large.shape.count(), 200), [&](std::int64_t index) {
        const Place at = place_of(large.shape, index);
        Expected sum;
        for_each_tap(geometry.kernel, [&](const Axes& k, std::int64_t tap) {
            const float* x = channels_at(small, small_cell(geometry, at.cell, k));
            const float* w = weight.as<float>() + tap * own + at.channel;
            for (std::int64_t m = 0; x != nullptr && m < channels; ++m) {
                sum.add(static_cast<double>(x[m]) * w[m * taps * own]);
            }
        });
        return sum.admits(large.as<float>()[index]);
    });
}

bool ConvForm::proves_weight() const {
    const std::int64_t cells = small.shape.count(1, 4);
    return std::ranges::all_of(sampled(weight.shape.count(), 8), [&](std::int64_t index) {
        const std::int64_t m = index / weight.shape.count(1, 5), l = index % weight.shape[4];
        const Axes tap{index / weight.shape.count(2, 5) % weight.shape[1],
                       index / weight.shape.count(3, 5) % weight.shape[2], index / weight.shape[4] % weight.shape[3]};
        Expected sum;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            const Place at = place_of(small.shape, cell * small.shape[4]);
            const float* x = channels_at(large, large_cell(geometry, at.cell, tap));
            if (x != nullptr) {
                sum.add(static_cast<double>(x[l]) * small.as<float>()[cell * small.shape[4] + m]);
            }
        }
        return sum.admits(weight.as<float>()[index]);
    });
}

}  // namespace plumecast::bench
