#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/backends.hpp"
#include "support/fenced_kernels.hpp"
#include "support/kernels_on_host.hpp"
#include "training/tiny_run.hpp"

namespace plumecast::testing {
namespace {

std::unique_ptr<Backend> make_cpu() { return make_cpu_backend({.threads = 1}); }

/// Training on the kernels of the CUDA backend, and on a device where there is one, beside the CPU.
class TrainingDevices : public BackendTest {
   protected:
    Recipe recipe(const std::string& folder, int epochs) const {
        Recipe recipe = tiny_recipe(folder_, "ufno");
        recipe.epochs = epochs;
        recipe.output = folder_.file(folder);
        recipe.validation_file.clear();
        recipe.optimizer.gradient_clip = 1.0;
        return recipe;
    }
    /// Trains, or goes on, until the observer has been asked `questions` times.
    static StopAfter train(const Recipe& recipe, Backend& backend, int questions = 1 << 30) {
        StopAfter observer(questions);
        Trainer trainer(recipe, backend, observer);
        if (trainer.has_checkpoint()) {
            trainer.resume();
        }
        trainer.run();
        return observer;
    }
    static std::vector<double> losses(const StopAfter& run) {
        std::vector<double> losses;
        for (const TrainingProgress& progress : run.progress()) {
            losses.push_back(progress.loss);
        }
        return losses;
    }
    ScratchFolder folder_;
};

std::vector<BackendChoice> devices() {
    std::vector<BackendChoice> all{{"cuda_kernels_fenced", "", [] { return make_fenced_kernels(); }}};
    for (BackendChoice& choice : cuda_backends()) {
        all.push_back(std::move(choice));
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Backends, TrainingDevices, ::testing::ValuesIn(devices()), choice_name);

TEST_P(TrainingDevices, FollowTheLossCurveOfTheCpu) {
    const auto cpu = make_cpu();
    const int epochs = GetParam().name == "cuda" ? 25 : 4;  // of two steps; kernels on the host are slow
    const std::vector<double> expected = losses(train(recipe("cpu", epochs), *cpu));
    const std::vector<double> found = losses(train(recipe("device", epochs), backend()));
    ASSERT_EQ(found.size(), 2u * static_cast<std::size_t>(epochs));
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t step = 0; step < found.size(); ++step) {
        EXPECT_NEAR(found[step], expected[step], 2e-3 * expected[step]) << "step " << step;
    }
}

TEST_P(TrainingDevices, GoOnWhereAnotherStopped) {
    const auto cpu = make_cpu();
    const std::vector<double> straight = losses(train(recipe("straight", 2), *cpu));
    for (const bool device_first : {true, false}) {
        const Recipe shared = recipe(device_first ? "there" : "back", 2);
        std::vector<double> found = losses(train(shared, device_first ? backend() : *cpu, 3));
        for (const double loss : losses(train(shared, device_first ? *cpu : backend()))) {
            found.push_back(loss);
        }
        ASSERT_EQ(found.size(), straight.size()) << "device first: " << device_first;
        for (std::size_t step = 0; step < found.size(); ++step) {
            EXPECT_NEAR(found[step], straight[step], 1e-3 * straight[step])
                << "step " << step << ", device first: " << device_first;
        }
    }
}

TEST_P(TrainingDevices, RepeatEveryBit) {
    train(recipe("first", 1), backend());
    train(recipe("second", 1), backend());
    for (const char* file : {"/checkpoint/gas_saturation.safetensors", "/checkpoint/optimizer.safetensors"}) {
        EXPECT_EQ(bytes_of(folder_.file("first") + file), bytes_of(folder_.file("second") + file)) << file;
    }
}

TEST(TrainingMemory, ThrowsAndLeavesNothingBehindWhereverAnAllocationFails) {
    const ScratchFolder folder;
    int failures = 0;
    for (std::int64_t failing = 0;; failing += 97) {
        auto owned = std::make_unique<CountedMemory>();
        CountedMemory& memory = *owned;
        const auto backend = make_kernels_on_host(std::move(owned));
        Recipe recipe = tiny_recipe(folder, "ufno");
        recipe.epochs = 1;
        recipe.output = folder.file("run" + std::to_string(failing));
        memory.fail_after(failing);
        try {
            StopAfter observer;
            Trainer(recipe, *backend, observer).run();
            break;
        } catch (const OutOfMemory& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("no memory for "));
        }
        EXPECT_EQ(memory.live_bytes(), 0u) << "after failure " << failing;
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace plumecast::testing
