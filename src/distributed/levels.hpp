#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "distributed/conv_halo.hpp"

namespace plumecast {

/// Where the fields of a network lie: on the grid, level 0, or on a level of half as many cells per axis as the one
/// before: which rank holds what.
class Levels {
   public:
    /// Ranks that hold the fields in boxes; a coarse cell belongs to the rank that holds its centre.
    explicit Levels(const Partition& finest);

    /// Throws Error beyond three halvings.
    const Partition& at(int level) const;
    /// What a convolution from one level to another needs of neighbours; kept for the next one of its geometry.
    ConvHalo& halo(const ConvGeometry& geometry, int from, int to);

   private:
    std::vector<Partition> partitions_;
    std::map<std::string, std::unique_ptr<ConvHalo>> halos_;
};

}  // namespace plumecast
