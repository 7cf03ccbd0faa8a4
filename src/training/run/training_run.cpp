#include "training/run/training_run.hpp"

#include <cmath>
#include <utility>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/loss.hpp>

#include "inference/field_plan.hpp"
#include "inference/inference_plan.hpp"
#include "io/atomic_file.hpp"
#include "io/text_file.hpp"
#include "training/run/starting_weights.hpp"
#include "training/run_records.hpp"

namespace plumecast {

TrainingRun::TrainingRun(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid)
    : recipe_(std::move(recipe)),
      backend_(backend),
      observer_(observer),
      grid_(grid),
      network_(network_of(recipe_, backend, grid)),
      data_(recipe_, network_),
      share_(data_.share()),
      pass_(network_, recipe_.loss, recipe_.recompute_blocks),
      adam_(network_.parameters(), recipe_.optimizer),
      schedule_(schedule_of(recipe_, data_)),
      losses_(share_.agreed(!backend.shares_host_memory()) ? 1 : 0, share_.groups()) {
    if (share_.is_first()) {
        data_.require_valid(observer);
    }
    const MemoryPlan plan = data_.plan(grid);
    observer_.memory(plan);
    require_memory(plan.training, recipe_.batch_size, backend.capacity_bytes());
    if (recipe_.average_weights > 0.0) {
        average_.emplace(network_.parameters(), recipe_.average_weights);
    }
    if (share_.is_first()) {
        InputRecord inputs = data_.inputs();
        ranges_ = std::move(inputs.ranges);
        trust_.cloud = std::move(inputs.cloud);
        lock_ = open_run_folder(recipe_);
    }
}

Schedule TrainingRun::schedule_of(const Recipe& recipe, const RunData& data) {
    return {recipe.schedule, recipe.epochs, (data.batches() + recipe.accumulate - 1) / recipe.accumulate};
}

bool TrainingRun::has_checkpoint() const { return share_.agreed(share_.is_first() && has_saved_state(checkpoint())); }

void TrainingRun::resume() {
    if (!has_checkpoint()) {
        throw InvalidModel(recipe_.output +
                           ": no checkpoint to resume (the folder has no checkpoint/state.json); "
                           "start without Trainer::resume()");
    }
    const std::string path = checkpoint() + "/state.json";
    state_ = TrainingState::from_text(read_text(path), path, recipe_);
    restore_weights(checkpoint(), network_, grid_);
    adam_.load(checkpoint() + "/optimizer.safetensors", state_.steps);
    if (average_) {
        average_->load(checkpoint() + "/average.safetensors");
    }
    schedule_.restore(state_.schedule, path);
    is_resumed_ = true;
    if (share_.is_first() && !require_same_data(state_.data, recipe_, path)) {
        observer_.message(Severity::warning, path + ": does not tell whether the data is still the same");
    }
}

void TrainingRun::start() {
    if (is_resumed_ || recipe_.weights.empty()) {
        return;
    }
    start_from(recipe_.weights, network_, grid_,
               [this](Severity severity, std::string_view text) { observer_.message(severity, text); });
    if (average_) {
        average_->restart();
    }
}

/// What the run starts from is judged as its epochs will be: it is epoch 0, and the best model until one is better.
void TrainingRun::judge_start() {
    const bool is_known = state_.steps > 0 || !state_.history.empty();
    if (is_known || recipe_.weights.empty() || !data_.has_validation()) {
        return;
    }
    const Evaluation evaluation = validate();
    observer_.message(Severity::info, "before the first step: " + text_of(evaluation));
    if (!std::isfinite(evaluation.loss)) {
        return;  // any epoch is better
    }
    EpochReport report = report_of_start(evaluation, seconds_since(epoch_start_));
    report.best = improve(report.epoch, evaluation.loss);
    state_.history.push_back(report);
    keep_as_best(report);
    write_metrics(recipe_, share_, state_.history);
    epoch_start_ = Clock::now();
    observer_.epoch(report);
}

/// Starts the pass of a batch, whose loss is then among those to be read.
void TrainingRun::start_batch(const SetCases& batch, const Batch& loaded, std::int64_t cases_of_step, bool is_last) {
    const RankShard& share = data_.train()[batch.set].share;
    const LossTarget target{uploaded(backend_, loaded.targets), uploaded(backend_, loaded.active),
                            data_.inverse_distances(batch.set)};
    const auto cases = static_cast<std::int64_t>(batch.cases.size());
    StartedLoss loss = pass_.run(loaded, target, {&share, cases, cases_of_step, is_last});
    losses_.push(std::move(loss), cases, cases_of_step, state_.steps + 1);
}

/// The gradients of all batches add up to that of the mean over their cases. Where losses are read late, a step whose
/// loss is no number moves the weights before that is seen, but nothing is written of them: whoever writes has
/// accounted for all losses.
void TrainingRun::step(std::span<const SetCases> batches, CaseStream& stream) {
    const std::int64_t cases = cases_of(batches);
    std::vector<std::optional<LossQueue::Read>> due;
    for (const SetCases& batch : batches) {
        const std::optional<CaseBatch> loaded = stream.next();
        start_batch(batch, loaded->on_model_grid, cases, &batch == &batches.back());
        due.push_back(losses_.due());
        if (due.back()) {
            require_finite(due.back()->value, "loss", due.back()->step);
        }
    }
    adam_.step(schedule_.rate(state_.steps));
    ++state_.steps;
    if (average_) {
        average_->follow(state_.steps);
    }
    state_.next_batch += static_cast<std::int64_t>(batches.size());
    for (const std::optional<LossQueue::Read>& loss : due) {
        account_for(loss);
    }
}

void TrainingRun::account_for(const std::optional<LossQueue::Read>& loss) {
    if (loss) {
        state_.loss_sum += loss->value * static_cast<double>(loss->cases);
        state_.loss_cases += loss->cases;
        seen_ += loss->cases;
        tell_progress(loss->value);
    }
}

void TrainingRun::account_for_all() {
    while (const std::optional<LossQueue::Read> loss = losses_.oldest()) {
        require_finite(loss->value, "loss", loss->step);
        account_for(loss);
    }
}

void TrainingRun::require_finite(double loss, const std::string& what, std::int64_t step) const {
    if (!std::isfinite(loss)) {
        throw Error("training diverged (the " + what + " is not a number in epoch " + std::to_string(state_.epoch + 1) +
                    ", step " + std::to_string(step) +
                    "); lower schedule.learning_rate or set optimizer.gradient_clip, and resume or start again");
    }
}

void TrainingRun::tell_progress(double loss) {
    TrainingProgress progress;
    progress.epoch = state_.epoch + 1;
    progress.epochs = recipe_.epochs;
    progress.cases_done = state_.loss_cases;
    progress.cases = data_.cases();
    progress.loss = loss;
    progress.cases_per_second = static_cast<double>(seen_) / seconds_since(epoch_start_);
    const double left = static_cast<double>(data_.batches() * (recipe_.epochs - state_.epoch) - state_.next_batch);
    progress.seconds_left = left * recipe_.batch_size / progress.cases_per_second;
    observer_.progress(progress);
}

TrainingRun::EpochEnd TrainingRun::train_epoch() {
    const std::vector<SetCases> order = data_.epoch(state_.epoch);
    const std::span<const SetCases> left = std::span(order).subspan(static_cast<std::size_t>(state_.next_batch));
    epoch_start_ = Clock::now();
    seen_ = 0;
    CaseStream& stream = data_.stream(left, state_.epoch);
    const auto per_step = static_cast<std::size_t>(recipe_.accumulate);
    for (std::size_t begin = 0; begin < left.size(); begin += per_step) {
        step(left.subspan(begin, std::min(per_step, left.size() - begin)), stream);
        if (share_.agreed(observer_.stop_requested())) {
            account_for_all();
            write_checkpoint();
            return EpochEnd::interrupted;
        }
        const bool is_due = seconds_since(last_checkpoint_) > 60.0 * recipe_.checkpoint_minutes;
        if (share_.agreed(share_.is_first() && is_due)) {
            account_for_all();
            write_checkpoint();
        }
    }
    account_for_all();
    return EpochEnd::complete;
}

bool TrainingRun::improve(int epoch, double loss) {
    const bool first = state_.history.empty();
    if (first || loss < state_.best_loss - recipe_.early_stopping.min_delta) {
        state_.epochs_without_gain = 0;
    } else {
        ++state_.epochs_without_gain;
    }
    if (first || loss < state_.best_loss) {
        state_.best_loss = loss;
        state_.best_epoch = epoch;
        return true;
    }
    return false;
}

Evaluation TrainingRun::validate() {
    return data_.validate([this] { return observer_.stop_requested(); });
}

EpochReport TrainingRun::finish_epoch() {
    EpochReport report;
    report.epoch = state_.epoch + 1;
    report.learning_rate = schedule_.rate(state_.steps - 1);
    report.train_loss = state_.loss_sum / static_cast<double>(state_.loss_cases);
    if (data_.has_validation()) {
        const Evaluation evaluation = validate();
        report.validation_loss = evaluation.loss;
        report.fields = reports_of(evaluation);
    }
    report.seconds = state_.epoch_seconds + seconds_since(epoch_start_);
    const double loss = report.validation_loss.value_or(report.train_loss);
    require_finite(loss, "validation loss", state_.steps + 1);
    report.best = improve(report.epoch, loss);
    schedule_.epoch_ended(loss);
    return report;
}

/// The end of an epoch with the weights that a model of it has.
EpochReport TrainingRun::judge_epoch() {
    const AveragedInPlace averaged(average_ ? &*average_ : nullptr);
    EpochReport report = finish_epoch();
    state_.history.push_back(report);
    ++state_.epoch;
    state_.next_batch = 0;
    state_.loss_sum = 0.0;
    state_.loss_cases = 0;
    state_.epoch_seconds = 0.0;
    if (report.best) {
        keep_as_best(report);
    }
    return report;
}

void TrainingRun::keep_as_best(const EpochReport& report) const {
    write_bundle(recipe_.output + "/best", content_of_best(recipe_, data_, ranges_, trust_, network_, report));
}

void TrainingRun::prepare_physics() {
    data_.prepare_physics(observer_);
    const Json state = schedule_.state();
    schedule_ = schedule_of(recipe_, data_);  // which may have fewer cases now
    schedule_.restore(state, "schedule");
}

TrainingOutcome TrainingRun::run() {
    epoch_start_ = last_checkpoint_ = Clock::now();
    start();
    if (share_.is_first()) {
        state_.data = state_.data.is_null() ? data_hashes(recipe_) : state_.data;
        write_text_atomically(recipe_.output + "/recipe.json",
                              recipe_.seen_from(recipe_.output).to_json().dump() + "\n");
    }
    try {
        prepare_physics();
        judge_start();
    } catch (const Interrupted&) {
        write_checkpoint();
        return TrainingOutcome::interrupted;
    }
    while (state_.epoch < recipe_.epochs) {
        if (has_waited_enough()) {
            return TrainingOutcome::stopped_early;
        }
        if (train_epoch() == EpochEnd::interrupted) {
            return TrainingOutcome::interrupted;
        }
        EpochReport report;
        try {
            report = judge_epoch();
        } catch (const Interrupted&) {  // validation starts again on resume; no step is lost
            write_checkpoint();
            return TrainingOutcome::interrupted;
        }
        write_metrics(recipe_, share_, state_.history);
        epoch_start_ = Clock::now();
        write_checkpoint();
        observer_.epoch(report);
    }
    return has_waited_enough() ? TrainingOutcome::stopped_early : TrainingOutcome::finished;
}

bool TrainingRun::has_waited_enough() const {
    const int patience = recipe_.early_stopping.patience;
    return patience > 0 && state_.epochs_without_gain >= patience;
}

void TrainingRun::write_checkpoint() {
    TrainingState state = state_;
    state.schedule = schedule_.state();
    state.epoch_seconds += seconds_since(epoch_start_);
    write_bundle(checkpoint(),
                 {"checkpoint",
                  {{stem_of(recipe_.network.fields), &network_}},
                  Json::Object{},
                  "Checkpoint of a training run.\n"},
                 [&](const std::string& folder) {
                     adam_.save(folder + "/optimizer.safetensors");
                     if (average_) {
                         average_->save(folder + "/average.safetensors");
                     }
                     if (share_.is_first()) {
                         write_text_atomically(folder + "/state.json", state.to_json(recipe_).dump() + "\n");
                     }
                 });
    last_checkpoint_ = Clock::now();
}

}  // namespace plumecast
