#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/backends.hpp"
#include "support/fenced_kernels.hpp"
#include "support/kernels_on_host.hpp"
#include "support/samples/tiny_run.hpp"

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
        recipe.validation_files.clear();
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

/// Notes what had been asked of the backend whenever a loss became known.
class AskedAtLosses final : public TrainingObserver {
   public:
    explicit AskedAtLosses(const AskedOfDevice& asked) : asked_(asked) {}
    void progress(const TrainingProgress&) override { at_losses_.push_back(asked_); }
    const std::vector<AskedOfDevice>& at_losses() const { return at_losses_; }

   private:
    const AskedOfDevice& asked_;
    std::vector<AskedOfDevice> at_losses_;
};

TEST(TrainingSteps, WaitForNothingButTheLossOfTheStepBefore) {
    const ScratchFolder folder;
    Recipe recipe = tiny_recipe(folder, "ufno");
    recipe.epochs = 1;
    recipe.batch_size = 1;
    recipe.validation_files.clear();
    recipe.optimizer.gradient_clip = 1.0;
    AskedOfDevice asked;
    const auto backend = make_fenced_kernels({}, &asked);
    AskedAtLosses observer(asked);
    Trainer(recipe, *backend, observer).run();
    const std::vector<AskedOfDevice>& heard = observer.at_losses();
    ASSERT_GT(heard.size(), 2u);
    for (std::size_t step = 0; step < heard.size(); ++step) {
        EXPECT_EQ(heard[step].downloads, 0) << "step " << step;
        EXPECT_EQ(static_cast<std::size_t>(heard[step].adam_steps), std::min(step + 2, heard.size()))
            << "step " << step;
    }
}

TEST(TrainingSteps, NameTheOneWhoseLossIsNoNumberAndWriteNothingOfIt) {
    const ScratchFolder folder;
    std::vector<std::string> messages;
    std::vector<std::size_t> losses;
    for (const bool on_device : {false, true}) {
        const auto backend = on_device ? make_fenced_kernels() : make_cpu();
        Recipe recipe = tiny_recipe(folder, "fno");
        recipe.output = folder.file(on_device ? "device" : "cpu");
        recipe.batch_size = 1;
        recipe.schedule.learning_rate = 1e38;  // sums overflow, in whatever order they are taken
        StopAfter observer;
        Trainer trainer(recipe, *backend, observer);
        try {
            trainer.run();
        } catch (const Error& error) {
            messages.emplace_back(error.what());
        }
        losses.push_back(observer.progress().size());
        EXPECT_FALSE(trainer.has_checkpoint());
    }
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_THAT(messages[0], ::testing::HasSubstr("(the loss is not a number in epoch 1, step"));
    EXPECT_EQ(messages[1], messages[0]);
    EXPECT_EQ(losses[1], losses[0]);
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
