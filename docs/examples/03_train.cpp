// Trains a small U-FNO from C++, with a recipe made in code instead of a CONFIG.json.
//
//   example_03_train cases.h5 run
//
// Prints the memory the run will need and a line per epoch. The folder `run` then holds `best`, a model bundle, and the
// metrics and checkpoint of the run; a run that finds a checkpoint there continues from it.
// The cases serve for training and validation alike, to need one file only: keep separate files for real work.
#include <cstdio>
#include <exception>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/training/trainer.hpp>

namespace {

class Printer : public plumecast::TrainingObserver {
   public:
    void memory(const plumecast::MemoryPlan& plan) override {
        std::printf("a training step needs %.1f MiB\n", static_cast<double>(plan.training) / (1 << 20));
    }
    void epoch(const plumecast::EpochReport& report) override {
        std::printf("epoch %d: train loss %.4f, validation loss %.4f, MPE %.4f%s\n", report.epoch, report.train_loss,
                    report.validation_loss.value_or(0.0), report.fields.empty() ? 0.0 : report.fields.front().mpe,
                    report.best ? " (best)" : "");
    }
};

void train(const std::string& cases, const std::string& output) {
    plumecast::Recipe recipe = plumecast::Recipe::defaults("ufno");
    recipe.train_files = {cases};
    recipe.validation_files = {cases};
    recipe.output = output;
    recipe.set("network.width=8");
    recipe.set("network.modes=[4, 4, 3]");
    recipe.set("network.fourier_blocks=1");
    recipe.set("network.extended_blocks=1");
    recipe.set("schedule.learning_rate=2e-3");
    recipe.epochs = 3;
    recipe.batch_size = 2;
    recipe.check();

    const auto backend = plumecast::make_cpu_backend({.threads = recipe.threads});
    Printer printer;
    plumecast::Trainer trainer(recipe, *backend, printer);
    if (trainer.has_checkpoint()) {
        trainer.resume();
    }
    trainer.run();
    std::printf("the best model is %s/best\n", output.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CASES.h5 RUN_FOLDER\n", argv[0]);
        return 2;
    }
    try {
        train(argv[1], argv[2]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
