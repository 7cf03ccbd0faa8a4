#include <plumecast/training/trainer.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include <plumecast/data/atomic_file.hpp>
#include <plumecast/data/prefetcher.hpp>
#include <plumecast/data/ranges.hpp>
#include <plumecast/data/regridding/grid_and_times.hpp>
#include <plumecast/training/bundle.hpp>
#include <plumecast/training/loss.hpp>
#include <plumecast/training/optimizer.hpp>
#include <plumecast/training/schedule.hpp>

#include "data/storage/text_file.hpp"
#include "training/bundle/model_card.hpp"
#include "training/case_order.hpp"
#include "training/guided/run_physics.hpp"
#include "training/loss_queue.hpp"
#include "training/rank_share.hpp"
#include "training/run/run_folder.hpp"
#include "training/run_records.hpp"
#include "training/training_state.hpp"

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void require_outputs(const Dataset& dataset) {
    if (!dataset.has_outputs()) {
        throw InvalidData(dataset.path() +
                          ": no /outputs to learn from (the file holds inputs only); give a simulated data set");
    }
}

Tensor uploaded(Backend& backend, ConstView host) {
    Tensor device(backend.memory(), host.shape, backend.compute_type());
    backend.upload(host, device);
    return device;
}

}  // namespace

class Trainer::Run {
   public:
    Run(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid);
    void resume();
    bool has_checkpoint() const;
    TrainingOutcome run();
    FieldNetwork& network() { return network_; }
    void leave_folder() { lock_.reset(); }

   private:
    enum class EpochEnd { complete, interrupted };

    std::string checkpoint() const { return recipe_.output + "/checkpoint"; }
    std::vector<std::vector<std::int64_t>> batches(int epoch) const;
    EpochEnd train_epoch();
    std::optional<LossQueue::Read> step(const Batch& batch, std::int64_t cases);
    void account_for(const std::optional<LossQueue::Read>& loss);
    void account_for_all();
    void require_finite(double loss, const std::string& what, std::int64_t step) const;
    void tell_progress(double loss);
    EpochReport finish_epoch();
    bool has_waited_enough() const;
    bool improve(double loss);
    void write_best(const EpochReport& report) const;
    void write_checkpoint();
    void write_metrics() const;
    Json training_record(const EpochReport& report) const;

    Recipe recipe_;
    Backend& backend_;
    TrainingObserver& observer_;
    const ProcessGrid* grid_;
    Dataset train_;
    std::optional<Dataset> validation_;
    std::vector<std::int64_t> cases_;
    RunPhysics physics_;  // of a guided network, from run() on
    FieldNetwork network_;
    RankShare share_;
    Adam adam_;
    Schedule schedule_;
    TrainingState state_;
    InputRanges ranges_;
    Tensor distances_;
    LossQueue losses_;
    std::int64_t seen_ = 0;  // cases since epoch_start_
    Clock::time_point epoch_start_, last_checkpoint_;
    std::unique_ptr<FolderLock> lock_;  // of the first rank
};

Trainer::Run::Run(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid)
    : recipe_(std::move(recipe)),
      backend_(backend),
      observer_(observer),
      grid_(grid),
      train_(recipe_.train_file),
      cases_(first_cases(recipe_.train_cases > 0 ? std::min(recipe_.train_cases, train_.cases()) : train_.cases())),
      network_(backend, recipe_.network, recipe_.seed, grid),
      share_(network_, train_.space().append(train_.snapshots())),
      adam_(network_.parameters(), recipe_.optimizer),
      schedule_(recipe_.schedule, recipe_.epochs,
                (static_cast<std::int64_t>(cases_.size()) + recipe_.batch_size - 1) / recipe_.batch_size),
      losses_(share_.agreed(!backend.shares_host_memory()) ? 1 : 0, share_.groups()) {
    require_outputs(train_);
    if (!recipe_.validation_file.empty()) {
        validation_.emplace(recipe_.validation_file);
        require_outputs(*validation_);
    }
    const Shape extents = train_.space().append(train_.snapshots());
    const Precision precision = backend.field_type() == DType::bfloat16 ? Precision::bf16 : Precision::fp32;
    const RankPlan plan =
        grid == nullptr
            ? plan_rank(recipe_.network, extents, recipe_.batch_size, {}, {.precision = precision})
            : plan_rank(recipe_.network, extents, recipe_.batch_size, grid->shape(), {grid->route(), precision});
    observer_.memory(plan.memory);
    require_memory(plan.memory.training, recipe_.batch_size, backend.capacity_bytes());
    distances_ = share_.inverse_distances(inverse_center_distances(train_.last_edges()));
    if (share_.is_first()) {
        ranges_ = InputRanges::over(train_, cases_);
        lock_ = open_run_folder(recipe_);
    }
}

