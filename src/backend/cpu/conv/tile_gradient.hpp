#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/ops.hpp>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/tile_lines.hpp"
#include "backend/cpu/conv/tile_plan.hpp"

namespace plumecast::cpu {

/// The gradient of a convolution's weight [N, k1, k2, k3, W] in tiles: where results come from G kernel G^T, the
/// kernel's gradient is G^T (sums over tiles of inputs times results' gradients, both transformed) G. Of the two grids
/// `wide` (W channels) is the one a weight is shifted over, the input of a convolution and the result of a transposed
/// one; `narrow` (N channels) is the other. Vectors hold taps and channels of the wide grid.
class TileGradient {
   public:
    /// Everything referred to must outlive the object.
    TileGradient(const ConvKernels& kernels, const TilePlan& plan, std::span<const ConstView> wide,
                 std::span<const ConstView> narrow);

    /// Groups of neighbouring tiles, the unit that pieces are made of.
    std::int64_t groups() const { return batch_ * tiles_1_ * groups_2_; }
    /// Floats of the sums, [point, point, wide fields, narrow fields, panels: N, panel width].
    std::int64_t sums() const { return filter_1_->points * filter_2_->points * columns_ * rows_; }
    /// Floats of working memory for one piece.
    std::int64_t scratch() const;

    /// Sums over groups [begin, end); overwrites `sums`.
    void piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const;
    /// w = beta w + the pieces in order, for narrow channels [begin, end).
    void merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, OutputRef w) const;

   private:
    struct Wide {
        std::size_t phase_1, phase_2;
        std::int64_t channel;  ///< first of the field among the wide ones
        std::int64_t channels;
        std::int64_t column;   ///< its first in the sums
        std::int64_t columns;  ///< in whole vectors
        std::vector<Panel> panels;
    };
    struct Narrow {
        ConstView view;
        std::int64_t channel;
        std::int64_t offset;  ///< floats of a line of the fields before it
    };
    struct Scratch {
        TileLines lines;
        float* halves;   ///< [point along axis 1, tile, tile column, line] of results
        float* results;  ///< [point along axis 2, tile, line]
        float* zeros;
    };

    void transform_results(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count,
                           const Scratch& use) const;
    void add_products(std::int64_t point_1, std::int64_t count, const Scratch& use, float* sums) const;
    void add_products(const Wide& wide, std::size_t field, std::int64_t point_2, std::int64_t count, const Scratch& use,
                      float* sums) const;
    void merge_panel(const Wide& wide, const Panel& panel, std::int64_t channel, const float* sums, std::int64_t pieces,
                     OutputRef w) const;

    const ConvKernels* kernels_;
    const WinogradTransform* filter_1_;
    const WinogradTransform* filter_2_;
    const PhasedRun* axis_1_;
    const PhasedRun* axis_2_;
    const RowRun* axis_3_;
    TileLines::Layout layout_;
    std::vector<Wide> wide_;
    std::vector<Narrow> narrow_;
    std::int64_t batch_, weights_3_;
    std::int64_t columns_ = 0, rows_ = 0;  ///< of the sums of a point: of all wide and of all narrow fields
    std::int64_t line_ = 0;                ///< floats of the lines of all narrow fields
    std::int64_t tiles_1_, tiles_2_, groups_2_ = 0;
};

}  // namespace plumecast::cpu
