#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/prediction/physical_values.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/correction_transfer.hpp"

namespace plumecast {

/// The cases of a data set whose grid or times a network does not know, brought onto those it knows; and the way back
/// for what it says. Physics that it corrects stays that of the data set's own grid and times.
class Regrid {
   public:
    /// `model_grid`: grid and times of the network's training. The data set must outlive this. With `failures`, cases
    /// that cannot be computed are added to them and are NaN. Throws what regridded() throws.
    Regrid(const Dataset& dataset, const GridAndTimes& model_grid, std::shared_ptr<CaseFailures> failures = nullptr);

    /// The cases on the network's grid at its times, without outputs.
    const Dataset& cases() const { return cases_; }

    /// Batches on the grid of the data set, with what joined() and errors read, and `physics_fields` as Batch says.
    std::unique_ptr<BatchSource> source(const NetworkDescription& description, Targets targets,
                                        std::shared_ptr<CasePhysics> physics,
                                        std::vector<std::string> physics_fields = {}) const;

    /// Normalised fields [B, Z, R, T, F] on the grid of the data set: its physics, if there is any, and what the
    /// network says brought over. `batch` from source(); `values` [B, Z, R, T] of the same cases, by field, as
    /// physical_part() makes them, and `active` [B, Z, R] are on the network's grid. What fills pores keeps its volume.
    /// A field without a base is NaN beyond the network's grid and times.
    Tensor joined(const NetworkDescription& description, const Batch& batch, std::span<const Tensor> values,
                  const Tensor& active) const;

    /// The adjoint of what joined() does to the values of a network, where both grids have the same cells: of
    /// cotangents [B, Z, R, T, F] at the times of the data set, those at the network's.
    Tensor taken_back(const Tensor& cotangents) const;

   private:
    std::vector<float> brought(const Field& field, std::span<const float> values, std::span<const float> active,
                               const PoreSpace& pores) const;
    void leave_out_unknown(std::vector<float>& values) const;

    bool has_failed(std::int64_t which, const Tensor& part, std::size_t n) const;

    std::shared_ptr<CaseFailures> failures_;
    const Dataset* dataset_;
    Dataset cases_;
    CorrectionTransfer transfer_;
    std::vector<char> unknown_;  // [space..., T] of the data set's grid; empty where everything is known
};

/// A field as the values of joined() are to be limited: one without a base is already, as its volume is kept.
Field as_joined(const Field& field);

/// What a network says of a field in physical units [B, Z, R, T], of its normalised values for a batch: what it adds to
/// the base or, without one, all of it, limited and cut off unless that is left out.
Tensor physical_part(const Tensor& values, std::size_t field, const Field& described, const Batch& batch,
                     Limits limiting = Limits::apply);

}  // namespace plumecast
