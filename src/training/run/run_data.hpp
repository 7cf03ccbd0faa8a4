#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/training_observer.hpp>

#include "inference/rank_shard.hpp"
#include "inference/stream/case_set.hpp"
#include "inference/stream/case_stream.hpp"
#include "reservoir/metrics/trust/training_cloud.hpp"

namespace plumecast {

struct Augmentation;

/// A data set that a run reads, and what this rank does of the work on its cases.
struct RunSet {
    Dataset data;
    std::vector<std::int64_t> cases;
    RankShard share;
    std::shared_ptr<CasePhysics> physics = nullptr;  ///< of a guided network, once it is computed

    Shape extents() const { return data.space().append(data.snapshots()); }
};

/// What a run records of the inputs that it learns from.
struct InputRecord {
    InputRanges ranges;
    TrainingCloud cloud;
};

/// All cases of some batches.
std::int64_t cases_of(std::span<const SetCases> batches);

/// What a run learns from and is judged by: data sets of one or several grids, of which every batch has one.
class RunData {
   public:
    /// Opens the files. The network must outlive this. Throws IoError and InvalidData, also for a data set without
    /// outputs, and InvalidInput for grids of another kind than the network's.
    RunData(const Recipe& recipe, const FieldNetwork& network);

    /// Checks the files as `plumecast validate` does, and tells values that look wrong. Throws InvalidData.
    void require_valid(TrainingObserver& observer) const;

    const std::deque<RunSet>& train() const { return train_; }
    bool has_validation() const { return !validation_.empty(); }
    /// What of the run's work is the same for all its data sets.
    const RankShard& share() const { return train_.front().share; }
    /// Cases and batches of an epoch.
    std::int64_t cases() const;
    std::int64_t batches() const;

    /// Computes or reads the physics of all cases, for a guided network, and leaves out those that cannot be computed.
    /// All ranks do this together. Throws Interrupted when the observer asks to stop, and InvalidData where no case is
    /// left.
    void prepare_physics(TrainingObserver& observer);
    /// The batches of an epoch: the cases of each data set shuffled, then, of several, the batches.
    std::vector<SetCases> epoch(int epoch) const;
    /// Starts the stream of all data sets to learn from on some batches of an epoch, after prepare_physics().
    CaseStream& stream(std::span<const SetCases> batches, int epoch);
    /// 1 / distance of cells, as LossTarget takes it, in a data set to learn from.
    std::vector<ConstView> inverse_distances(std::size_t set) const { return views_of(distances_[set]); }

    /// Over all validation cases, one data set after the other. Throws Interrupted when stop_requested says so.
    Evaluation validate(const std::function<bool()>& stop_requested) const;

    /// Ranges of all cases to learn from, and where those of finite inputs lie; reads each case once. Throws
    /// InvalidData.
    InputRecord inputs() const;
    /// Rehearses a step on each grid to learn from; the most that is held.
    MemoryPlan plan(const ProcessGrid* grid) const;

   private:
    Recipe recipe_;
    const FieldNetwork* network_;
    std::deque<RunSet> train_, validation_;  // the stream refers to their members
    std::vector<std::vector<Tensor>> distances_;
    std::shared_ptr<Augmentation> augmentation_;  // nothing where cases stay as they are
    std::deque<CaseSet> learned_;                 // of train_, which they refer to
    std::optional<CaseStream> stream_;
};

}  // namespace plumecast
