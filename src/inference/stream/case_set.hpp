#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/regrid.hpp"
#include "inference/guided/stored_physics.hpp"

namespace plumecast {

/// Cases as networks take them, with their reduced physics: on the grid of the data set (the case grid) and, where the
/// networks know another one (the model grid), regridded to that.
class CaseSet {
   public:
    /// A file of ready-made channels.
    explicit CaseSet(std::string channel_file);
    /// A data set, which must outlive this, for some networks, which know `model_grid` where that is given. Computes no
    /// physics yet. With `options.failures`, cases that cannot be computed are added to them. Throws what regridded()
    /// throws.
    CaseSet(const Dataset& dataset, std::span<const NetworkDescription* const> networks, PhysicsOptions options,
            const std::optional<GridAndTimes>& model_grid = std::nullopt, KeptCases kept = KeptCases::shared);
    /// The same for one network whose physics is there; nullptr for one without.
    CaseSet(const Dataset& dataset, const NetworkDescription& network, std::shared_ptr<CasePhysics> physics,
            std::shared_ptr<CaseFailures> failures = nullptr,
            const std::optional<GridAndTimes>& model_grid = std::nullopt);

    /// From one grid to the other and back; nullptr where the networks know the case grid.
    const Regrid* regrid() const { return model_ ? &model_->regrid : nullptr; }
    /// Of the data set, on the case grid.
    const BundlePhysics& physics() const { return physics_; }
    /// Of the regridded cases; the same where the networks know the case grid.
    const BundlePhysics& model_physics() const { return model_ ? model_->physics : physics_; }
    /// nullptr for ready-made channels.
    const Dataset* dataset() const { return dataset_; }

    /// Batches for a network, on the model grid; `targets` and `physics_fields` where that is the case grid too.
    /// Throws what dataset_source() throws.
    std::unique_ptr<BatchSource> for_network(const NetworkDescription& description, Targets targets,
                                             const std::vector<std::string>& physics_fields, DType type) const;
    /// The batches that its fields belong to, on the case grid. Only of regridded cases.
    std::unique_ptr<BatchSource> on_case_grid(const NetworkDescription& description, Targets targets,
                                              const std::vector<std::string>& physics_fields) const;

    /// Of consecutive cases, those that networks go through one after the other with the physics that they share kept.
    std::int64_t cases_at_once(std::int64_t all) const;
    /// Lets go of physics that is kept.
    void forget() const;

   private:
    void regrid_to(const GridAndTimes& model_grid, std::span<const NetworkDescription* const> networks,
                   PhysicsOptions options, KeptCases kept = KeptCases::shared);

    struct OnModelGrid {
        Regrid regrid;
        BundlePhysics physics;
    };

    std::string channel_file_;
    const Dataset* dataset_ = nullptr;
    BundlePhysics physics_;
    std::shared_ptr<CaseFailures> failures_;
    std::unique_ptr<OnModelGrid> model_;  // the physics refers to the regridded cases
};

}  // namespace plumecast
