#pragma once

#include <memory>

#include <plumecast/core/box.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

namespace plumecast {

/// Boxes of the space axes that one of several ranks works on.
struct CaseBoxes {
    Box inputs;   ///< cells of the input channels
    Box targets;  ///< cells of targets and `active`
    Box local;  ///< those of them that count, and those of the physics; in the others, which a stencil reads, `active`
                ///< becomes 0
};

/// The boxes of another source's batches, whole cases named in Batch::extents. A compressed file stores a case in one
/// piece, which is read whole and cut in host memory: one case after the other, of which only the boxes are kept.
std::unique_ptr<BatchSource> box_source(std::unique_ptr<BatchSource> whole, const CaseBoxes& boxes);

/// The elements of a float32 or float64 host array in a box of its first axes; the others stay whole.
Tensor box_of(ConstView host, const Box& box);

}  // namespace plumecast
