#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <plumecast/backend/ops.hpp>

namespace plumecast::cpu {

/// One weight along an axis and the input position it multiplies.
struct Tap {
    std::int64_t weight;
    std::int64_t position;
};

/// Output rows `first`, first + step ... that share their weights. Row m multiplies weights[j] by input
/// position + m * input_step + j, so that all weights of a row read one stretch of the input.
struct RowRun {
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::int64_t rows = 0;
    std::int64_t input_step = 1;
    std::int64_t position = 0;  ///< may lie outside the input, which counts as zero there
    std::vector<std::int64_t> weights;
};

/// Output rows `first`, first + step ... that share their weights, as sums over phases: of every phase row m multiplies
/// weights[j] by input (m + j) * input_step + origin, which counts as zero outside the input.
struct PhasedRun {
    struct Phase {
        std::int64_t origin;
        std::vector<std::int64_t> weights;  ///< equally many in every phase; -1 stands for a weight of zero
    };
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::int64_t rows = 0;
    std::int64_t input_step = 1;
    std::vector<Phase> phases;

    std::int64_t kernel() const { return static_cast<std::int64_t>(phases.front().weights.size()); }
};

/// What outputs along one axis read. Gathering, output o takes weight k at input o stride + k - padding (a convolution,
/// the data gradient of a transposed one); scattering, at (o + padding - k) / stride where that is whole (the
/// converse).
struct AxisRule {
    bool scatters;
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t padding;

    /// Taps of one output that lie inside the input.
    std::vector<Tap> taps_at(std::int64_t output, std::int64_t input_extent) const;
    /// All outputs, in runs of equal weights; weights that no input is multiplied by are left out.
    std::vector<RowRun> runs(std::int64_t output_extent, std::int64_t input_extent) const;
    /// All outputs of a non-empty extent, with all weights, in runs of which every phase has equally many.
    std::vector<PhasedRun> phased_runs(std::int64_t output_extent) const;
};

/// The rules of the three axes, for the forward direction or for the data gradient.
std::array<AxisRule, 3> axis_rules(const ConvGeometry& geometry, bool data_gradient);

}  // namespace plumecast::cpu
