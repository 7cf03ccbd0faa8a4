#pragma once

#include <string>
#include <vector>

#include <plumecast/backend/ops.hpp>

#include "support/op_check.hpp"

namespace plumecast::testing {

/// One convolution: geometry, batch and cells of the input, channels of each input and of the output.
struct ConvCase {
    std::string name;
    ConvGeometry geometry;
    Shape cells;  ///< [B, s1, s2, s3]
    std::vector<std::int64_t> inputs;
    std::int64_t outputs;

    Shape part(std::size_t i) const { return cells.append(inputs[i]); }
    std::int64_t input_channels() const {
        std::int64_t sum = 0;
        for (std::int64_t channels : inputs) {
            sum += channels;
        }
        return sum;
    }
    Shape output() const {
        const auto e = geometry.output_extents(part(0));
        return {cells[0], e[0], e[1], e[2], outputs};
    }
    Shape weight() const {
        const auto& k = geometry.kernel;
        return geometry.transposed ? Shape{input_channels(), k[0], k[1], k[2], outputs}
                                   : Shape{outputs, k[0], k[1], k[2], input_channels()};
    }
    std::vector<ConstView> random_inputs(Arrays& a) const {
        std::vector<ConstView> views;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            views.emplace_back(a.field("x" + std::to_string(i), part(i)));
        }
        return views;
    }
};

/// Kernels 1, 3 and 4, strides 1 and 2, odd and even cells, uneven padding, one to three inputs, empty batch.
inline std::vector<ConvCase> conv_cases() {
    const ConvGeometry k3{};
    const ConvGeometry k3_s2{.stride = {2, 2, 2}};
    const ConvGeometry k1{.kernel = {1, 1, 1}, .padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const ConvGeometry mixed{
        .kernel = {1, 3, 4}, .stride = {1, 2, 2}, .padding_low = {0, 1, 2}, .padding_high = {0, 0, 1}};
    const ConvGeometry k3_up{.transposed = true};
    const ConvGeometry k3_s2_up{.stride = {2, 2, 2}, .padding_high = {0, 0, 0}, .transposed = true};
    const ConvGeometry k4_s2_up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    return {{"k3", k3, {2, 3, 5, 4}, {3}, 5},
            {"k3, one cell, one channel", k3, {1, 1, 1, 1}, {1}, 1},
            {"k3, two inputs", k3, {1, 4, 3, 5}, {3, 16}, 17},
            {"k3, three inputs", k3, {2, 2, 3, 4}, {1, 2, 16}, 16},
            {"k3, empty batch", k3, {0, 3, 3, 3}, {4}, 4},
            {"k1", k1, {2, 3, 2, 2}, {7}, 6},
            {"k3 s2, even", k3_s2, {1, 4, 6, 2}, {5}, 4},
            {"k3 s2, odd, two inputs", k3_s2, {2, 3, 5, 7}, {2, 3}, 4},
            {"k3 s2, width 32", k3_s2, {1, 4, 4, 4}, {32}, 32},
            {"mixed", mixed, {2, 3, 5, 6}, {3, 2}, 4},
            {"up k3", k3_up, {2, 3, 2, 3}, {3}, 4},
            {"up k3 s2, uneven padding", k3_s2_up, {1, 3, 2, 1}, {3, 2, 1}, 5},
            {"up k4 s2", k4_s2_up, {2, 2, 3, 1}, {5}, 3},
            {"up k4 s2, two inputs", k4_s2_up, {1, 2, 2, 3}, {16, 3}, 16}};
}

}  // namespace plumecast::testing
