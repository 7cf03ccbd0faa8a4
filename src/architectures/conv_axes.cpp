#include "architectures/conv_axes.hpp"

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using Along = ConvGeometry::OuterAxis;

/// Time as it is, convolved with a kernel that leaves its extent.
Along unstrided(const ConvAxes& axes) { return {axes.time_kernel, 1, axes.time_kernel / 2, axes.time_kernel / 2}; }

/// The same along every axis of space, and something else along time, the last of the three inner axes.
ConvGeometry over(const ConvAxes& axes, const Along& space, const Along& time, bool transposed) {
    expects(axes.space == 2 || axes.space == 3, "two or three axes of space in a convolution");
    return {.kernel = {space.kernel, space.kernel, time.kernel},
            .stride = {space.stride, space.stride, time.stride},
            .padding_low = {space.padding_low, space.padding_low, time.padding_low},
            .padding_high = {space.padding_high, space.padding_high, time.padding_high},
            .transposed = transposed,
            .outer = axes.space == 3 ? space : Along{}};
}

}  // namespace

ConvGeometry kernel3(std::int64_t stride, const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    return over(axes, {3, stride, 1, 1}, {axes.time_kernel, axes.time_strides ? stride : 1, side, side}, false);
}

ConvGeometry doubling4(const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    const Along time = axes.time_strides ? Along{axes.time_kernel + 1, 2, side, side} : unstrided(axes);
    return over(axes, {4, 2, 1, 1}, time, true);
}

ConvGeometry doubling3(const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    const Along time = axes.time_strides ? Along{axes.time_kernel, 2, side, side - 1} : unstrided(axes);
    return over(axes, {3, 2, 1, 0}, time, true);
}

}  // namespace plumecast
