#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/backend/backend.hpp>

#include "arguments/chosen_network.hpp"
#include "arguments/model_path.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "inference/exported_network.hpp"
#include "io/atomic_file.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct ExportOnnxOptions {
    std::string bundle, output, field;
    std::vector<std::int64_t> grid;
    bool is_forced = false;
};

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
    const Shape grid = chosen_grid(options.grid, bundle, description.network);
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
                              description.corrects_physics() ? ", base and correction from the reduced physics"
                              : description.has_base()       ? ", base and correction from the constants of points"
                                                             : ""));
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
    add_chosen_network(*app, options->field, options->grid);
    add_force(*app, options->is_forced);
    add_examples(*app,
                 "  plumecast export-onnx models/radial-co2 -o radial-co2.onnx\n"
                 "  plumecast export-onnx models/radial-co2 -o coarse.onnx --grid 16,40,12\n\n"
                 "The file takes any number of cases, normalised channels [batch, Z, R, T, channel] in the order of\n"
                 "its metadata plumecast.network, and gives normalised fields [batch, Z, R, T, field].");
    return {app, [options](Console& console) { return export_onnx(*options, console); }};
}

}  // namespace plumecast::app
