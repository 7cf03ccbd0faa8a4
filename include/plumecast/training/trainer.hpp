#pragma once

#include <memory>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/training_observer.hpp>

namespace plumecast {

class TrainingRun;

/// Trains one network as a recipe says. The run's folder holds `checkpoint` (a bundle plus optimizer and state), `best`
/// (the bundle of the lowest validation loss), `metrics.csv`, `metrics.jsonl` and `recipe.json`. Same recipe, same
/// number of threads, same process grid: same bits, however often the run is interrupted and resumed. A checkpoint
/// holds whole arrays, so that a run can be resumed on any other grid. A recipe of several members trains one network
/// after the other, each in a folder of its own (`members/0` ...) with what a run's folder holds, and joins their best
/// ones into `best`.
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
    /// True when the run's folder, or that of its first member, holds a checkpoint.
    bool has_checkpoint() const;
    /// Trains until the epochs are done, early stopping applies, or the observer asks to stop; a checkpoint is then on
    /// the disk, and the folder is free for another run. Throws Error when the loss is no longer a number.
    TrainingOutcome run();

    FieldNetwork& network();

   private:
    class Members;
    TrainingOutcome run_members();
    std::unique_ptr<TrainingRun> run_;  // the only one, or that of the member whose turn it is
    std::unique_ptr<Members> members_;
};

}  // namespace plumecast
