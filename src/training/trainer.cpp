#include <plumecast/training/trainer.hpp>

#include <utility>
#include <vector>

#include "io/atomic_file.hpp"
#include "training/run/members.hpp"
#include "training/run/run_folder.hpp"
#include "training/run/training_run.hpp"

namespace plumecast {

/// What a run of several members is made of.
class Trainer::Members {
   public:
    Members(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid)
        : whole_(std::move(recipe)),
          runs_(member_recipes(whole_)),
          backend_(backend),
          observer_(observer),
          grid_(grid) {
        if (is_first()) {
            lock_ = open_run_folder(whole_);
        }
    }

    std::size_t count() const { return runs_.size(); }
    std::unique_ptr<TrainingRun> start(std::size_t which) const {
        observer_.message(Severity::info, "member " + std::to_string(which + 1) + " of " + std::to_string(count()) +
                                              ", seed " + std::to_string(runs_[which].seed));
        return std::make_unique<TrainingRun>(runs_[which], backend_, observer_, grid_);
    }
    void record() const {
        if (is_first()) {
            write_text_atomically(whole_.output + "/recipe.json",
                                  whole_.seen_from(whole_.output).to_json().dump() + "\n");
        }
    }
    void join() const { join_members(whole_, backend_, grid_); }
    void leave_folder() { lock_.reset(); }

    bool resumes = false;

   private:
    bool is_first() const { return grid_ == nullptr || grid_->world().rank() == 0; }

    Recipe whole_;
    std::vector<Recipe> runs_;
    Backend& backend_;
    TrainingObserver& observer_;
    const ProcessGrid* grid_;
    std::unique_ptr<FolderLock> lock_;
};

Trainer::Trainer(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid) {
    if (recipe.members > 1) {
        members_ = std::make_unique<Members>(std::move(recipe), backend, observer, grid);
        run_ = members_->start(0);
    } else {
        run_ = std::make_unique<TrainingRun>(std::move(recipe), backend, observer, grid);
    }
}
Trainer::~Trainer() = default;
void Trainer::resume() {
    run_->resume();
    if (members_) {
        members_->resumes = true;
    }
}
bool Trainer::has_checkpoint() const { return run_->has_checkpoint(); }
TrainingOutcome Trainer::run() {
    const TrainingOutcome outcome = members_ ? run_members() : run_->run();
    run_->leave_folder();
    return outcome;
}

TrainingOutcome Trainer::run_members() {
    members_->record();
    TrainingOutcome outcome = TrainingOutcome::finished;
    for (std::size_t which = 0; which < members_->count(); ++which) {
        if (which > 0) {
            run_.reset();  // before there is memory for another
            run_ = members_->start(which);
            if (run_->has_checkpoint()) {
                if (!members_->resumes) {
                    throw InvalidInput(
                        "a member of the run has a checkpoint already (it would be overwritten); resume "
                        "the run, or choose another folder");
                }
                run_->resume();
            }
        }
        const TrainingOutcome own = run_->run();
        if (own == TrainingOutcome::interrupted) {
            return own;
        }
        outcome = own == TrainingOutcome::stopped_early ? own : outcome;
    }
    members_->join();
    members_->leave_folder();
    return outcome;
}

FieldNetwork& Trainer::network() { return run_->network(); }

}  // namespace plumecast
