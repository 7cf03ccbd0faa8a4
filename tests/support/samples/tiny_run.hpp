#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/training/trainer.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {

/// A network small enough to train in a test, on the grid of sample_content().
NetworkDescription tiny_network(const std::string& architecture);

/// The like that corrects reduced physics, on the grid of guided_content(); both fields.
NetworkDescription tiny_guided_network(const std::string& architecture);

/// The like on the grid of cartesian_content(), [Z, Y, X].
NetworkDescription tiny_network_3d(const std::string& architecture);

/// The like of tiny_guided_network() on the grid of guided_cartesian_content().
NetworkDescription tiny_guided_network_3d(const std::string& architecture);

/// Writes the bundle of a network with weights from a seed, and what its training recorded.
void write_tiny_model(const std::string& bundle, Backend& backend, const NetworkDescription& description,
                      std::uint64_t seed = 3, const Json& record = Json::Object{});

/// What the training of a network on the grid and times of a data set records of them.
Json grid_record(const Dataset& data);

/// Three epochs of two batches each on sample_content(), validated on the same cases; all files in the folder.
Recipe tiny_recipe(const ScratchFolder& folder, const std::string& architecture = "ufno");

/// The like of tiny_recipe() for tiny_guided_network(), on guided_content().
Recipe tiny_guided_recipe(const ScratchFolder& folder, const std::string& architecture = "fno");

/// Says stop when it was asked `patience` times; counts what it hears.
class StopAfter final : public TrainingObserver {
   public:
    explicit StopAfter(int patience = 1 << 30) : left_(patience) {}
    void memory(const MemoryPlan& plan) override { plan_ = plan; }
    void progress(const TrainingProgress& progress) override { progress_.push_back(progress); }
    void message(Severity, std::string_view text) override { messages_.emplace_back(text); }
    void epoch(const EpochReport& report) override { epochs_.push_back(report); }
    bool stop_requested() override { return --left_ <= 0; }

    const MemoryPlan& plan() const { return plan_; }
    const std::vector<TrainingProgress>& progress() const { return progress_; }
    const std::vector<EpochReport>& epochs() const { return epochs_; }
    const std::vector<std::string>& messages() const { return messages_; }

   private:
    int left_;
    MemoryPlan plan_;
    std::vector<TrainingProgress> progress_;
    std::vector<EpochReport> epochs_;
    std::vector<std::string> messages_;
};

/// Runs a recipe to its end in one piece and returns what the observer heard.
StopAfter trained(const Recipe& recipe);

/// Runs a recipe, stopped again and again after the given numbers of questions, until it is done.
void train_with_interruptions(const Recipe& recipe, const std::vector<int>& questions);

/// Two runs have the same weights, moments, best model, further files and metrics, to the last bit.
void expect_same_run(const std::string& a, const std::string& b, const std::vector<std::string>& more = {});

/// A run in parts, stopped after the numbers of questions of each list in turn, is the run in one piece.
void expect_resumes_bit_for_bit(const Recipe& recipe, const std::vector<std::vector<int>>& interruptions,
                                const std::vector<std::string>& more = {});

/// All arrays of the one network of a bundle, which predicts gas saturation.
std::map<std::string, std::vector<float>> weights_in(const std::string& bundle);

/// The message with which a recipe is refused, or "trained".
std::string refusal_to_train(const Recipe& recipe);

}  // namespace plumecast::testing
