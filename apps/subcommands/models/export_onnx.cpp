#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/number_text.hpp>
#include <plumecast/inference/exported_network.hpp>
#include <plumecast/reservoir/io/atomic_file.hpp>

#include "arguments/model_path.hpp"
#include "command.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

constexpr std::int64_t most_cells = 100000;  // of an axis

struct ExportOnnxOptions {
    std::string bundle, output, field;
    std::vector<std::int64_t> grid;
    bool is_forced = false;
};

std::string fields_text(const BundleNetwork& entry) {
    std::vector<std::string> names;
    for (const Field& field : entry.network->description().fields) {
        names.push_back(field.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The network that predicts the field, or the only one.
const BundleNetwork& chosen_network(const Bundle& bundle, const std::string& field) {
    std::string all;
    for (const BundleNetwork& entry : bundle.networks) {
        const bool has_field = std::ranges::any_of(entry.network->description().fields,
                                                   [&](const Field& own) { return own.name == field; });
        if (has_field || (field.empty() && bundle.networks.size() == 1)) {
            return entry;
        }
        all += (all.empty() ? "" : "; ") + fields_text(entry);
    }
    throw InvalidInput(
        field.empty() ? fmt::format("{}: has {} networks, of {} (an ONNX file has one); name a field of the one to "
                                    "export with --field",
                                    bundle.path, bundle.networks.size(), all)
                      : fmt::format("{}: predicts no field {} (its fields: {}); name one of these with --field",
                                    bundle.path, field, all));
}

Shape chosen_grid(const ExportOnnxOptions& options, const Bundle& bundle, const NetworkConfig& network) {
    const Shape grid = options.grid.empty() ? grid_of_training(bundle) : Shape(options.grid);
    if (grid.rank() == 0) {
        throw InvalidInput(bundle.path +
                           ": does not say which grid it was trained on (it comes from elsewhere or an older version); "
                           "give cells and times with --grid");
    }
    if (std::ranges::any_of(grid.extents(), [](std::int64_t cells) { return cells < 1 || cells > most_cells; }) ||
        grid.rank() != static_cast<int>(network.modes.size())) {
        throw InvalidInput(
            fmt::format("--grid {} does not fit (the network wants {}); give as many numbers, each "
                        "from 1 to {}",
                        fmt::join(options.grid, ","), network.modes.size() == 3 ? "Z,R,T" : "Z,Y,X,T", most_cells));
    }
    return grid;
}

/// A network computes on any grid that holds its modes, and is right on the one that it learned from.
void warn_of_another_grid(const Shape& grid, const Shape& trained, Console& console) {
    if (trained.rank() > 0 && !(grid == trained)) {
        console.warn(fmt::format(
            "the network was trained on a grid {}, not {}, where its errors are not known; 'plumecast predict' "
            "carries other grids over to its own",
            trained.text(), grid.text()));
    }
}

ExitCode export_onnx(const ExportOnnxOptions& options, Console& console) {
    const std::string path = model_path(options.bundle);
    require_output_place({options.output, OutputKind::onnx, {path}, options.is_forced});
    const auto backend = make_cpu_backend({.threads = 1});
    const Bundle bundle = Bundle::load(path, *backend);
    const BundleNetwork& entry = chosen_network(bundle, options.field);
    const NetworkDescription& description = entry.network->description();
    const Shape grid = chosen_grid(options, bundle, description.network);
    const Shape trained = grid_of_training(bundle);
    warn_of_another_grid(grid, trained, console);
    const std::string file =
        exported_network(*entry.network, grid,
                         {{"plumecast.title", bundle.title},
                          {"plumecast.weights", entry.hash},
                          {"plumecast.trained_grid", trained.rank() > 0 ? trained.text() : "unknown"}});
    write_text_atomically(options.output, file);
    console.print(fmt::format("{}: {} of a grid {}, {:.1f} MB; {}{}\n", options.output, fields_text(entry), grid.text(),
                              static_cast<double>(file.size()) / 1e6,
                              counted(static_cast<std::int64_t>(description.channels.size()), "input channel"),
                              description.corrects_physics() ? ", base and correction from the reduced physics" : ""));
    return exit_ok;
}

}  // namespace

Command make_export_onnx(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("export-onnx", "Write a network as ONNX file for other runtimes");
    const auto options = std::make_shared<ExportOnnxOptions>();
    app->add_option("bundle", options->bundle, model_help)->required()->type_name("BUNDLE");
    app->add_option("-o,--output", options->output, "ONNX file; appears when it is complete, or not at all")
        ->required()
        ->type_name("OUT.onnx");
    app->add_option("--grid", options->grid, "Cells and times of cases; default: those of the training")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("Z,R,T|Z,Y,X,T");
    app->add_option("--field", options->field, "A field of the network, where the model has several networks")
        ->type_name("NAME");
    add_force(*app, options->is_forced);
    add_examples(*app,
                 "  plumecast export-onnx models/radial-co2 -o radial-co2.onnx\n"
                 "  plumecast export-onnx models/radial-co2 -o coarse.onnx --grid 16,40,12\n\n"
                 "The file takes any number of cases, normalised channels [batch, Z, R, T, channel] in the order of\n"
                 "its metadata plumecast.network, and gives normalised fields [batch, Z, R, T, field].");
    return {app, [options](Console& console) { return export_onnx(*options, console); }};
}

}  // namespace plumecast::app
