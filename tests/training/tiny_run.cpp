#include "training/tiny_run.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace plumecast::testing {

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

NetworkDescription tiny_guided_network(const std::string& architecture, PhysicsKind kind) {
    NetworkDescription network = tiny_network(architecture);
    network.physics = NetworkPhysics{{kind, 2}};
    network.channels = guided_channels(kind);
    network.fields = guided_fields(kind);
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

Recipe tiny_recipe(const ScratchFolder& folder, const std::string& architecture) {
    Recipe recipe;
    recipe.network = tiny_network(architecture);
    recipe.train_file = folder.file("sample.h5");
    if (!std::filesystem::exists(recipe.train_file)) {
        write_sample(folder);
    }
    recipe.validation_file = recipe.train_file;
    recipe.output = folder.file("run");
    recipe.epochs = 3;
    recipe.batch_size = 2;
    recipe.seed = 17;
    recipe.threads = 1;
    return recipe;
}

Recipe tiny_guided_recipe(const ScratchFolder& folder, const std::string& architecture, PhysicsKind kind) {
    Recipe recipe = tiny_recipe(folder, architecture);
    recipe.network = tiny_guided_network(architecture, kind);
    recipe.train_file = recipe.validation_file = folder.file("guided.h5");
    if (!std::filesystem::exists(recipe.train_file)) {
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

}  // namespace plumecast::testing
