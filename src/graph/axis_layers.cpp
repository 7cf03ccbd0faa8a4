#include "graph/axis_layers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "graph/ops/turn.hpp"
#include "spectral/modes.hpp"

namespace plumecast {
namespace {

/// [to, from]: sum over frequencies |k| < half of the smaller grid of e^{2 pi i k (n / to - m / from)} / from.
std::vector<double> resampling_matrix(std::int64_t from, std::int64_t to) {
    const std::int64_t modes = (std::min(from, to) + 1) / 2;
    std::vector<double> matrix;
    for (std::int64_t n = 0; n < to; ++n) {
        for (std::int64_t m = 0; m < from; ++m) {
            const double distance =
                static_cast<double>(n) / static_cast<double>(to) - static_cast<double>(m) / static_cast<double>(from);
            double sum = 1.0;
            for (std::int64_t k = 1; k < modes; ++k) {
                sum += 2.0 * std::cos(2.0 * std::numbers::pi * static_cast<double>(k) * distance);
            }
            matrix.push_back(sum / static_cast<double>(from));
        }
    }
    return matrix;
}

}  // namespace

Value spectral_conv_along(const Value& x, int axis, std::int64_t modes, const LayerPath& at) {
    Graph& graph = x.graph();
    const std::int64_t cells = x.shape()[axis], channels = x.shape()[-1];
    const TimeModes kept{cells, modes};
    kept.check();
    const std::string name = "axis_fourier." + std::to_string(cells) + "_cells." + std::to_string(modes) + "_modes";
    const Value forward = graph.constant(name, {2 * modes, cells}, [&] { return kept.rows(); });
    const Value inverse = graph.constant(name + "^-1", {cells, 2 * modes}, [&] {
        return transposed(kept.weighted_rows(1.0 / static_cast<double>(cells)), 2 * modes);
    });
    const Value weight = graph.weight({.of = (at / "weight").text,
                                       .shape = {modes, 2, channels, channels},
                                       .high = 1.0 / static_cast<double>(channels * channels),
                                       .complex_valued = true});
    const Value spectrum = graph.add(TurnOp{axis}, {graph.add(AxisTransformOp{axis}, {forward, x})});
    const Shape turned = spectrum.shape();
    const Value lines = graph.add(ReshapeOp{{turned.count(0, turned.rank() - 2), 2 * modes, channels}}, {spectrum});
    const Value product = graph.add(ReshapeOp{turned}, {graph.add(SpectralMultiplyOp{}, {lines, weight})});
    return graph.add(AxisTransformOp{axis}, {inverse, graph.add(TurnOp{axis, true}, {product})});
}

Value resampled(const Value& x, int axis, std::int64_t cells) {
    const std::int64_t from = x.shape()[axis];
    if (from == cells) {
        return x;
    }
    const Value matrix = x.graph().constant("resampling." + std::to_string(from) + "_to_" + std::to_string(cells),
                                            {cells, from}, [&] { return resampling_matrix(from, cells); });
    return x.graph().add(AxisTransformOp{axis}, {matrix, x});
}

}  // namespace plumecast
