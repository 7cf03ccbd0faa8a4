#include <string>

#include <plumecast/backend/verbs.hpp>

namespace plumecast {

ConvGeometry::Axes ConvGeometry::output_extents(const Shape& input) const {
    expects(input.rank() == 5, "a convolution input [B, s1, s2, s3, C]");
    Axes extents{};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const std::int64_t cells = input[static_cast<int>(axis) + 1];
        const std::int64_t padding = padding_low[axis] + padding_high[axis];
        extents[axis] = transposed ? (cells - 1) * stride[axis] - padding + kernel[axis]
                                   : (cells + padding - kernel[axis]) / stride[axis] + 1;
        if (extents[axis] < 1 || (!transposed && cells + padding < kernel[axis])) {
            throw InvalidInput("convolution over " + std::to_string(cells) + " cells along axis " +
                               std::to_string(axis + 1) +
                               " (the kernel is larger than the padded field); use a "
                               "larger grid or fewer levels");
        }
    }
    return extents;
}

}  // namespace plumecast
