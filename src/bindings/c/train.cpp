#include <string>
#include <string_view>

#include <plumecast.h>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/training/trainer.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "training/training_state.hpp"

namespace plumecast::c {
namespace {

/// Passes on what it hears.
class CallingObserver : public TrainingObserver {
   public:
    explicit CallingObserver(const plumecast_training_options& to) : to_(to), log_(sink_of(to.log, to.user)) {}

    void message(Severity severity, std::string_view text) override {
        if (log_) {
            log_(severity, text);
        }
    }
    void progress(const TrainingProgress& now) override {
        if (to_.progress != nullptr) {
            to_.progress(now.epoch, now.epochs, now.cases_done, now.cases, now.loss, to_.user);
        }
    }
    void epoch(const EpochReport& report) override {
        if (to_.epoch != nullptr) {
            to_.epoch(to_json(report).dump().c_str(), to_.user);
        }
    }
    bool stop_requested() override { return to_.stop != nullptr && to_.stop(to_.user) != 0; }

   private:
    plumecast_training_options to_;
    LogSink log_;
};

/// The file of some cases; those in memory are written to one of that name first.
std::string file_of(const plumecast_cases& cases, const std::string& name) {
    if (cases.path) {
        return *cases.path;
    }
    write_dataset(name, cases.dataset());
    return name;
}

Recipe recipe_of(const std::string& text, const plumecast_training_options& options, const Backend& backend) {
    Recipe recipe = Recipe::from_json(Json::parse(text, "recipe"), "recipe", "");
    if (recipe.output.empty()) {
        throw InvalidInput("recipe: names no output (the run has a folder of its own); give it one");
    }
    if (options.train != nullptr) {
        recipe.train_files = {file_of(*options.train, recipe.output + ".train.h5")};
    }
    if (options.validation != nullptr) {
        recipe.validation_files = {file_of(*options.validation, recipe.output + ".validation.h5")};
    }
    const bool is_narrow = backend.field_type() == DType::bfloat16;
    if (is_narrow || recipe.precision == Precision::bf16) {  // the record says what was computed in
        recipe.precision = is_narrow ? Precision::bf16 : Precision::fp32;
    }
    recipe.check();
    return recipe;
}

void train(Backend& backend, const std::string& text, const plumecast_training_options& options) {
    const Recipe recipe = recipe_of(text, options, backend);
    CallingObserver observer(options);
    Trainer trainer(recipe, backend, observer);
    if (trainer.has_checkpoint()) {
        if (options.resume == 0) {
            throw InvalidInput(recipe.output +
                               ": holds a training run already (its checkpoint would be overwritten); set resume to go "
                               "on with it, or name another output");
        }
        trainer.resume();
    }
    if (trainer.run() == TrainingOutcome::interrupted) {
        throw Interrupted("stopped (the caller asked for it), and " + recipe.output +
                          "/checkpoint is written; set resume to go on with it");
    }
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_train(const plumecast_device* device, const char* recipe,
                                 const plumecast_training_options* options) {
    return c::guarded([&] {
        Backend& backend = *c::required(device, "device").backend;
        const plumecast_training_options defaults{sizeof defaults, nullptr, nullptr, 0,       0,
                                                  nullptr,         nullptr, nullptr, nullptr, nullptr};
        c::train(backend, c::text_of(recipe, "recipe"), c::read_sized(options, defaults, "options"));
    });
}