bool Trainer::Run::has_checkpoint() const {
    bool found = false;
    if (share_.is_first()) {
        recover_folder(checkpoint());
        found = std::filesystem::exists(checkpoint() + "/state.json");
    }
    return share_.agreed(found);
}

std::vector<std::vector<std::int64_t>> Trainer::Run::batches(int epoch) const {
    return batches_of(shuffled(cases_, recipe_.seed, epoch), recipe_.batch_size);
}

void Trainer::Run::resume() {
    if (!has_checkpoint()) {
        throw InvalidModel(recipe_.output +
                           ": no checkpoint to resume (the folder has no checkpoint/state.json); "
                           "start without --resume");
    }
    const std::string path = checkpoint() + "/state.json";
    state_ = TrainingState::from_text(read_text(path), path, recipe_);
    const Bundle saved = Bundle::load(checkpoint(), backend_, grid_);
    if (saved.networks.size() != 1 || saved.networks[0].network->description() != recipe_.network) {
        throw InvalidModel(checkpoint() + ": holds another network than the recipe; restore the recipe");
    }
    for (const Parameter& parameter : saved.networks[0].network->parameters().all()) {
        const Variable& own = network_.parameters().at(parameter.name).variable;
        backend_.add(1.0, parameter.variable.value(), {own.mutable_value()});
    }
    adam_.load(checkpoint() + "/optimizer.safetensors", state_.steps);
    schedule_.restore(state_.schedule, path);
    if (share_.is_first() && !require_same_data(state_.data, recipe_, path)) {
        observer_.message(Severity::warning, path + ": does not tell whether the data is still the same");
    }
}

/// The loss that is due, if one is. Where losses are read late, a step whose loss is no number moves the weights before
/// that is seen, but nothing is written of them: whoever writes has accounted for all losses.
std::optional<LossQueue::Read> Trainer::Run::step(const Batch& batch, std::int64_t cases) {
    const LossTarget target{uploaded(backend_, batch.targets), uploaded(backend_, batch.active),
                            std::as_const(distances_).view(), share_.space(), cases};
    std::optional<LossQueue::Read> due;
    {
        const Variable prediction = share_.with_neighbours(network_.forward(batch, Mode::training));
        StartedLoss loss(prediction, target, recipe_.loss, true);
        Tensor gradient = loss.take_gradient();
        losses_.push(std::move(loss), cases, state_.steps + 1);
        due = losses_.due();
        if (due) {
            require_finite(due->value, "loss", due->step);
        }
        backward(prediction, std::move(gradient), adam_.as_gradients_come());
    }
    adam_.step(schedule_.rate(state_.steps));
    ++state_.steps;
    return due;
}

void Trainer::Run::account_for(const std::optional<LossQueue::Read>& loss) {
    if (loss) {
        state_.loss_sum += loss->value * static_cast<double>(loss->cases);
        state_.loss_cases += loss->cases;
        seen_ += loss->cases;
        tell_progress(loss->value);
    }
}

void Trainer::Run::account_for_all() {
    while (const std::optional<LossQueue::Read> loss = losses_.oldest()) {
        require_finite(loss->value, "loss", loss->step);
        account_for(loss);
    }
}

void Trainer::Run::require_finite(double loss, const std::string& what, std::int64_t step) const {
    if (!std::isfinite(loss)) {
        throw Error("training diverged (the " + what + " is not a number in epoch " + std::to_string(state_.epoch + 1) +
                    ", step " + std::to_string(step) +
                    "); lower schedule.learning_rate or set optimizer.gradient_clip, and resume or start again");
    }
}

void Trainer::Run::tell_progress(double loss) {
    TrainingProgress progress;
    progress.epoch = state_.epoch + 1;
    progress.epochs = recipe_.epochs;
    progress.cases_done = state_.loss_cases;
    progress.cases = static_cast<std::int64_t>(cases_.size());
    progress.loss = loss;
    progress.cases_per_second = static_cast<double>(seen_) / seconds_since(epoch_start_);
    const std::int64_t batches = (progress.cases + recipe_.batch_size - 1) / recipe_.batch_size;
    const double left = static_cast<double>(batches * (recipe_.epochs - state_.epoch) - state_.next_batch);
    progress.seconds_left = left * recipe_.batch_size / progress.cases_per_second;
    observer_.progress(progress);
}

