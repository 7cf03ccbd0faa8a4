#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/verbs.hpp>
#include <plumecast/core/tensor.hpp>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/filtering.hpp"
#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/conv/tile_lines.hpp"

namespace plumecast::cpu {

/// The results of a convolution that share their weights along axes 1 and 2, computed in tiles by minimal filtering.
class Tiles {
   public:
    /// Which results, and what they meet along every axis; both runs of the first axes have filtering.kernel weights.
    struct Runs {
        RowRun axis_1, axis_2;
        std::vector<RowRun> axis_3;
    };

    /// Everything referred to must outlive the tiles. `scatters` says how the weight is laid out, as in AxisRule.
    Tiles(const ConvKernels& kernels, const Filtering& filtering, int threads, MemoryResource& memory, const Runs& runs,
          std::span<const ConstView> inputs, ConstView weight, bool scatters);

    /// Result channels [channel, channel + target channels) of the weight; f as in ConvRows.
    void add(const Target& target, std::int64_t channel, ConstView bias, double slope);
    void run();

   private:
    class Worker;

    /// A panel of result channels, its transformed weights, and where it goes.
    struct Job {
        Panel panel;
        Target target;
        const float* weights;  ///< [places, places, weights along axis 3 of all runs, depth, panel width]
        const float* bias;     ///< or nullptr
        std::int64_t column;   ///< first of the panel in a row of products
        float slope;
    };

    void lay_out();
    void transform_weights(const Panel& panel, std::int64_t channel, float* to) const;
    std::int64_t tiles(const RowRun& run) const { return (run.rows + filtering_->tile - 1) / filtering_->tile; }

    const ConvKernels* kernels_;
    const Filtering* filtering_;
    int threads_;
    MemoryResource* memory_;
    Runs runs_;
    std::span<const ConstView> inputs_;
    ConstView weight_;
    bool scatters_;
    TileLines::Layout layout_;
    std::vector<std::int64_t> taps_;  ///< weights along axis 3, run by run
    std::int64_t rows_ = 0;           ///< results along axis 3
    std::int64_t width_ = 0;          ///< floats of a row of products
    std::vector<Job> jobs_;
    std::vector<Tensor> held_;
};

}  // namespace plumecast::cpu
