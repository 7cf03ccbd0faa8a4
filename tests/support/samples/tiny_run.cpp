#include "support/samples/tiny_run.hpp"

#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/io/safetensors.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast::testing {
namespace {

std::string without_last_column(const std::string& csv) {
    std::istringstream lines(csv);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        result += line.substr(0, line.rfind(',')) + "\n";
    }
    return result;
}

}  // namespace

void write_tiny_model(const std::string& bundle, Backend& backend, const NetworkDescription& description,
                      std::uint64_t seed, const Json& record) {
    const FieldNetwork network(backend, description, seed);
    write_bundle(bundle, {"tiny", {{"fields", &network}}, record, "A tiny model.\n"});
}

Json grid_record(const Dataset& data) { return Json::Object{{"grid", GridAndTimes::of(data).to_json()}}; }

NetworkDescription tiny_network(const std::string& architecture) {
    NetworkDescription network = Recipe::defaults(architecture).network;
    network.network.width = 4;
    network.network.hidden = 6;
    network.network.modes = {2, 2, 2};
    network.network.fourier_blocks = 1;
    network.network.extended_blocks = architecture == "fno" ? 0 : 1;
    network.network.residual_blocks = 1;
    return network;
}

NetworkDescription tiny_guided_network(const std::string& architecture) {
    NetworkDescription network = tiny_network(architecture);
    network.physics = NetworkPhysics{{2}};
    network.channels = guided_channels();
    network.fields = guided_fields();
    network.network.channels = static_cast<std::int64_t>(network.channels.size());
    network.network.fields = static_cast<std::int64_t>(network.fields.size());
    return network;
}

NetworkDescription tiny_network_3d(const std::string& architecture) {
    NetworkDescription network = Recipe::defaults_3d(architecture).network;
    network.network.width = 4;
    network.network.hidden = 6;
    network.network.modes = {1, 1, 2, 2};
    network.network.padding = {0, 1, 2, 1};
    network.network.fourier_blocks = 1;
    network.network.extended_blocks = architecture == "fno" ? 0 : 1;
    network.network.residual_blocks = 1;
    return network;
}

NetworkDescription tiny_guided_network_3d(const std::string& architecture) {
    NetworkDescription network = tiny_network_3d(architecture);
    network.physics = NetworkPhysics{{2}};
    network.channels = guided_channels_3d();
    network.fields = guided_fields();
    network.network.channels = static_cast<std::int64_t>(network.channels.size());
    network.network.fields = static_cast<std::int64_t>(network.fields.size());
    return network;
}

Recipe tiny_recipe(const ScratchFolder& folder, const std::string& architecture) {
    Recipe recipe;
    recipe.network = tiny_network(architecture);
    recipe.train_files = {folder.file("sample.h5")};
    if (!std::filesystem::exists(recipe.train_files.front())) {
        write_sample(folder);
    }
    recipe.validation_files = {recipe.train_files.front()};
    recipe.output = folder.file("run");
    recipe.epochs = 3;
    recipe.batch_size = 2;
    recipe.seed = 17;
    recipe.threads = 1;
    return recipe;
}

Recipe tiny_guided_recipe(const ScratchFolder& folder, const std::string& architecture) {
    Recipe recipe = tiny_recipe(folder, architecture);
    recipe.network = tiny_guided_network(architecture);
    recipe.train_files = recipe.validation_files = {folder.file("guided.h5")};
    if (!std::filesystem::exists(recipe.train_files.front())) {
        write_guided_sample(folder);
    }
    return recipe;
}

StopAfter trained(const Recipe& recipe) {
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    Trainer trainer(recipe, *backend, observer);
    EXPECT_EQ(trainer.run(), TrainingOutcome::finished);
    return observer;
}

void train_with_interruptions(const Recipe& recipe, const std::vector<int>& questions) {
    for (std::size_t part = 0; part < 100; ++part) {
        const auto backend = make_cpu_backend({.threads = 1});
        StopAfter observer(questions[part % questions.size()]);
        Trainer trainer(recipe, *backend, observer);
        if (trainer.has_checkpoint()) {
            trainer.resume();
        }
        if (trainer.run() != TrainingOutcome::interrupted) {
            return;
        }
        ASSERT_TRUE(trainer.has_checkpoint());
    }
    FAIL() << "the run never ends";
}

void expect_same_run(const std::string& a, const std::string& b, const std::vector<std::string>& more) {
    std::vector<std::string> files{"/checkpoint/gas_saturation.safetensors", "/checkpoint/optimizer.safetensors",
                                   "/best/gas_saturation.safetensors"};
    files.insert(files.end(), more.begin(), more.end());
    for (const std::string& file : files) {
        ASSERT_TRUE(std::filesystem::exists(a + file)) << file;
        EXPECT_TRUE(bytes_of(a + file) == bytes_of(b + file)) << file;
    }
    EXPECT_EQ(without_last_column(bytes_of(a + "/metrics.csv")), without_last_column(bytes_of(b + "/metrics.csv")));
}

void expect_resumes_bit_for_bit(const Recipe& recipe, const std::vector<std::vector<int>>& interruptions,
                                const std::vector<std::string>& more) {
    Recipe straight = recipe, parts = recipe;
    straight.output += " straight";
    parts.output += " in parts";
    trained(straight);
    for (const std::vector<int>& questions : interruptions) {
        std::filesystem::remove_all(parts.output);
        train_with_interruptions(parts, questions);
        expect_same_run(straight.output, parts.output, more);
    }
}

std::map<std::string, std::vector<float>> weights_in(const std::string& bundle) {
    const SafetensorsFile file(bundle + "/gas_saturation.safetensors");
    std::map<std::string, std::vector<float>> weights;
    for (const std::string& name : file.names()) {
        const Tensor values = file.read(name);
        const std::span<const float> numbers = values.values<float>();
        weights[name] = {numbers.begin(), numbers.end()};
    }
    return weights;
}

std::string refusal_to_train(const Recipe& recipe) {
    try {
        recipe.check();
        const auto backend = make_cpu_backend({.threads = 1});
        StopAfter observer;
        Trainer(recipe, *backend, observer).run();
    } catch (const Error& error) {
        return error.what();
    }
    return "trained";
}

}  // namespace plumecast::testing