Trainer::Run::EpochEnd Trainer::Run::train_epoch() {
    const auto source = share_.source(cases_for(recipe_.network, train_, Targets::read, physics_.train));
    auto order = batches(state_.epoch);
    order.erase(order.begin(), order.begin() + state_.next_batch);
    epoch_start_ = Clock::now();
    seen_ = 0;
    Prefetcher ahead(*source, share_.own_cases(order));
    for (const std::vector<std::int64_t>& cases : order) {
        const std::optional<LossQueue::Read> loss = step(*ahead.next(), static_cast<std::int64_t>(cases.size()));
        ++state_.next_batch;
        account_for(loss);
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

bool Trainer::Run::improve(double loss) {
    const bool first = state_.best_epoch == 0;
    if (first || loss < state_.best_loss - recipe_.early_stopping.min_delta) {
        state_.epochs_without_gain = 0;
    } else {
        ++state_.epochs_without_gain;
    }
    if (first || loss < state_.best_loss) {
        state_.best_loss = loss;
        state_.best_epoch = state_.epoch + 1;
        return true;
    }
    return false;
}

EpochReport Trainer::Run::finish_epoch() {
    EpochReport report;
    report.epoch = state_.epoch + 1;
    report.learning_rate = schedule_.rate(state_.steps - 1);
    report.train_loss = state_.loss_sum / static_cast<double>(state_.loss_cases);
    if (validation_) {
        EvaluationOptions options;
        options.batch = recipe_.batch_size;
        options.loss = recipe_.loss;
        options.stop_requested = [this] { return observer_.stop_requested(); };
        options.physics = physics_.validation;
        network_.parameters().set_trainable(false);
        const Evaluation evaluation = evaluate(network_, *validation_, first_cases(validation_->cases()), options);
        network_.parameters().set_trainable(true);
        report.validation_loss = evaluation.loss;
        report.fields = reports_of(evaluation);
    }
    report.seconds = state_.epoch_seconds + seconds_since(epoch_start_);
    const double loss = report.validation_loss.value_or(report.train_loss);
    require_finite(loss, "validation loss", state_.steps + 1);
    report.best = improve(loss);
    schedule_.epoch_ended(loss);
    return report;
}

TrainingOutcome Trainer::Run::run() {
    epoch_start_ = last_checkpoint_ = Clock::now();
    if (share_.is_first()) {
        state_.data = state_.data.is_null() ? data_hashes(recipe_) : state_.data;
        write_text_atomically(recipe_.output + "/recipe.json",
                              recipe_.seen_from(recipe_.output).to_json().dump() + "\n");
    }
    try {
        physics_ =
            run_physics(recipe_.network, {train_, cases_, validation_ ? &*validation_ : nullptr}, observer_, share_);
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
            report = finish_epoch();
        } catch (const Interrupted&) {  // validation starts again on resume; no step is lost
            network_.parameters().set_trainable(true);
            write_checkpoint();
            return TrainingOutcome::interrupted;
        }
        state_.history.push_back(report);
        ++state_.epoch;
        state_.next_batch = 0;
        state_.loss_sum = 0.0;
        state_.loss_cases = 0;
        state_.epoch_seconds = 0.0;
        if (report.best) {
            write_best(report);
        }
        write_metrics();
        epoch_start_ = Clock::now();
        write_checkpoint();
        observer_.epoch(report);
    }
    return has_waited_enough() ? TrainingOutcome::stopped_early : TrainingOutcome::finished;
}

bool Trainer::Run::has_waited_enough() const {
    const int patience = recipe_.early_stopping.patience;
    return patience > 0 && state_.epochs_without_gain >= patience;
}

Json Trainer::Run::training_record(const EpochReport& report) const {
    return Json::Object{{"ranges", ranges_.to_json()},
                        {"grid", GridAndTimes::of(train_).to_json()},
                        {"recipe", without_folders(recipe_).to_json()},
                        {"cases", static_cast<std::int64_t>(cases_.size())},
                        {"result", to_json(report)}};
}

void Trainer::Run::write_best(const EpochReport& report) const {
    const std::vector<Field>& fields = recipe_.network.fields;
    write_bundle(recipe_.output + "/best",
                 {recipe_.network.network.architecture + " for " + names_of(fields),
                  {{stem_of(fields), &network_}},
                  training_record(report),
                  model_card(recipe_, train_, static_cast<std::int64_t>(cases_.size()), report)});
}

void Trainer::Run::write_checkpoint() {
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
                     if (share_.is_first()) {
                         write_text_atomically(folder + "/state.json", state.to_json(recipe_).dump() + "\n");
                     }
                 });
    last_checkpoint_ = Clock::now();
}

void Trainer::Run::write_metrics() const {
    if (!share_.is_first()) {
        return;
    }
    write_text_atomically(recipe_.output + "/metrics.csv", metrics_csv(state_.history));
    write_text_atomically(recipe_.output + "/metrics.jsonl", metrics_jsonl(state_.history));
}

Trainer::Trainer(Recipe recipe, Backend& backend, TrainingObserver& observer, const ProcessGrid* grid)
    : run_(std::make_unique<Run>(std::move(recipe), backend, observer, grid)) {}
Trainer::~Trainer() = default;
void Trainer::resume() { run_->resume(); }
bool Trainer::has_checkpoint() const { return run_->has_checkpoint(); }
TrainingOutcome Trainer::run() {
    const TrainingOutcome outcome = run_->run();
    run_->leave_folder();
    return outcome;
}
FieldNetwork& Trainer::network() { return run_->network(); }

}  // namespace plumecast
