#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/batches/prefetcher.hpp>

#include "inference/guided/other_grid.hpp"
#include "inference/guided/stored_physics.hpp"

namespace plumecast {

enum class Beyond;

/// Grid and times of a bundle's training; nothing where it does not record them. Throws InvalidModel for a damaged
/// record.
std::optional<GridAndTimes> recorded_grid(const Bundle& bundle);

/// Whether the grid or the times of a data set are not those of the training, and its cases are to be brought onto
/// those. Says so in the log, and warns of what that cannot make up for, of a model that does not say what it was
/// trained for, and of cells with volumes of their own, which cannot be brought over. Throws InvalidData for a grid of
/// the other kind and, where a network predicts whole fields, for what lies `beyond` the training, if that is refused.
bool needs_own_grid(const Bundle& bundle, const Dataset& dataset, Beyond beyond, const LogSink& log);

/// The way of a network's results from its own grid to that of a data set. Nothing but is_needed() where there is none.
class WayBack {
   public:
    WayBack() = default;
    /// `source` of OtherGrid, on the rank that writes; nullptr elsewhere. `grid` and network must outlive this.
    WayBack(const OtherGrid& grid, const NetworkDescription& description, std::unique_ptr<BatchSource> source,
            Limits limits);

    bool is_needed() const { return grid_ != nullptr; }
    /// Starts loading the batches that the results belong to.
    void start(const std::vector<std::vector<std::int64_t>>& batches);
    /// Makes of the normalised values of a batch, of this rank's shard, those of the next of the batches of start(),
    /// and of the batch that one, on the rank that writes; elsewhere both become empty. All ranks do this together.
    /// `count` cases of all groups.
    void bring(Tensor& values, Batch& batch, std::int64_t count, RankShard& share);

   private:
    const OtherGrid* grid_ = nullptr;
    const NetworkDescription* description_ = nullptr;
    std::unique_ptr<BatchSource> source_;
    std::unique_ptr<Prefetcher> ahead_;
    Limits limits_ = Limits::apply;
};

/// The cases of a data set on the grid of a bundle, and their physics there.
class CasesOnOwnGrid {
   public:
    /// Both must outlive this. Of the physics at most so many bytes are kept, where networks share it; `failures` takes
    /// the cases that cannot be computed.
    CasesOnOwnGrid(const Dataset& dataset, const Bundle& bundle, std::size_t physics_bytes,
                   std::shared_ptr<CaseFailures> failures);

    std::unique_ptr<BatchSource> source(const NetworkDescription& description) const;
    /// `physics` of the data set, fields of which are `carried` as Batch says; `is_first`: on the rank that writes.
    WayBack way_back(const NetworkDescription& description, std::shared_ptr<CasePhysics> physics, bool is_first,
                     std::vector<std::string> carried, Limits limits) const;
    const BundlePhysics& physics() const { return physics_; }

   private:
    std::shared_ptr<CaseFailures> failures_;
    OtherGrid grid_;
    BundlePhysics physics_;
};

}  // namespace plumecast
