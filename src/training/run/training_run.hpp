#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <plumecast/training/optimizer.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/training_observer.hpp>

#include "core/clock.hpp"
#include "reservoir/metrics/trust/trust_record.hpp"
#include "training/loss_queue.hpp"
#include "training/run/averaged_weights.hpp"
#include "training/run/run_data.hpp"
#include "training/run/run_folder.hpp"
#include "training/training_pass.hpp"
#include "training/training_state.hpp"

namespace plumecast {

/// A training run of one network: its folder, data, weights, optimizer and state.
class TrainingRun {
   public:
    /// As Trainer().
    TrainingRun(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid);
    /// As those of Trainer.
    void resume();
    bool has_checkpoint() const;
    TrainingOutcome run();
    FieldNetwork& network() { return network_; }
    /// Lets other runs have the folder.
    void leave_folder() { lock_.reset(); }

   private:
    enum class EpochEnd { complete, interrupted };

    std::string checkpoint() const { return recipe_.output + "/checkpoint"; }
    static Schedule schedule_of(const Recipe& recipe, const RunData& data);
    void start();
    void prepare_physics();
    void judge_start();
    EpochEnd train_epoch();
    void step(std::span<const SetCases> batches, CaseStream& stream);
    void start_batch(const SetCases& batch, const Batch& loaded, std::int64_t cases_of_step, bool is_last);
    void account_for(const std::optional<LossQueue::Read>& loss);
    void account_for_all();
    void require_finite(double loss, const std::string& what, std::int64_t step) const;
    void tell_progress(double loss);
    Evaluation validate();
    EpochReport finish_epoch();
    EpochReport judge_epoch();
    bool has_waited_enough() const;
    bool improve(int epoch, double loss);
    void keep_as_best(const EpochReport& report) const;
    void write_checkpoint();

    Recipe recipe_;
    Backend& backend_;
    TrainingObserver& observer_;
    const ProcessGrid* grid_;
    FieldNetwork network_;
    RunData data_;
    const RankShard& share_;  // of the first data set, for what all of them have in common
    TrainingPass pass_;
    Adam adam_;
    std::optional<AveragedWeights> average_;
    Schedule schedule_;
    TrainingState state_;
    InputRanges ranges_;
    TrustRecord trust_;
    LossQueue losses_;
    bool is_resumed_ = false;
    std::int64_t seen_ = 0;  // cases since epoch_start_
    Clock::time_point epoch_start_, last_checkpoint_;
    std::unique_ptr<FolderLock> lock_;  // of the first rank
};

}  // namespace plumecast
