#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/training/memory_plan.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/records/epoch_report.hpp>

namespace plumecast {

/// Where a run stands within an epoch.
struct TrainingProgress {
    int epoch = 0, epochs = 0;
    std::int64_t cases_done = 0, cases = 0;
    double loss = 0.0;  ///< of the last batch
    double cases_per_second = 0.0;
    double seconds_left = 0.0;  ///< of the whole run
};

/// Hears of a run and may stop it.
class TrainingObserver {
   public:
    virtual ~TrainingObserver() = default;
    virtual void memory(const MemoryPlan&) {}
    virtual void message(Severity, std::string_view) {}
    /// Cases whose physics was computed, of those that lacked it; may come from another thread, one at a time.
    virtual void physics(std::int64_t /*done*/, std::int64_t /*all*/) {}
    virtual void progress(const TrainingProgress&) {}
    virtual void epoch(const EpochReport&) {}
    /// Asked after every batch, and after every case of physics, from the thread that computed it, one at a time.
    virtual bool stop_requested() { return false; }
};

/// How a run ended.
enum class TrainingOutcome { finished, stopped_early, interrupted };

/// Trains one network as a recipe says. The run's folder holds `checkpoint` (a bundle plus optimizer and state), `best`
/// (the bundle of the lowest validation loss), `metrics.csv`, `metrics.jsonl` and `recipe.json`. Same recipe, same
/// number of threads, same process grid: same bits, however often the run is interrupted and resumed. A checkpoint
/// holds whole arrays, so that a run can be resumed on any other grid.
class Trainer {
   public:
    /// Opens the data, plans the memory and locks the folder of the run, which may hold nothing else. The backend must
    /// outlive the trainer, and so must the grid of the ranks that train together (nullptr for one alone); they make
    /// every call together, the first writes, and a batch is one of the recipe, sharded. Throws InvalidInput,
    /// InvalidData, IoError, or DeviceError when the plan does not fit this machine.
    Trainer(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid = nullptr);
    ~Trainer();

    /// Continues from the run's checkpoint. Throws InvalidModel when there is none or it belongs to another recipe.
    void resume();
    /// True when the run's folder holds a checkpoint.
    bool has_checkpoint() const;
    /// Trains until the epochs are done, early stopping applies, or the observer asks to stop; a checkpoint is then on
    /// the disk, and the folder is free for another run. Throws Error when the loss is no longer a number.
    TrainingOutcome run();

    FieldNetwork& network();

   private:
    class Run;
    std::unique_ptr<Run> run_;
};

}  // namespace plumecast
