#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/filtering.hpp"
#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/conv/tile_lines.hpp"

namespace plumecast::cpu {

/// The gradient of a convolution's weight [C, k1, k2, k3, A] in tiles: where results come from G kernel G^T, the
/// kernel's gradient is G^T (sums over tiles of inputs times results' gradients, both transformed) G.
class TileGradient {
   public:
    /// What results meet along every axis, one run each, filtering.kernel weights along the first two. Everything
    /// referred to must outlive the object.
    TileGradient(const ConvKernels& kernels, const Filtering& filtering, const RowRun& axis_1, const RowRun& axis_2,
                 const RowRun& axis_3, std::span<const ConstView> inputs, ConstView gradient_y);

    std::int64_t tiles() const { return gradient_.shape[0] * tiles_1_ * tiles_2_; }
    /// Floats of the sums, [panels: place, taps along axis 3, A, panel width].
    std::int64_t sums() const { return filtering_->places * filtering_->places * taps() * layout_.depth * width_; }
    /// Floats of working memory for one piece.
    std::int64_t scratch() const;

    /// Sums over tiles [begin, end); overwrites `sums`.
    void piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const;
    /// w = beta w + the pieces in order, for results' channels [begin, end).
    void merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, Target w) const;

   private:
    std::int64_t taps() const { return static_cast<std::int64_t>(axis_3_.weights.size()); }
    std::int64_t result_line() const { return gradient_.shape[3] * width_; }
    void transform_results(std::int64_t batch, std::int64_t i, std::int64_t j, float* halves) const;
    void add_products(const float* point, const float* results, std::int64_t place, float* sums) const;

    const ConvKernels* kernels_;
    const Filtering* filtering_;
    RowRun axis_1_, axis_2_, axis_3_;
    std::span<const ConstView> inputs_;
    ConstView gradient_;
    TileLines::Layout layout_;
    std::vector<Panel> cut_;
    std::int64_t width_;
    std::int64_t tiles_1_, tiles_2_;
};

}  // namespace plumecast::cpu
