// Writes what another program needs to repeat a training run: network-ready tensors, initial weights, batch order.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/core/random.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/io/safetensors.hpp>
#include <plumecast/training/recipe.hpp>

#include "network_inputs.hpp"
#include "program.hpp"
#include "published_export.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    std::string data, recipe, output;
    std::int64_t cases = 0, steps = 0;
    bool tensors_only = false;
};

std::vector<std::int64_t> first_cases(std::int64_t count) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    return cases;
}

/// inputs [N, Z, R, T, C], target [N, Z, R, T], active [N, Z, R], cell_width [R] [m], all normalised float32.
void write_tensors(const std::string& path, const Dataset& dataset, const NetworkDescription& description,
                   const std::vector<std::int64_t>& cases) {
    const auto source = cases_for(description, dataset, Targets::read);
    Batch batch = source->load(cases);
    if (batch.targets.empty() || description.fields.size() != 1) {
        throw InvalidInput(dataset.path() +
                           ": cannot be exported (it needs outputs, and the recipe one field); choose another recipe");
    }
    batch.targets.reshape(batch.targets.shape().slice(0, batch.targets.shape().rank() - 1));
    const Tensor inputs = repeated_inputs(description, batch, source->extents());
    Tensor width = host_zeros({dataset.columns()});
    for (std::size_t i = 0; i < width.values<float>().size(); ++i) {
        width.values<float>()[i] = static_cast<float>(dataset.r_edges()[i + 1] - dataset.r_edges()[i]);
    }
    const std::vector<NamedView> arrays{
        {"inputs", inputs}, {"target", batch.targets}, {"active", batch.active}, {"cell_width", width}};
    write_safetensors(path, arrays);
}

/// Epoch after epoch of shuffled cases, in full batches; at least `steps` of them, `steps` 0 for one epoch.
Json batch_order(const std::vector<std::int64_t>& cases, const Recipe& recipe, std::int64_t steps) {
    Json::Array order;
    const auto size = std::min(static_cast<std::size_t>(recipe.batch_size), cases.size());
    for (int epoch = 0; epoch == 0 || static_cast<std::int64_t>(order.size()) < steps; ++epoch) {
        std::vector<std::int64_t> shuffled = cases;
        const RandomStream random(recipe.seed, "order of epoch " + std::to_string(epoch));
        for (std::size_t i = shuffled.size(); i > 1; --i) {
            std::swap(shuffled[i - 1], shuffled[static_cast<std::size_t>(random.bits(i) % i)]);
        }
        for (std::size_t i = 0; i + size <= shuffled.size(); i += size) {
            const auto first = shuffled.begin() + static_cast<std::ptrdiff_t>(i);
            order.emplace_back(Json::Array(first, first + static_cast<std::ptrdiff_t>(size)));
        }
    }
    if (steps > 0) {
        order.resize(static_cast<std::size_t>(steps));
    }
    return order;
}

int run(int argc, char** argv) {
    CLI::App app("Writes tensors.safetensors, weights.safetensors (published names) and batches.json into a folder.");
    Options options;
    app.add_option("data", options.data, "Data set with outputs")->required()->type_name("DATA.h5");
    app.add_option("--recipe", options.recipe, "Network, batch size and seed")->required()->type_name("CONFIG.json");
    app.add_option("--output", options.output, "Folder")->required();
    app.add_option("--cases", options.cases, "Only the first cases; 0 for all")->capture_default_str();
    app.add_option("--steps", options.steps, "Batches to write; 0 for one epoch")->capture_default_str();
    app.add_flag("--tensors-only", options.tensors_only, "Neither weights nor batch order");
    CLI11_PARSE(app, argc, argv);
    const Recipe recipe = Recipe::from_file(options.recipe);
    const Dataset dataset(options.data);
    const auto cases = first_cases(options.cases > 0 ? std::min(options.cases, dataset.cases()) : dataset.cases());
    std::filesystem::create_directories(options.output);
    write_tensors(options.output + "/tensors.safetensors", dataset, recipe.network, cases);
    if (options.tensors_only) {
        return 0;
    }
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, recipe.network, recipe.seed);
    write_published_weights(options.output + "/weights.safetensors", network.network());
    std::ofstream(options.output + "/batches.json") << batch_order(cases, recipe, options.steps).dump(-1) << "\n";
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
