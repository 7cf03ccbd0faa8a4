#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <plumecast/data/regridding/grid_and_times.hpp>
#include <plumecast/training/guided_cases.hpp>

#include "training/guided/correction_transfer.hpp"

namespace plumecast {

/// The cases of a data set whose grid or times a guided network does not know, brought onto those it knows; and the way
/// back for its corrections. The physics stays that of the data set's own grid and times.
class OtherGrid {
   public:
    /// `own`: grid and times of the network's training. The data set must outlive this. Throws what regridded() throws.
    OtherGrid(const Dataset& dataset, const GridAndTimes& own);

    /// The cases on the network's grid at its times, without outputs.
    const Dataset& cases() const { return cases_; }

    /// Batches on the grid of the data set, with what joined() and errors read; fields of the physics are `carried` as
    /// Batch says.
    std::unique_ptr<BatchSource> source(const NetworkDescription& description, Targets targets,
                                        std::shared_ptr<const CasePhysics> physics,
                                        std::vector<std::string> carried = {}) const;

    /// Normalised fields [B, Z, R, T, F] on the grid of the data set: its physics, and the corrections brought over.
    /// `batch` from source(); `corrections` [B, Z, R, T] of the same cases in physical units, by field, and `active`
    /// [B, Z, R] are on the network's grid.
    Tensor joined(const NetworkDescription& description, const Batch& batch, std::span<const Tensor> corrections,
                  const Tensor& active) const;

   private:
    const Dataset* users_;
    Dataset cases_;
    CorrectionTransfer transfer_;
};

/// What a network adds to the physics in physical units [B, Z, R, T], of its normalised values for a batch; all of a
/// field without a base, but for the offset.
Tensor physical_correction(const Tensor& values, std::size_t field, const Batch& batch);

}  // namespace plumecast
