#pragma once

#include <cstddef>
#include <vector>

namespace plumecast {

/// A value between those of two neighbours on an axis: weight * ((1 - share) * low's + share * high's).
struct Stencil {
    std::size_t low = 0;
    std::size_t high = 0;
    double share = 0.0;
    double weight = 1.0;
};

/// How an axis is measured: as it is, or by the logarithm.
enum class AxisScale { linear, log };

/// Linear interpolation, on the scale, from the centres of the cells between edges to those of other cells; constant
/// from the outermost centres to the edges, and weight 0 for centres beyond the last edge.
std::vector<Stencil> cell_stencils(const std::vector<double>& from, const std::vector<double>& to, AxisScale scale);

/// Linear interpolation from the centres of the cells between edges to places; constant from the outermost centres to
/// the edges, and weight 0 beyond those.
std::vector<Stencil> place_stencils(const std::vector<double>& from, const std::vector<double>& places);

/// Interpolation from some times to others, linear in log time; before the first time the value falls linearly to 0 at
/// time 0, after the last one it stays.
std::vector<Stencil> time_stencils(const std::vector<double>& from, const std::vector<double>& to);

}  // namespace plumecast
