#include <plumecast/core/error.hpp>

#include "onnx/translation.hpp"

namespace plumecast {
namespace {

/// Weight [A, taps, B] as [A, B, taps], as ONNX stores kernels: channels before the taps.
std::vector<float> channels_first(const std::vector<float>& weight, std::int64_t a, std::int64_t taps, std::int64_t b) {
    std::vector<float> result(weight.size());
    const auto outer = static_cast<std::size_t>(a), count = static_cast<std::size_t>(taps),
               inner = static_cast<std::size_t>(b);
    for (std::size_t i = 0; i < outer; ++i) {
        for (std::size_t k = 0; k < count; ++k) {
            for (std::size_t j = 0; j < inner; ++j) {
                result[(i * inner + j) * count + k] = weight[(i * count + k) * inner + j];
            }
        }
    }
    return result;
}

/// Three axes that ONNX runtimes convolve over, of a convolution over three axes, or over four of which the last is
/// left as it is.
struct KernelAxes {
    std::vector<std::int64_t> kernel, stride, padding;  // padding: low ends, then high ends

    explicit KernelAxes(const ConvGeometry& g) {
        std::vector<std::int64_t> high;
        const auto append = [&](std::int64_t k, std::int64_t s, std::int64_t low, std::int64_t up) {
            kernel.push_back(k);
            stride.push_back(s);
            padding.push_back(low);
            high.push_back(up);
        };
        if (g.has_outer()) {
            append(g.outer.kernel, g.outer.stride, g.outer.padding_low, g.outer.padding_high);
        }
        for (std::size_t axis = 0; axis < (g.has_outer() ? 2U : 3U); ++axis) {
            append(g.kernel[axis], g.stride[axis], g.padding_low[axis], g.padding_high[axis]);
        }
        padding.insert(padding.end(), high.begin(), high.end());
    }
};

void check(const ConvGeometry& g) {
    if (g.has_outer() && (g.kernel[2] != 1 || g.stride[2] != 1 || g.padding_low[2] != 0 || g.padding_high[2] != 0)) {
        throw InvalidInput(
            "convolution over three axes of space and time at once (ONNX runtimes have those over three axes); export "
            "a network with time_kernel 1 and time_strides false");
    }
}

}  // namespace

void OnnxTranslation::add(const ConvOp& op, std::size_t node) {
    expects(op.parts == 1 && op.fused.is_nothing(), "a convolution alone, of one field");
    const ConvGeometry& g = op.geometry;
    check(g);
    const KernelAxes axes(g);
    const Shape &x = input_shape(node, 0), &y = shape_of(node), &w = input_shape(node, 1);
    std::vector<std::string> inputs;
    if (g.has_outer()) {  // times become cases
        const std::string by_time = transposed_axes(field(node, 0), {0, 4, 5, 1, 2, 3});
        inputs.push_back(reshaped(by_time, {-1, x[5], x[1], x[2], x[3]}));
    } else {
        inputs.push_back(transposed_axes(field(node, 0), {0, 4, 1, 2, 3}));
    }
    const std::int64_t taps = w.count(1, w.rank() - 1);
    const Shape stored_shape{w[0], w[-1], axes.kernel[0], axes.kernel[1], axes.kernel[2]};
    inputs.push_back(stored(name_of_array(node, 1), stored_shape, channels_first(numbers(node, 1), w[0], taps, w[-1])));
    if (graph_->nodes()[node].inputs.size() > 2) {
        inputs.push_back(array(node, 2));
    }
    const std::string result =
        model_.node(g.transposed ? "ConvTranspose" : "Conv", inputs,
                    {{"kernel_shape", axes.kernel}, {"strides", axes.stride}, {"pads", axes.padding}});
    if (g.has_outer()) {
        const std::string by_case = reshaped(result, {-1, y[4], y[5], y[1], y[2], y[3]});
        give(node, transposed_axes(by_case, {0, 3, 4, 5, 1, 2}));
    } else {
        give(node, transposed_axes(result, {0, 2, 3, 4, 1}));
    }
}

}  // namespace plumecast
