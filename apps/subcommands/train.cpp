#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/training/trainer.hpp>

#include "arguments/unread_entries.hpp"
#include "command.hpp"
#include "interrupts.hpp"
#include "job.hpp"
#include "outputs.hpp"
#include "training/records/event_file.hpp"
#include "training/records/run_history.hpp"
#include "training/run_records.hpp"

namespace plumecast::app {
namespace {

struct TrainOptions {
    std::string config;
    std::vector<std::string> assignments;
    std::string output;
    int threads = 0;
    DeviceOptions device;
    GridOptions grid;
    bool resume = false;
    bool tensorboard = false;
};

std::string progress_text(const TrainingProgress& p) {
    return fmt::format("epoch {}/{}  case {}/{}  loss {:.4f}  {:.2f} cases/s  {} left", p.epoch, p.epochs, p.cases_done,
                       p.cases, p.loss, p.cases_per_second, duration_text(p.seconds_left));
}

std::string epoch_text(const EpochReport& report, int epochs) {
    std::string text = fmt::format("epoch {}/{}  {}  rate {:.2e}  train {:.4f}", report.epoch, epochs,
                                   duration_text(report.seconds), report.learning_rate, report.train_loss);
    if (report.validation_loss) {
        text += fmt::format("  validation {:.4f}", *report.validation_loss);
    }
    for (const FieldReport& f : report.fields) {
        const ChiefError chief = chief_error_of(f);
        text += fmt::format("  {} {} {} R2 {}", f.field, chief.label, decimals_text(chief.value), decimals_text(f.r2));
    }
    return text + (report.best ? "  best\n" : "\n");
}

/// Tells a run on the console and passes signals on to it.
class ConsoleObserver : public TrainingObserver {
   public:
    ConsoleObserver(Console& console, int epochs) : console_(console), epochs_(epochs) {}

    void memory(const MemoryPlan& plan) override {
        console_.print(fmt::format("memory: about {} while training, {} of it weights ({} can be used)\n",
                                   bytes_text(static_cast<double>(plan.training)),
                                   bytes_text(static_cast<double>(plan.weights)),
                                   bytes_text(static_cast<double>(host_memory_size()))));
    }
    void message(Severity severity, std::string_view text) override { console_.sink()(severity, text); }
    void physics(std::int64_t done, std::int64_t all) override {
        console_.progress(fmt::format("physics  case {}/{}", done, all));
    }
    void progress(const TrainingProgress& progress) override {
        if (console_.shows_progress()) {
            console_.progress(progress_text(progress));
        }
    }
    void epoch(const EpochReport& report) override {
        if (report.epoch > 0) {  // a message says what the start is worth
            console_.print(epoch_text(report, epochs_));
        }
        if (events_) {
            events_->add(report);
        }
    }
    bool stop_requested() override { return interrupts_.requested(); }

    ExitCode exit_code() const { return interrupts_.exit_code(); }
    /// From now on epochs are written there too.
    void write_to(EventFile events) { events_.emplace(std::move(events)); }

