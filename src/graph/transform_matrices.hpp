#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/graph/graph.hpp>
#include "spectral/modes.hpp"

namespace plumecast {

/// The entries of axes that are transformed, those of modes above 0: of extents, or of the modes themselves.
Shape of_transformed(const Shape& extents, const std::vector<std::int64_t>& modes);
std::vector<std::int64_t> of_transformed(const std::vector<std::int64_t>& modes);

/// Throws InvalidInput unless a grid of cells [space..., T] holds such modes.
void check_modes(const Shape& extents, const std::vector<std::int64_t>& modes);

/// Modes of both signs of the axes of space, all of which are transformed.
Shape both_signs(const std::vector<std::int64_t>& modes);

/// [2 m..., mt, 2, inputs, outputs], of the axes that are transformed.
Shape spectral_weight_shape(const std::vector<std::int64_t>& modes, std::int64_t inputs, std::int64_t outputs);

/// Rows, or columns, [low, high) of a constant matrix, as a constant whose name ends with `suffix`; itself where these
/// are all.
Value part_of_matrix(const Value& matrix, bool rows, std::int64_t low, std::int64_t high, const std::string& suffix);

/// The matrices of truncated transforms of one grid, as constants of a graph, which outlives this.
class TransformMatrices {
   public:
    TransformMatrices(Graph& graph, const Shape& extents, const std::vector<std::int64_t>& modes);

    int axes() const { return static_cast<int>(space_.size()); }
    /// Of an axis of space [2 (m + 1), cells], and back.
    Value forward(int axis) const;
    Value inverse(int axis) const;
    /// Of time [2 mt, cells], and back.
    Value forward_time() const;
    Value inverse_time() const;
    /// An axis of space of a spectrum, which stands at `at`, from sums to signed modes, or back.
    Value combined_signs(const Value& x, int axis, int at, bool back) const;

   private:
    Graph* graph_;
    std::vector<SpaceModes> space_;
    TimeModes time_;
    double scale_;
};

}  // namespace plumecast
