#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>
#include <plumecast/core/number_text.hpp>
#include <plumecast/inference/explained_network.hpp>
#include <plumecast/inference/exported_network.hpp>

#include "arguments/chosen_network.hpp"
#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "device.hpp"

namespace plumecast::app {
namespace {

struct ExplainOptions {
    std::string bundle, field;
    std::vector<std::int64_t> grid;
    std::int64_t batch = 1;
    int threads = 0;
    int rounds = 5;
    DeviceOptions device;
    bool json = false;
};

/// All ops as one.
ExplainedOp sum_of(const std::vector<ExplainedOp>& ops) {
    ExplainedOp sum;
    for (const ExplainedOp& op : ops) {
        sum.work += op.work;
        sum.seconds += op.seconds;
        sum.bytes_in_use = std::max(sum.bytes_in_use, op.bytes_in_use);
    }
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

std::string row(const std::string& name, const std::string& shape, std::size_t name_width, std::size_t shape_width,
                const ExplainedOp& op, double least) {
    return fmt::format("{:<{}} {:<{}} {:>9.2f} {:>9.3f} {:>9.3f} {:>9.3f} {:>5.0f} {:>10.2f}\n", name, name_width,
                       shape, shape_width, op.work.bytes / 1e6, op.work.operations / 1e9, 1e3 * op.seconds, 1e3 * least,
                       op.seconds > 0.0 ? 100.0 * least / op.seconds : 0.0, static_cast<double>(op.bytes_in_use) / 1e6);
}

std::string table_of(const ExplainedNetwork& network) {
    std::size_t names = 2, shapes = 6;
    for (const ExplainedOp& op : network.ops) {
        names = std::max(names, op.name.size());
        shapes = std::max(shapes, op.result.text().size());
    }
    std::string text = fmt::format("{:<{}} {:<{}} {:>9} {:>9} {:>9} {:>9} {:>5} {:>10}\n", "op", names, "result",
                                   shapes, "MB", "GFLOP", "ms", "least ms", "%", "MB in use");
    for (const ExplainedOp& op : network.ops) {
        text += row(op.name, op.result.text(), names, shapes, op, network.ceilings.seconds(op.work));
    }
    const ExplainedOp sum = sum_of(network.ops);
    return text + row(fmt::format("all {} ops", network.ops.size()), "", names, shapes, sum, least_seconds(network));
}

std::string text_of(const ExplainedNetwork& network, const std::string& title) {
    return fmt::format(
        "{}\n"
        "copies {:.1f} GB/s, matrix products {:.0f} GFLOP/s; least ms: what moving or computing takes at these "
        "rates\n\n"
        "{}\n"
        "memory of a run {:.1f} MB, constants {:.1f} MB, weights {:.1f} MB\n",
        title, network.ceilings.bytes_per_second / 1e9, network.ceilings.operations_per_second / 1e9, table_of(network),
        static_cast<double>(network.workspace_bytes) / 1e6, static_cast<double>(network.constant_bytes) / 1e6,
        static_cast<double>(network.weight_bytes) / 1e6);
}

Json json_of(const ExplainedNetwork& network, const std::string& device) {
    Json::Array ops;
    for (const ExplainedOp& op : network.ops) {
        const auto extents = op.result.extents();
        ops.push_back(Json::Object{{"op", op.name},
                                   {"result", Json::Array(extents.begin(), extents.end())},
                                   {"bytes", op.work.bytes},
                                   {"operations", op.work.operations},
                                   {"seconds", op.seconds},
                                   {"least_seconds", network.ceilings.seconds(op.work)},
                                   {"bytes_in_use", static_cast<std::int64_t>(op.bytes_in_use)}});
    }
    return Json::Object{{"device", device},
                        {"bytes_per_second", network.ceilings.bytes_per_second},
                        {"operations_per_second", network.ceilings.operations_per_second},
                        {"workspace_bytes", static_cast<std::int64_t>(network.workspace_bytes)},
                        {"constant_bytes", static_cast<std::int64_t>(network.constant_bytes)},
                        {"weight_bytes", static_cast<std::int64_t>(network.weight_bytes)},
                        {"ops", ops}};
}

ExitCode explain(const ExplainOptions& options, Console& console) {
    const auto backend = make_backend(options.device, options.threads, console);
    const Bundle bundle = Bundle::load(model_path(options.bundle), *backend);
    const BundleNetwork& entry = chosen_network(bundle, options.field);
    const Shape grid = chosen_grid(options.grid, bundle, entry.network->description().network);
    const ExplainedNetwork network = explain_network(*entry.network, grid, options.batch, options.rounds);
    const std::string device = backend->description();
    const std::string title =
        fmt::format("{}: {} of {}, grid {}, on {}; medians of {}", bundle.path, fields_text(entry),
                    counted(options.batch, "case"), grid.text(), device, counted(options.rounds, "run"));
    console.print(options.json ? json_of(network, device).dump() + "\n" : text_of(network, title));
    return exit_ok;
}

}  // namespace

Command make_explain(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("explain", "Show what a prediction computes, op by op, with time and memory");
    const auto options = std::make_shared<ExplainOptions>();
    app->add_option("bundle", options->bundle, model_help)->required()->type_name("BUNDLE");
    add_chosen_network(*app, options->field, options->grid);
    app->add_option("--batch", options->batch, "Cases computed at once")
        ->check(above_zero())
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--rounds", options->rounds, "How often each op is timed")
        ->check(above_zero())
        ->type_name("N")
        ->capture_default_str();
    app->add_flag("--json", options->json, "Print JSON");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(*app,
                 "  plumecast explain models/radial-co2\n"
                 "  plumecast explain models/radial-co2 --grid 64,128,24 --batch 4 --threads 2\n\n"
                 "The network alone, without reduced physics and files. Nothing else should run meanwhile.");
    return {app, [options](Console& console) { return explain(*options, console); }};
}

}  // namespace plumecast::app