   private:
    Console& console_;
    int epochs_;
    Interrupts interrupts_;
    std::optional<EventFile> events_;
};

Recipe recipe_of(const TrainOptions& options, const CLI::App& app) {
    Recipe recipe = Recipe::from_file(options.config);
    for (const std::string& assignment : options.assignments) {
        recipe.set(assignment);
    }
    if (!options.output.empty()) {
        recipe.output = options.output;
    }
    if (app.count("--threads") > 0) {
        recipe.threads = options.threads;
    }
    if (app.count("--precision") > 0) {
        recipe.precision = options.device.named_precision();
    }
    recipe.check();
    return recipe;
}

/// Continues where a run stopped, or makes sure that none is overwritten.
void prepare(Trainer& trainer, const Recipe& recipe, bool resume, Console& console) {
    if (!trainer.has_checkpoint()) {
        if (resume) {  // killed before its first checkpoint: a job script can always pass --resume
            console.info(recipe.output + " holds no checkpoint yet: the run starts from the beginning");
        }
    } else if (resume) {
        trainer.resume();
    } else {
        throw InvalidInput(recipe.output +
                           ": holds a training run already (its checkpoint would be overwritten); continue it with "
                           "--resume, or choose another folder with --output");
    }
}

/// The file for TensorBoard, where it is asked for or a run that has one goes on.
std::optional<EventFile> events_of(const std::string& folder, bool is_asked_for, bool resumes) {
    const std::filesystem::path run = folder;
    if (!is_asked_for && !(resumes && std::filesystem::exists(run / EventFile::name))) {
        return std::nullopt;
    }
    const bool has_epochs = resumes && std::filesystem::exists(run / "metrics.jsonl");
    return EventFile(folder, has_epochs ? read_run_history(folder) : std::vector<EpochReport>());
}

GridTask task_of(const Recipe& recipe, const DeviceOptions& device) {
    Shape largest;
    for (const std::string& file : recipe.train_files) {
        const Dataset data(file);
        const Shape extents = data.space().append(data.snapshots());
        largest = largest.rank() == 0 || extents.count() > largest.count() ? extents : largest;
    }
    return {recipe.network,          largest,          recipe.batch_size,
            GridPurpose::training,   recipe.precision, device.planned_device(),
            recipe.recompute_blocks, recipe.threads,   device.named_spectral()};
}

DeviceOptions with_precision(DeviceOptions device, const Recipe& recipe) {
    device.precision = name_of(recipe.precision);
    return device;
}

ExitCode train(const TrainOptions& options, const CLI::App& app, const Job& job, Console& console) {
    Recipe recipe = recipe_of(options, app);
    warn_of_unread(recipe, console);
    if (options.grid.plan) {
        console.print(plan_table(options.grid, job, task_of(recipe, options.device),
                                 with_precision(options.device, recipe), console));
        if (recipe.members > 1) {
            console.info(
                fmt::format("{} members are trained one after the other: the memory of one, and {} times its time",
                            recipe.members, recipe.members));
        }
        return exit_ok;
    }
    if (!options.resume) {
        require_not_among(recipe.output + "/recipe.json", {options.config});
    }
    if (recipe.members > 1 && options.tensorboard) {
        throw InvalidInput(
            "--tensorboard with several members (each would begin its epochs anew in the same file); leave "
            "it out, metrics.jsonl of each member has the same numbers");
    }
    const auto backend = make_rank_backend(with_precision(options.device, recipe), recipe.threads, job, console);
    if (recipe.precision == Precision::bf16 && backend->field_type() != DType::bfloat16) {
        recipe.precision = Precision::fp32;  // the record says what was computed in
    }
    const ProcessGrid grid = make_grid(options.grid, job, [&] { return task_of(recipe, options.device); });
    ConsoleObserver observer(console, recipe.epochs);
    Trainer trainer(recipe, *backend, observer, &grid);
    const bool resumes = options.resume && trainer.has_checkpoint();
    prepare(trainer, recipe, options.resume, console);
    if (job.world.rank() == 0) {
        if (auto events = events_of(recipe.output, options.tensorboard, resumes)) {
            observer.write_to(std::move(*events));
        }
    }
    console.print(fmt::format("training: {}, {} parameters, on {}{}\n", recipe.network.network.architecture,
                              trainer.network().parameters().count(), backend->description(), job_text(job, grid)));
    const TrainingOutcome outcome = trainer.run();
    if (outcome == TrainingOutcome::interrupted) {
        console.warn(fmt::format("interrupted; the state is saved in {}; continue with the same command and --resume",
                                 recipe.output));
        return observer.exit_code();
    }
    console.print(fmt::format("{}: the best model is {}/best\n",
                              outcome == TrainingOutcome::finished ? "finished" : "stopped early (no more gain)",
                              recipe.output));
    if (job.world.size() > 1) {
        console.print(fmt::format("sent by the first rank: {} bytes in {} messages\n", grid.traffic().bytes,
                                  grid.traffic().messages));
    }
    return exit_ok;
}

}  // namespace

Command make_train(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("train", "Train a network as a configuration says");
    const auto options = std::make_shared<TrainOptions>();
    app->add_option("config", options->config, "Configuration ('plumecast config --default ufno' prints one)")
        ->required()
        ->type_name("CONFIG.json");
    app->add_option("--set", options->assignments, "Change an entry: --set schedule.learning_rate=3e-4; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app->add_flag("--resume", options->resume,
                  "Continue the run in the output folder, bit for bit as if never stopped");
    app->add_flag("--tensorboard", options->tensorboard,
                  "Also write losses and errors of each epoch to an event file in the run's folder, for TensorBoard");
    app->add_option("--output", options->output, "Folder of the run, instead of the configuration's")
        ->type_name("FOLDER");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_grid(*app, options->grid);
    add_examples(*app,
                 "  plumecast train saturation.json\n"
                 "  plumecast train saturation.json --set network.width=64 --output runs/wide\n"
                 "  plumecast train saturation.json --resume\n"
                 "  plumecast train saturation.json --tensorboard          (then: tensorboard --logdir runs)\n"
                 "  plumecast train saturation.json --precision bf16\n"
                 "  mpirun -np 4 plumecast train saturation.json --grid 2x2\n"
                 "  plumecast train saturation.json --plan --plan-ranks 16\n\n"
                 "Ctrl-C, SIGTERM and SIGUSR1 save a checkpoint after the batch at hand; a second one ends at once.");
    return {app, [options, app](Console& console) {
                return on_all_ranks(options->grid, console,
                                    [&](const Job& job) { return train(*options, *app, job, console); });
            }};
}

}  // namespace plumecast::app
