// Times the forward pass or the training step of a network and prints the result as one line of JSON.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/io/safetensors.hpp>
#include "inference/explained_network.hpp"
#include "training/rank_plan.hpp"

#include "inference/prediction/prediction_slot.hpp"
#include "network_inputs.hpp"
#include "program.hpp"
#include "published_export.hpp"
#include "training_step.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    std::string recipe, bundle, dump, task = "forward", architecture = "ufno";
    std::vector<std::int64_t> grid{96, 200, 24}, modes{10, 10, 10};
    std::int64_t width = 36, batch = 1;
    int threads = 1, repeat = 5, recompute = 0;
    bool cuda = false, tf32 = false, bf16 = false, small_tiles = false, ops = false;
};

double resident_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double megabytes(std::size_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

Recipe recipe_of(const Options& options) {
    if (!options.recipe.empty()) {
        return Recipe::from_file(options.recipe);
    }
    Recipe recipe = Recipe::defaults(options.architecture);
    recipe.network.network.width = options.width;
    recipe.network.network.modes = options.modes;
    recipe.network.channels = published_channels();
    recipe.network.network.channels = static_cast<std::int64_t>(recipe.network.channels.size());
    recipe.network.fields = {published_fields().front()};
    recipe.recompute_blocks = options.recompute;
    return recipe;
}

/// The network of the options, and the recipe it would be trained by.
struct Subject {
    Recipe recipe;
    std::shared_ptr<FieldNetwork> network;
};

Subject make_subject(const Options& options, Backend& backend) {
    Subject subject{recipe_of(options), nullptr};
    if (options.bundle.empty()) {
        subject.network = std::make_shared<FieldNetwork>(backend, subject.recipe.network, subject.recipe.seed);
        return subject;
    }
    subject.network = Bundle::load(options.bundle, backend).networks.front().network;
    subject.recipe.network = subject.network->description();
    return subject;
}

/// Writes weights, inputs and output of one forward pass, for another program to repeat it.
void dump(const std::filesystem::path& folder, const FieldNetwork& network, const Batch& batch, const Shape& extents) {
    std::filesystem::create_directories(folder);
    write_published_weights(folder / "weights.safetensors", network.network());
    const Tensor prediction = FieldPlans(network).predict(batch);
    Tensor output = host_zeros(prediction.shape());
    network.backend().download(prediction.view(), output);
    const Tensor inputs = repeated_inputs(network.description(), batch, extents);
    const std::vector<NamedView> arrays{{"inputs", inputs}, {"output", output}};
    write_safetensors(folder / "forward.safetensors", arrays);
}

/// Runs the task to plan and to touch memory for the first time, and once more for a device to record it; then times
/// it.
std::vector<double> times(int repeat, const std::function<void()>& task) {
    task();
    task();
    std::vector<double> seconds;
    for (int k = 0; k < repeat; ++k) {
        const auto start = std::chrono::steady_clock::now();
        task();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(seconds);
    return seconds;
}

/// Calls and time of the ops of one pass by kind and shape, the longest first.
Json table_of(const std::vector<ExplainedOp>& ops) {
    std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, double>> spent;
    for (const ExplainedOp& op : ops) {
        auto& [calls, seconds] = spent[{op.name.substr(0, op.name.find(' ')), op.result.text()}];
        ++calls;
        seconds += op.seconds;
    }
    std::vector<std::pair<std::pair<std::string, std::string>, std::pair<std::int64_t, double>>> all(spent.begin(),
                                                                                                     spent.end());
    std::ranges::stable_sort(all, std::greater(), [](const auto& entry) { return entry.second.second; });
    Json::Array rows;
    for (const auto& [key, sum] : all) {
        rows.emplace_back(
            Json::Object{{"op", key.first}, {"shape", key.second}, {"calls", sum.first}, {"seconds", sum.second}});
    }
    return rows;
}

/// Waits until a value has been computed, without moving more than one number of it.
void wait_for(Backend& backend, ConstView value) {
    Tensor first = host_zeros({1});
    backend.download(value.reshaped({value.shape.count()}).rows(0, 1), first);
}

Precision precision_of(const Options& options) {
    return options.bf16 ? Precision::bf16 : options.tf32 ? Precision::tf32 : Precision::fp32;
}

std::unique_ptr<Backend> make_backend(const Options& options) {
    const Precision precision = precision_of(options);
    if (options.cuda) {
        return make_cuda_backend({.precision = precision});
    }
    const Winograd winograd = options.small_tiles ? Winograd::f2 : Winograd::f4;
    return make_cpu_backend({.threads = options.threads, .winograd = winograd, .precision = precision});
}

Json numbers(const std::vector<std::int64_t>& values) { return Json::Array(values.begin(), values.end()); }

double median(const std::vector<double>& sorted) {
    return 0.5 * (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]);
}

Json measure(const Options& options, const Subject& subject, Backend& backend, double before) {
    const Shape extents(std::span<const std::int64_t>(options.grid));
    const NetworkDescription& description = subject.recipe.network;
    const Batch batch = random_batch(description, extents, options.batch);
    std::vector<double> seconds;
    std::vector<ExplainedOp> ops;
    backend.reset_peak_bytes();
    if (options.task == "forward") {
        if (!options.dump.empty()) {
            dump(options.dump, *subject.network, batch, extents);
        }
        FieldPlans plans(*subject.network);
        PredictionSlot slot(*subject.network, plans);
        seconds = times(options.repeat, [&] {  // with the copies to and from the device, as a prediction has them
            slot.start(batch);
            slot.finish();
        });
        if (options.ops) {
            ops = explain_network(*subject.network, extents, options.batch, options.repeat).ops;
        }
    } else {
        TrainingStep step(*subject.network, subject.recipe, radial_edges(extents[1]));
        seconds = times(options.repeat, [&] {
            step.run(batch);
            wait_for(backend, subject.network->parameters().all().back().weight.value());
        });
        if (options.ops) {
            ops = step.explain(batch, options.repeat);
        }
    }
    const double resident = resident_megabytes();
    const MemoryPlan plan = plan_rank(description, extents, options.batch, {},
                                      {.precision = precision_of(options),
                                       .recompute_blocks = subject.recipe.recompute_blocks,
                                       .threads = options.threads})
                                .memory;
    Json::Object result{{"engine", "plumecast"},
                        {"device", backend.description()},
                        {"network", description.network.architecture},
                        {"grid", numbers(options.grid)},
                        {"width", description.network.width},
                        {"modes", numbers(description.network.modes)},
                        {"channels", description.network.channels},
                        {"batch", options.batch},
                        {"precision", name_of(precision_of(options))},
                        {"task", options.task},
                        {"threads", options.threads},
                        {"repetitions", options.repeat},
                        {"median_s", median(seconds)},
                        {"min_s", seconds.front()},
                        {"max_s", seconds.back()},
                        {"peak_memory_mb", resident},
                        {"memory_before_mb", before},
                        {"peak_tensors_mb", megabytes(backend.peak_bytes())},
                        {"planned_memory_mb", megabytes(options.task == "forward" ? plan.inference : plan.training)}};
    if (!ops.empty()) {
        result.emplace_back("ops", table_of(ops));
    }
    return result;
}

void add_options(CLI::App& app, Options& options) {
    auto* recipe = app.add_option("--recipe", options.recipe, "Network of a configuration")->type_name("CONFIG.json");
    app.add_option("--bundle", options.bundle, "First network of a trained model")->excludes(recipe);
    app.add_option("--network", options.architecture, "Architecture, without recipe and bundle")->capture_default_str();
    app.add_option("--width", options.width, "Width, without recipe and bundle")->capture_default_str();
    app.add_option("--modes", options.modes, "Modes, without recipe and bundle")->expected(3)->capture_default_str();
    app.add_option("--grid", options.grid, "Cells Z R T")->expected(3)->capture_default_str();
    app.add_option("--batch", options.batch)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--task", options.task)->check(CLI::IsMember({"forward", "training"}))->capture_default_str();
    app.add_option("--threads", options.threads)->check(CLI::PositiveNumber)->capture_default_str();
    auto* cuda = app.add_flag("--cuda", options.cuda, "On the first CUDA device instead of the CPU");
    auto* tf32 = app.add_flag("--tf32", options.tf32, "With TF32 products")->needs(cuda);
    app.add_option("--recompute", options.recompute, "recompute_blocks of the training step")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--bf16", options.bf16, "With bfloat16 fields")->excludes(tf32);
    app.add_flag("--winograd-f2", options.small_tiles, "With the smaller tiles of the CPU's convolutions");
    app.add_flag("--ops", options.ops, "With the time of every op by shape, each run by itself");
    app.add_option("--repeat", options.repeat, "Timed runs after one that warms up")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--dump", options.dump, "Folder for weights, inputs and output of the forward pass");
}

int run(int argc, char** argv) {
    CLI::App app("Times a network on random inputs, grouped as a data set gives them; prints one line of JSON.");
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    const double before = resident_megabytes();
    const auto backend = make_backend(options);
    const Subject subject = make_subject(options, *backend);
    std::puts(measure(options, subject, *backend, before).dump(-1).c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
