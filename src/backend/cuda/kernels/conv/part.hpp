#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/ops.hpp>

namespace plumecast::cuda {

/// Some channels of a convolution. A weight [C, k1, k2, k3, F] couples a coarse field [B, q1, q2, q3, C] to a fine
/// field [B, p1, p2, p3, F]: coarse[q] takes weight[k] fine[q stride + k - padding_low]. The output of a convolution is
/// its coarse field; of a transposed one, the fine field. Inputs side by side split the channels of their field, and a
/// part is the share of one input.
struct ConvPart {
    ConvGeometry geometry;
    Shape coarse;  ///< with the channels of this part
    Shape fine;    ///< with the channels of this part
    Shape weight;  ///< whole
    std::int64_t first_coarse = 0;
    std::int64_t first_fine = 0;

    /// The part whose input starts at channel `first` of all inputs.
    ConvPart(const ConvGeometry& g, const Shape& input, const Shape& output, const Shape& whole_weight,
             std::int64_t first)
        : geometry(g), weight(whole_weight) {
        const auto extents = g.output_extents(input);
        expects(output == Shape({input[0], extents[0], extents[1], extents[2], weight[g.transposed ? 4 : 0]}) &&
                    first + input[4] <= weight[g.transposed ? 0 : 4] && weight.slice(1, 4) == Shape(g.kernel),
                "matching extents in a convolution");
        coarse = g.transposed ? input : output;
        fine = g.transposed ? output : input;
        (g.transposed ? first_coarse : first_fine) = first;
    }

    /// Weights of one coarse channel.
    std::int64_t taps() const { return weight[1] * weight[2] * weight[3]; }
    /// First weight of the part's first coarse channel, as an offset in the whole weight.
    std::int64_t first_weight() const { return first_coarse * taps() * weight[4]; }
    /// Shape of the part's weights alone.
    Shape packed() const { return {coarse[4], weight[1], weight[2], weight[3], fine[4]}; }
    /// Whether the part's weights lie side by side in the whole weight.
    bool is_packed() const { return fine[4] == weight[4]; }
    /// What tells the part from others whose packed weights are used otherwise.
    std::vector<std::int64_t> numbers() const {
        std::vector<std::int64_t> all;
        for (const std::span<const std::int64_t> some :
             {std::span<const std::int64_t>(geometry.kernel), std::span<const std::int64_t>(geometry.stride),
              std::span<const std::int64_t>(geometry.padding_low), coarse.extents(), fine.extents()}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }
};

}  // namespace plumecast::cuda
