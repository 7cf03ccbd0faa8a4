// Scores weights under the published names, trained elsewhere, on a data set; prints one line of JSON.
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/inference/published_weights.hpp>
#include <plumecast/training/recipe.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

int run(int argc, char** argv) {
    CLI::App app("Errors of weights under the published names on a data set, as JSON.");
    std::string weights, recipe_file, data;
    int threads = 0;
    app.add_option("weights", weights)->required()->type_name("W.safetensors");
    app.add_option("--recipe", recipe_file, "What the network reads and predicts")
        ->required()
        ->type_name("CONFIG.json");
    app.add_option("--data", data)->required()->type_name("DATA.h5");
    app.add_option("--threads", threads, "0 for all")->check(CLI::NonNegativeNumber);
    CLI11_PARSE(app, argc, argv);

    const Recipe recipe = Recipe::from_file(recipe_file);
    const auto backend = make_cpu_backend({.threads = threads});
    const FieldNetwork network(*backend, recipe.network, recipe.seed);
    assign_published_weights(SafetensorsFile(weights), network.network());
    const Dataset dataset(data);
    std::vector<std::int64_t> cases(static_cast<std::size_t>(dataset.cases()));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    EvaluationOptions options;
    options.loss = recipe.loss;
    const Evaluation evaluation = evaluate(network, dataset, cases, options);
    Json result = Json::Object{{"validation_loss", evaluation.loss}};
    for (const FieldEvaluation& field : evaluation.fields) {
        const CaseErrors mean = field.errors.mean();
        result[field.field.name] = Json::Object{{"mpe", mean.mpe},
                                                {"mre", mean.mre},
                                                {"relative_l2", mean.relative_l2},
                                                {"r2", field.errors.pooled_r2()},
                                                {"r2_plume", field.errors.pooled_r2_plume()}};
    }
    std::puts(result.dump(-1).c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
