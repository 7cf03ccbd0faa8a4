// Trains from given weights on given batches at a constant rate and writes the loss of every step; the counterpart of
// peer/torch_train.py.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/published_weights.hpp>
#include <plumecast/reservoir/batches/prefetcher.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "program.hpp"
#include "training_step.hpp"

namespace plumecast::bench {
namespace {

std::vector<std::vector<std::int64_t>> read_batches(const std::string& path) {
    std::ifstream file(path);
    const Json json = Json::parse(std::string(std::istreambuf_iterator<char>(file), {}), path);
    std::vector<std::vector<std::int64_t>> batches;
    const auto* list = json.get_if<Json::Array>();
    for (const Json& batch : list ? *list : Json::Array()) {
        batches.emplace_back();
        const auto* cases = batch.get_if<Json::Array>();
        for (const Json& one : cases ? *cases : Json::Array()) {
            const auto* index = one.get_if<std::int64_t>();
            if (index == nullptr) {
                throw InvalidInput(path +
                                   ": a batch holds no case number (batches are lists of integers); export again");
            }
            batches.back().push_back(*index);
        }
    }
    return batches;
}

int run(int argc, char** argv) {
    CLI::App app("Writes step, loss and seconds since the start for every batch; the loss is the one before the step.");
    std::string data, recipe_file, exported, output;
    int threads = 0;
    app.add_option("data", data, "Data set with outputs")->required()->type_name("DATA.h5");
    app.add_option("--recipe", recipe_file)->required()->type_name("CONFIG.json");
    app.add_option("--exported", exported, "Folder of bench_export_batches")->required();
    app.add_option("--output", output)->required()->type_name("LOSS.csv");
    app.add_option("--threads", threads, "0 for all")->check(CLI::NonNegativeNumber);
    CLI11_PARSE(app, argc, argv);

    const Recipe recipe = Recipe::from_file(recipe_file);
    const Dataset dataset(data);
    const auto backend = make_cpu_backend({.threads = threads});
    const FieldNetwork network(*backend, recipe.network, recipe.seed);
    assign_published_weights(SafetensorsFile(exported + "/weights.safetensors"), network.network());
    const auto source = cases_for(recipe.network, dataset, Targets::read);
    TrainingStep step(network, recipe, dataset.r_edges());
    Prefetcher ahead(*source, read_batches(exported + "/batches.json"));
    std::ofstream table(output);
    table.precision(9);
    table << "step,loss,seconds\n";
    const auto start = std::chrono::steady_clock::now();
    for (int count = 0; const std::optional<Batch> batch = ahead.next(); ++count) {
        const double loss = step.run(*batch);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        table << count << "," << loss << "," << elapsed.count() << std::endl;
    }
    return table ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
