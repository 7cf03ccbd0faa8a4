#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/ops.hpp>
#include <plumecast/core/tensor.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/tile_lines.hpp"
#include "backend/cpu/conv/tile_plan.hpp"
#include "backend/cpu/scratch_memory.hpp"

namespace plumecast::cpu {

/// The results of a convolution that share their weights along axes 1 and 2, computed in tiles by Winograd convolution.
/// Products have the points of a line side by side in vectors, so that no number of channels leaves lanes idle.
class Tiles {
   public:
    /// What the tiles are computed with.
    struct Resources {
        const ConvKernels* kernels;
        int threads;
        ScratchMemory scratch;
    };
    /// What the tiles are computed from; `scatters` says how the weight is laid out, as in AxisRule.
    struct Operands {
        std::span<const ConstView> inputs;
        ConstView weight;
        bool scatters;
    };
    /// The results of plan.axis_1[run_1], plan.axis_2[run_2]. Everything referred to must outlive the tiles.
    Tiles(const Resources& with, const TilePlan& plan, std::size_t run_1, std::size_t run_2, const Operands& of);

    /// The next channels of the weight's outputs; f as in ConvRows.
    void add(const OutputRef& target, ConstView bias, float slope);
    void run();

   private:
    class Worker;

    struct Result {
        OutputRef target;
        std::int64_t channel;  ///< of the weight's outputs, that of the target's channel 0
        const float* bias;     ///< or nullptr
        float slope;
    };

    /// Results [first, first + rows) that one product computes together.
    struct Block {
        std::int64_t first, rows;
    };

    void lay_out();
    std::int64_t run_vectors(const RowRun& run) const { return (run.rows + kernels_->lanes - 1) / kernels_->lanes; }
    std::vector<Block> blocks() const;
    std::int64_t group() const;
    void transform_weights(float* to) const;
    void transform_lines(std::int64_t first, std::int64_t count, const Block& block, float* to) const;
    void gather_weights(std::int64_t first, std::int64_t count, const Block& block, float* kernel) const;

    const ConvKernels* kernels_;
    int threads_;
    ScratchMemory scratch_;
    const WinogradTransform* filter_1_;
    const WinogradTransform* filter_2_;
    PhasedRun axis_1_, axis_2_;
    std::span<const RowRun> axis_3_;
    ConstView weight_;
    bool scatters_;
    std::int64_t batch_;
    TileLines::Layout layout_;
    std::vector<std::int64_t> taps_;  ///< weights along axis 3, run by run
    std::int64_t inputs_ = 0;         ///< channels of a phase
    std::int64_t depth_ = 0;          ///< channels of all phases
    std::int64_t pitch_x_ =
        0;  ///< floats of a channel of a tile at a transformed point: the points of a line, phase by phase
    std::int64_t pitch_y_ = 0;        ///< the same of results: run by run whole vectors
    std::int64_t channels_ = 0;       ///< of all results
    const float* weights_ = nullptr;  ///< [point, point, blocks: taps, depth, rows]
    std::vector<Result> results_;
};

}  // namespace plumecast::cpu
