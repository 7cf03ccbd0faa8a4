// Compares a network of the published size on a CUDA device with the same in float32 on the CPU: the field of a forward
// pass, and the loss and the gradients of all parameters of a training step. One line of JSON; status 1 where they
// differ by more than a precision explains.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/inference/field_network.hpp>

#include "inference/prediction/latest_plans.hpp"
#include "network_inputs.hpp"
#include "program.hpp"
#include "training_step.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    std::string architecture = "ufno";
    std::vector<std::int64_t> grid{96, 200, 24}, modes{10, 10, 10};
    std::int64_t width = 36;
    bool cuda = false, tf32 = false, bf16 = false;
};

/// What a network makes of a batch, on the host.
struct Results {
    Tensor field;
    double loss = 0.0;
    std::vector<std::pair<std::string, Tensor>> gradients;
};

Recipe recipe_of(const Options& options) {
    Recipe recipe = Recipe::defaults(options.architecture);
    recipe.network.network.width = options.width;
    recipe.network.network.modes = options.modes;
    recipe.network.channels = published_channels();
    recipe.network.network.channels = static_cast<std::int64_t>(recipe.network.channels.size());
    recipe.network.fields = {published_fields().front()};
    return recipe;
}

Tensor on_host(Backend& backend, ConstView values) {
    Tensor host = host_zeros(values.shape);
    backend.download(values, host);
    return host;
}

Results results_of(const Options& options, Backend& backend) {
    const Recipe recipe = recipe_of(options);
    const Shape extents(std::span<const std::int64_t>(options.grid));
    const FieldNetwork network(backend, recipe.network, recipe.seed);
    const Batch batch = random_batch(recipe.network, extents, 1);
    Results results;
    results.field = on_host(backend, FieldPlans(network).predict(batch).view());
    results.loss = TrainingStep(network, recipe, radial_edges(extents[1])).pass(batch);
    for (const Parameter& parameter : network.parameters().all()) {
        if (parameter.weight.has_gradient()) {
            results.gradients.emplace_back(parameter.name, on_host(backend, parameter.weight.gradient()));
        }
    }
    return results;
}

/// Root of the squares of the differences over that of the squares of the reference.
double relative_difference(const Tensor& values, const Tensor& reference) {
    double differences = 0.0, squares = 0.0;
    const float *value = values.view().as<float>(), *exact = reference.view().as<float>();
    for (std::int64_t i = 0; i < reference.shape().count(); ++i) {
        const double of = static_cast<double>(exact[i]), difference = static_cast<double>(value[i]) - of;
        differences += difference * difference;
        squares += of * of;
    }
    return differences == 0.0 ? 0.0 : std::sqrt(differences / squares);
}

/// Largest relative difference that a precision explains; that of fields is a tenth.
double allowed(Precision precision) {
    return precision == Precision::bf16 ? 0.2 : precision == Precision::tf32 ? 0.02 : 1e-3;
}

int run(int argc, char** argv) {
    CLI::App app("Compares a network of the published size with the same in float32 on the CPU.");
    Options options;
    app.add_option("--network", options.architecture, "Architecture")->capture_default_str();
    app.add_option("--width", options.width, "Width")->capture_default_str();
    app.add_option("--modes", options.modes, "Modes")->expected(3)->capture_default_str();
    app.add_option("--grid", options.grid, "Cells Z R T")->expected(3)->capture_default_str();
    app.add_flag("--cuda", options.cuda, "On the first CUDA device instead of the CPU");
    auto* tf32 = app.add_flag("--tf32", options.tf32, "With TF32 products");
    app.add_flag("--bf16", options.bf16, "With bfloat16 fields")->excludes(tf32);
    CLI11_PARSE(app, argc, argv);
    const Precision precision = options.bf16 ? Precision::bf16 : options.tf32 ? Precision::tf32 : Precision::fp32;
    const auto tested =
        options.cuda ? make_cuda_backend({.precision = precision}) : make_cpu_backend({.precision = precision});
    const auto cpu = make_cpu_backend();
    const Results results = results_of(options, *tested), reference = results_of(options, *cpu);
    const double field = relative_difference(results.field, reference.field);
    const double loss = std::abs(results.loss / reference.loss - 1.0);
    double worst = 0.0;
    Json::Object gradients;
    for (std::size_t i = 0; i < reference.gradients.size(); ++i) {
        const auto& [name, gradient] = reference.gradients[i];
        const double difference = relative_difference(results.gradients.at(i).second, gradient);
        gradients.emplace_back(name, difference);
        // NaN counts as the worst.
        worst = difference <= worst ? worst : difference;
    }
    std::puts(Json(Json::Object{{"device", tested->description()},
                                {"network", options.architecture},
                                {"precision", std::string(name_of(precision))},
                                {"field_difference", field},
                                {"loss_difference", loss},
                                {"largest_gradient_difference", worst},
                                {"gradient_differences", gradients}})
                  .dump(-1)
                  .c_str());
    const double limit = allowed(precision);
    return field <= 0.1 * limit && loss <= 0.1 * limit && worst <= limit && !gradients.empty() ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
