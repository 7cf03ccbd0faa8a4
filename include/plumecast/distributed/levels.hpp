#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/distributed/conv_halo.hpp>

namespace plumecast {

/// Where the fields of a network lie: on the grid, level 0, or on a level of half as many cells per axis as the one
/// before. When ranks share the fields, it knows who holds what; otherwise it knows nothing, and layers compute whole
/// fields.
class Levels {
   public:
    /// One rank alone.
    Levels() = default;
    /// Ranks that hold the fields in boxes; a coarse cell belongs to the rank that holds its centre.
    explicit Levels(const Partition& finest);

    bool is_shared() const { return !partitions_.empty(); }
    /// Throws Error beyond three halvings.
    const Partition& at(int level) const;
    /// What a convolution from one level to another needs of neighbours; kept for the next layer of its geometry.
    const ConvHalo& halo(const ConvGeometry& geometry, int from, int to) const;

   private:
    std::vector<Partition> partitions_;
    mutable std::map<std::string, std::unique_ptr<const ConvHalo>> halos_;
};

/// The levels of a layer's input and output.
struct LevelChange {
    const Levels* levels = nullptr;
    int from = 0, to = 0;

    bool is_shared() const { return levels != nullptr && levels->is_shared(); }
};

}  // namespace plumecast
