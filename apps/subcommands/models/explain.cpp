#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/training/recipe.hpp>

#include "arguments/chosen_network.hpp"
#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "device.hpp"
#include "inference/explained_network.hpp"
#include "inference/exported_network.hpp"
#include "job.hpp"
#include "training/explained_step.hpp"

namespace plumecast::app {
namespace {

struct ExplainOptions {
    std::string bundle, field;
    std::vector<std::int64_t> grid;
    std::int64_t batch = 1;
    bool trains = false;  ///< a step of training in place of a prediction
    int threads = 0;
    int rounds = 5;
    std::string ranks;  ///< "N" or "BxX"; empty for one rank, which is timed
    int rank = 0;
    std::string route = "auto";
    DeviceOptions device;
    bool json = false;
};

/// A network and who computes it.
struct Explained {
    ExplainedNetwork network;
    std::string device;
    std::optional<RankPlace> place;  ///< of a rank that is planned without the others; nothing is timed then
    bool is_measured = true;         ///< the ceilings are the device's; else a data sheet's
};

/// Where ranks are explained: a device, or, where the one named is not here, only a plan of such a device.
struct ExplainedDevice {
    std::unique_ptr<Backend> backend;
    std::string name;
    bool exists = true;

    Ceilings ceilings(Precision precision) const {
        return exists ? measure_ceilings(*backend) : data_sheet_ceilings(precision);
    }
};

ExplainedDevice explained_device(const ExplainOptions& options, Console& console) {
    const std::string obstacle = options.ranks.empty() ? "" : named_device_obstacle(options.device);
    if (obstacle.empty()) {
        auto backend = make_backend(options.device, options.threads, console);
        std::string name = backend->description();
        return {std::move(backend), std::move(name)};
    }
    console.info("least ms is by the data sheet of an H200, not measured: " + obstacle);
    return {make_planning_backend(options.device.named_precision(), PlannedDevice::cuda, 0,
                                  options.device.named_spectral()),
            "a CUDA device that is not here", false};
}

/// All ops as one.
ExplainedOp sum_of(const std::vector<ExplainedOp>& ops) {
    ExplainedOp sum;
    for (const ExplainedOp& op : ops) {
        sum.work += op.work;
        sum.seconds += op.seconds;
        sum.bytes_in_use = std::max(sum.bytes_in_use, op.bytes_in_use);
    }
    sum.sent = sent_by(ops);
    return sum;
}

/// Each op at the ceiling of what limits it [s].
double least_seconds(const ExplainedNetwork& network) {
    double seconds = 0.0;
    for (const ExplainedOp& op : network.ops) {
        seconds += network.ceilings.seconds(op.work);
    }
    return seconds;
}

/// What stands above numbers_of().
std::string titles(bool is_timed) {
    return fmt::format("{:>9} {:>9} ", "MB", "GFLOP") +
           (is_timed ? fmt::format("{:>9} {:>9} {:>5}", "ms", "least ms", "%")
                     : fmt::format("{:>9} {:>9} {:>9}", "least ms", "messages", "kB sent")) +
           fmt::format(" {:>10}\n", "MB in use");
}

/// The numbers of an op that takes `least` seconds at the ceilings.
std::string numbers_of(const ExplainedOp& op, double least, bool is_timed) {
    const double share = op.seconds > 0.0 ? 100.0 * least / op.seconds : 0.0;
    return fmt::format("{:>9.2f} {:>9.3f} ", op.work.bytes / 1e6, op.work.operations / 1e9) +
           (is_timed ? fmt::format("{:>9.3f} {:>9.3f} {:>5.0f}", 1e3 * op.seconds, 1e3 * least, share)
                     : fmt::format("{:>9.3f} {:>9} {:>9.1f}", 1e3 * least, op.sent.messages,
                                   static_cast<double>(op.sent.bytes) / 1e3)) +
           fmt::format(" {:>10.2f}\n", static_cast<double>(op.bytes_in_use) / 1e6);
}

std::string table_of(const ExplainedNetwork& network, bool is_timed) {
    std::size_t names = 2, shapes = 6;
    for (const ExplainedOp& op : network.ops) {
        names = std::max(names, op.name.size());
        shapes = std::max(shapes, op.result.text().size());
    }
    const auto head = [&](const std::string& name, const std::string& shape) {
        return fmt::format("{:<{}} {:<{}} ", name, names, shape, shapes);
    };
    std::string text = head("op", "result") + titles(is_timed);
    for (const ExplainedOp& op : network.ops) {
        text += head(op.name, op.result.text()) + numbers_of(op, network.ceilings.seconds(op.work), is_timed);
    }
    return text + head(fmt::format("all {} ops", network.ops.size()), "") +
           numbers_of(sum_of(network.ops), least_seconds(network), is_timed);
}

std::string text_of(const Explained& explained, const std::string& title) {
    const ExplainedNetwork& network = explained.network;
    const bool is_timed = !explained.place.has_value();
    return fmt::format(
        "{}\n"
        "copies {:.1f} GB/s, matrix products {:.0f} GFLOP/s{}; least ms: what moving or computing takes at these "
        "rates{}\n\n"
        "{}\n"
        "memory of a run {:.1f} MB, constants {:.1f} MB, weights {:.1f} MB\n",
        title, network.ceilings.bytes_per_second / 1e9, network.ceilings.operations_per_second / 1e9,
        explained.is_measured ? "" : " by the data sheet of an H200", is_timed ? "" : "; messages take time besides",
        table_of(network, is_timed), static_cast<double>(network.workspace_bytes) / 1e6,
        static_cast<double>(network.constant_bytes) / 1e6, static_cast<double>(network.weight_bytes) / 1e6);
}

Json json_of(const ExplainedOp& op, const Ceilings& ceilings, bool is_timed) {
    const auto extents = op.result.extents();
    Json::Object entry{{"op", op.name},
                       {"result", Json::Array(extents.begin(), extents.end())},
                       {"bytes", op.work.bytes},
                       {"operations", op.work.operations},
                       {"least_seconds", ceilings.seconds(op.work)},
                       {"bytes_in_use", static_cast<std::int64_t>(op.bytes_in_use)}};
    if (is_timed) {
        entry.emplace_back("seconds", op.seconds);
    } else {
        entry.emplace_back("messages", op.sent.messages);
        entry.emplace_back("bytes_sent", op.sent.bytes);
    }
    return entry;
}

Json json_of(const Explained& explained) {
    const ExplainedNetwork& network = explained.network;
    Json::Object report{{"device", explained.device},
                        {"ceilings", explained.is_measured ? "measured" : "data sheet of an H200"},
                        {"bytes_per_second", network.ceilings.bytes_per_second},
                        {"operations_per_second", network.ceilings.operations_per_second},
                        {"workspace_bytes", static_cast<std::int64_t>(network.workspace_bytes)},
                        {"constant_bytes", static_cast<std::int64_t>(network.constant_bytes)},
                        {"weight_bytes", static_cast<std::int64_t>(network.weight_bytes)}};
    if (explained.place) {
        const Traffic sent = sent_by(network.ops);
        report.emplace_back("ranks", explained.place->grid.text());
        report.emplace_back("rank", explained.place->rank);
        report.emplace_back("messages", sent.messages);
        report.emplace_back("bytes_sent", sent.bytes);
    }
    Json::Array ops;
    for (const ExplainedOp& op : network.ops) {
        ops.push_back(json_of(op, network.ceilings, !explained.place));
    }
    report.emplace_back("ops", ops);
    return report;
}

/// The process grid asked for, or the best for so many ranks; nothing where one rank is to be timed.
std::optional<RankPlace> place_of(const ExplainOptions& options, const FieldNetwork& network, const Shape& grid) {
    if (options.ranks.empty()) {
        return std::nullopt;
    }
    const Backend& backend = network.backend();
    const Route route = route_named(options.route);
    GridShape shape = GridShape::parse(options.ranks);
    if (options.ranks.find('x') == std::string::npos) {
        const GridTask task{network.description(),
                            grid,
                            options.batch,
                            options.trains ? GridPurpose::training : GridPurpose::prediction,
                            backend.field_type() == DType::bfloat16 ? Precision::bf16 : Precision::fp32,
                            backend.shares_host_memory() ? PlannedDevice::cpu : PlannedDevice::cuda,
                            0,
                            backend.host_threads(),
                            backend.spectral_way()};
        shape = best_grid(task, shape.ranks(), route, 1);
    }
    return RankPlace{shape, options.rank, route};
}

ExplainedNetwork explained(const ExplainOptions& options, const FieldNetwork& network, const Shape& grid,
                           const std::optional<RankPlace>& place, const ExplainedDevice& device) {
    if (!place) {
        return options.trains ? explain_step(network, grid, options.batch, options.rounds)
                              : explain_network(network, grid, options.batch, options.rounds);
    }
    const Ceilings ceilings = device.ceilings(options.device.named_precision());
    return options.trains ? explain_step(network, grid, options.batch, *place, ceilings)
                          : explain_rank(network, grid, options.batch, *place, ceilings);
}

/// A model, or the network of a recipe with the weights that its training would start from.
Bundle model_or_recipe(const std::string& path, Backend& backend) {
    std::error_code ignored;
    if (!path.ends_with(".json") || std::filesystem::is_directory(path, ignored)) {
        return Bundle::load(model_path(path), backend);
    }
    const Recipe recipe = Recipe::from_file(path);
    Bundle bundle{.path = path, .title = {}, .networks = {}, .training = Json::Object{}};
    bundle.networks.push_back({{}, {}, std::make_shared<FieldNetwork>(backend, recipe.network, recipe.seed)});
    return bundle;
}

ExitCode explain(const ExplainOptions& options, Console& console) {
    const ExplainedDevice device = explained_device(options, console);
    const Bundle bundle = model_or_recipe(options.bundle, *device.backend);
    const BundleNetwork& entry = chosen_network(bundle, options.field);
    const Shape grid = chosen_grid(options.grid, bundle, entry.network->description().network);
    const FieldNetwork& network = *entry.network;
    const std::optional<RankPlace> place = place_of(options, network, grid);
    const Explained report{explained(options, network, grid, place, device), device.name, place, device.exists};
    const std::string how =
        place ? fmt::format("planned for rank {} of {} as {}", place->rank, place->grid.ranks(), place->grid.text())
              : "medians of " + counted(options.rounds, "run");
    const std::string title =
        fmt::format("{}: {}{} of {}, grid {}, on {}; {}", bundle.path, options.trains ? "training of " : "",
                    fields_text(entry), counted(options.batch, "case"), grid.text(), report.device, how);
    console.print(options.json ? json_of(report).dump() + "\n" : text_of(report, title));
    return exit_ok;
}

/// Adds `--ranks`, which it returns, `--rank` and `--route`.
CLI::Option* add_rank(CLI::App& app, ExplainOptions& options) {
    CLI::Option* ranks = app.add_option(
        "--ranks", options.ranks,
        "Plan one of so many ranks without the others, and count its messages: BxX as --grid of predict, or a number, "
        "for which the best grid is taken");
    ranks->type_name("N|BxX");
    app.add_option("--rank", options.rank, "Which of them; the first one has most work")
        ->check(not_negative())
        ->needs(ranks)
        ->type_name("K")
        ->capture_default_str();
    add_route(app, options.route)->needs(ranks);
    return ranks;
}

}  // namespace

Command make_explain(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand(
        "explain", "Show what a prediction, or a step of training, computes, op by op, with time and memory");
    const auto options = std::make_shared<ExplainOptions>();
    app->add_option("bundle", options->bundle, std::string(model_help) + "; or a recipe (.json), with --grid")
        ->required()
        ->type_name("BUNDLE|CONFIG.json");
    add_chosen_network(*app, options->field, options->grid);
    app->add_option("--batch", options->batch, "Cases computed at once")
        ->check(above_zero())
        ->type_name("N")
        ->capture_default_str();
    CLI::Option* rounds = app->add_option("--rounds", options->rounds, "How often each op is timed");
    rounds->check(above_zero())->type_name("N")->capture_default_str();
    add_rank(*app, *options)->excludes(rounds);
    app->add_flag("--training", options->trains, "A step of training up to the gradients, not a prediction");
    app->add_flag("--json", options->json, "Print JSON");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(*app,
                 "  plumecast explain models/radial-co2\n"
                 "  plumecast explain models/radial-co2 --grid 64,128,24 --batch 4 --threads 2\n"
                 "  plumecast explain models/radial-co2 --ranks 1x4 --rank 1\n"
                 "  plumecast explain models/radial-co2 --training --batch 4\n"
                 "  plumecast explain train.json --grid 32,64,24 --training\n\n"
                 "The network alone, without reduced physics and files. Nothing else should run meanwhile.");
    return {app, [options](Console& console) { return explain(*options, console); }};
}

}  // namespace plumecast::app
