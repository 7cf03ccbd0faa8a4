#pragma once

#include <map>
#include <vector>

#include <plumecast/graph/graph.hpp>

#include "distributed/levels.hpp"

namespace plumecast {

/// The neighbours' cells that the convolutions of a graph need, fetched once for each field: one message per neighbour,
/// with the cells of all convolutions that read it.
class FieldHalos {
   public:
    /// A graph of the whole grid; both must outlive this.
    FieldHalos(const Graph& whole, Levels& levels);

    /// The level of a convolution's result.
    static int level_after(const ConvGeometry& geometry, int level);
    /// What a convolution of fields on a level needs.
    ConvHalo& halo(const ConvGeometry& geometry, int level);
    /// The cells of a field that a convolution needs, of those that this rank holds. `field` and `conv` are their nodes
    /// in the whole graph. Collective for the first convolution of a field.
    Value around(int field, int conv, const Value& held, int level);

   private:
    struct Fetched {
        Value cells;
        Box box;
    };
    const Fetched& fetched(int field, const Value& held, int level);

    const Graph* whole_;
    Levels* levels_;
    std::map<int, std::vector<int>> convolutions_;  // that read a field
    std::map<int, Fetched> fetched_;
};

}  // namespace plumecast
