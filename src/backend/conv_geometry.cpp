#include <string>

#include <plumecast/backend/ops.hpp>

namespace plumecast {
namespace {

/// Cells of the output along an axis, the `place`-th of the field.
std::int64_t output_cells(const ConvGeometry::OuterAxis& axis, bool transposed, std::int64_t cells, int place) {
    const std::int64_t padding = axis.padding_low + axis.padding_high;
    const std::int64_t result = transposed ? (cells - 1) * axis.stride - padding + axis.kernel
                                           : (cells + padding - axis.kernel) / axis.stride + 1;
    if (result < 1 || (!transposed && cells + padding < axis.kernel)) {
        throw InvalidInput("convolution over " + std::to_string(cells) + " cells along axis " + std::to_string(place) +
                           " (the kernel is larger than the padded field); use a "
                           "larger grid or fewer levels");
    }
    return result;
}

}  // namespace

ConvGeometry::Axes ConvGeometry::output_extents(const Shape& input) const {
    expects(input.rank() == 5, "a convolution input [B, s1, s2, s3, C]");
    Axes extents{};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const int place = static_cast<int>(axis) + 1;
        extents[axis] = output_cells({kernel[axis], stride[axis], padding_low[axis], padding_high[axis]}, transposed,
                                     input[place], place);
    }
    return extents;
}

Shape ConvGeometry::output_shape(const Shape& input, std::int64_t channels) const {
    if (!has_outer()) {
        const Axes extents = output_extents(input);
        return {input[0], extents[0], extents[1], extents[2], channels};
    }
    expects(input.rank() == 6, "a convolution input [B, s0, s1, s2, s3, C]");
    const Axes extents = output_extents({input[0], input[2], input[3], input[4], input[5]});
    return {input[0], output_cells(outer, transposed, input[1], 1), extents[0], extents[1], extents[2], channels};
}

Shape ConvGeometry::weight_shape(std::int64_t inputs, std::int64_t outputs) const {
    Shape shape{transposed ? inputs : outputs};
    if (has_outer()) {
        shape = shape.append(outer.kernel);
    }
    return shape.append(kernel[0]).append(kernel[1]).append(kernel[2]).append(transposed ? outputs : inputs);
}

}  // namespace plumecast
