#pragma once

#include <cstddef>
#include <vector>

namespace plumecast {

/// What a cell of an axis shares with an interval.
struct Piece {
    std::size_t cell;
    double begin;
    double end;

    double length() const { return end - begin; }
};

/// The pieces of the cells between `edges` that lie in an interval, in their order; none thinner than 1e-9 of it, so
/// that edges that agree up to rounding leave no sliver between them.
std::vector<Piece> pieces(const std::vector<double>& edges, double begin, double end);

}  // namespace plumecast
