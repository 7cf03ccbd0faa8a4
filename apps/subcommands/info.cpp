#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "arguments/model_path.hpp"
#include "bundle_output.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "inference/exported_network.hpp"
#include "inference/prediction/rolled_prediction.hpp"
#include "reservoir/batches/summary.hpp"
#include "subcommands/cases/note_lines.hpp"

namespace plumecast::app {
namespace {

struct InfoOptions {
    std::string path;
    bool json = false;
};

std::string range_lines(const std::map<std::string, Range>& ranges) {
    std::string text;
    for (const auto& [name, range] : ranges) {
        text += fmt::format("    {:<30} {:>10.5g} to {:<10.5g} {}\n", name, range.low, range.high,
                            range.unit == "1" ? "" : range.unit);
    }
    return text;
}

Json range_json(const std::map<std::string, Range>& ranges) {
    Json json = Json::Object{};
    for (const auto& [name, range] : ranges) {
        json[name] = Json::Object{{"min", range.low}, {"max", range.high}, {"unit", range.unit}};
    }
    return json;
}

Json names_json(const std::vector<std::string>& names) { return Json::Array(names.begin(), names.end()); }

std::string grid_text(const DataSummary& s) {
    if (s.lines == 0) {
        return fmt::format("{} rows x {} columns x {}", s.rows, s.columns, counted(s.snapshots, "time"));
    }
    std::string cells = s.is_corner_point    ? ", a corner-point grid"
                        : s.has_cell_volumes ? ", cells with volumes of their own"
                                             : "";
    if (s.connections > 0) {
        cells += fmt::format(", {} between cells that are no neighbours", counted(s.connections, "connection"));
    }
    return fmt::format("{} (z) x {} (y) x {} (x) cells x {}{}", s.rows, s.lines, s.columns,
                       counted(s.snapshots, "time"), cells);
}

std::string width_text(const DataSummary& s) {
    return s.lines == 0 ? fmt::format("radius {:.6g} m", s.radius)
                        : fmt::format("{:.6g} m along x, {:.6g} m along y", s.length_x, s.length_y);
}

std::string text_of(const DataSummary& s, const std::string& path) {
    std::string text = fmt::format("{}: {}\n", path, s.kind);
    if (!s.title.empty()) {
        text += fmt::format("  title     {}\n", s.title);
    }
    if (!s.source.empty()) {
        text += fmt::format("  source    {}\n", s.source);
    }
    text += fmt::format("  cases     {}\n  grid      {}\n", s.cases, grid_text(s));
    if (s.radius > 0.0 || s.length_x > 0.0) {
        text += fmt::format("  extent    {}, depth {:.6g} m, {:.4g} to {:.6g} days\n", width_text(s), s.depth,
                            s.first_time, s.last_time);
        if (s.periods > 0) {
            text += fmt::format("  schedule  rates in {}\n", counted(s.periods, "period"));
        }
        if (const std::string place = s.place.text(); !place.empty()) {
            text += fmt::format("  place     {}\n", place);
        }
    }
    if (s.channels.empty()) {
        text +=
            fmt::format("  outputs   {}\n  inputs (active cells)\n{}",
                        s.outputs.empty() ? "none: a file to be predicted" : fmt::to_string(fmt::join(s.outputs, ", ")),
                        range_lines(s.inputs));
    } else {
        text += fmt::format("  channels  {}\n", fmt::join(s.channels, ", "));
    }
    for (const std::string& line : first_lines(s.notes)) {
        text += fmt::format("  note      {}\n", line);
    }
    return text + fmt::format("  size      {} on disk, {} unpacked\n", bytes_text(static_cast<double>(s.file_bytes)),
                              bytes_text(static_cast<double>(s.unpacked_bytes)));
}

Json json_of(const DataSummary& s) {
    Json json = Json::Object{{"kind", s.kind},
                             {"title", s.title},
                             {"source", s.source},
                             {"cases", s.cases},
                             {"rows", s.rows},
                             {"columns", s.columns},
                             {"snapshots", s.snapshots},
                             {"lines", s.lines},
                             {"radius_m", s.radius},
                             {"length_x_m", s.length_x},
                             {"length_y_m", s.length_y},
                             {"depth_m", s.depth},
                             {"first_time_day", s.first_time},
                             {"last_time_day", s.last_time},
                             {"schedule_periods", s.periods},
                             {"inputs", range_json(s.inputs)},
                             {"outputs", names_json(s.outputs)},
                             {"channels", names_json(s.channels)},
                             {"file_bytes", static_cast<std::int64_t>(s.file_bytes)},
                             {"unpacked_bytes", static_cast<std::int64_t>(s.unpacked_bytes)}};
    s.place.put(json);
    json["notes"] = notes_json(s.notes);
    return json;
}

std::map<std::string, Range> ranges_of(const Bundle& bundle) {
    if (bundle.training.find("ranges") == nullptr) {
        return {};
    }
    JsonReader reader(bundle.training, bundle.path + "/model.json: training");
    return InputRanges::read(reader, "ranges").ranges();
}

bool has_constants_of_points(const Bundle& bundle) {
    const auto has_points = [](const auto& one) { return !one.points.empty(); };
    return std::ranges::any_of(bundle.networks, [&](const BundleNetwork& entry) {
        const NetworkDescription& description = entry.network->description();
        return std::ranges::any_of(description.channels, has_points) ||
               std::ranges::any_of(description.fields, has_points);
    });
}

/// How a model rolls over times; nothing where it does not.
std::string rollout_text(const Bundle& bundle) {
    const RolloutOptions rollout = recorded_rollout(bundle);
    std::string text;
    for (const RolledState& state : rollout.states) {
        text += fmt::format("  rolls     {} over {} at once, from {}\n", state.output, counted(rollout.steps, "time"),
                            fmt::join(state.inputs, ", "));
    }
    return text;
}

/// Grid and times of the training.
std::string grid_text(const Bundle& bundle) {
    if (bundle.training.find("points") != nullptr) {
        const Shape points = grid_of_training(bundle);
        return fmt::format("  points    {} with time, of generic data; {}\n{}", fmt::join(points.extents(), " x "),
                           has_constants_of_points(bundle) ? "it has constants of each of them, and predicts no others"
                                                           : "any others may be predicted",
                           rollout_text(bundle));
    }
    const std::vector<GridAndTimes> grids = training_grids(bundle);
    if (grids.empty()) {
        return "  grid      unknown: use it on the grid and the times of its training only\n";
    }
    const GridAndTimes& grid = grids.front();
    const std::string width =
        grid.is_radial() ? fmt::format("radius {:.6g} m", grid.r_edges.back())
                         : fmt::format("{:.6g} m along x, {:.6g} m along y", grid.x_edges.back() - grid.x_edges.front(),
                                       grid.y_edges.back() - grid.y_edges.front());
    const std::string place = grid.place.text();
    return fmt::format("  grid      {} cells and times, {}, depth {:.6g} m, {:.4g} to {:.6g} days{}{}\n", grid.text(),
                       width, grid.z_edges.back(), grid.times.front(), grid.times.back(), place.empty() ? "" : ", ",
                       place);
}

std::string text_of(const Bundle& bundle) {
    std::string text =
        fmt::format("{}: model\n  title     {}\n  hash      {}\n", bundle.path, bundle.title, bundle.hash());
    for (const BundleNetwork& entry : bundle.networks) {
        const NetworkDescription& description = entry.network->description();
        std::string fields, channels;
        for (const Field& field : description.fields) {
            fields += (fields.empty() ? "" : ", ") + field.name + " [" + field.unit + "]";
        }
        for (const Channel& channel : description.channels) {
            channels += (channels.empty() ? "" : ", ") + channel.name;
        }
        text += fmt::format("  network   {}\n    predicts  {}\n    from      {}\n", network_text(*entry.network),
                            fields, channels);
        if (description.physics) {
            const PhysicsSettings& settings = description.physics->settings;
            text += fmt::format("    corrects  {} physics (version {}, {})\n", physics_kind, settings.version,
                                counted(settings.substeps, "substep"));
        }
    }
    const auto ranges = ranges_of(bundle);
    return text + grid_text(bundle) +
           (ranges.empty() ? "  trained for unknown ranges\n" : "  trained for\n" + range_lines(ranges));
}

Json json_of(const Bundle& bundle) {
    Json::Array networks;
    for (const BundleNetwork& entry : bundle.networks) {
        Json network = to_json(entry.network->description());
        network["parameters"] = entry.network->parameters().count();
        network["sha256"] = entry.hash;
        networks.push_back(std::move(network));
    }
    Json::Array grids;
    for (const GridAndTimes& grid : training_grids(bundle)) {
        grids.push_back(grid.to_json());
    }
    return Json::Object{{"kind", "model"},           {"title", bundle.title},
                        {"hash", bundle.hash()},     {"networks", std::move(networks)},
                        {"grids", std::move(grids)}, {"training", bundle.training}};
}

ExitCode info(const InfoOptions& options, Console& console) {
    const std::string path = model_path(options.path);
    if (std::filesystem::is_directory(path)) {
        const auto backend = make_cpu_backend({.threads = 1});
        const Bundle bundle = Bundle::load(path, *backend);
        console.print(options.json ? json_of(bundle).dump() + "\n" : text_of(bundle));
    } else {
        const DataSummary summary = describe(options.path);
        console.print(options.json ? json_of(summary).dump() + "\n" : text_of(summary, options.path));
    }
    return exit_ok;
}

}  // namespace

Command make_info(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("info", "Describe a data file or a model");
    const auto options = std::make_shared<InfoOptions>();
    app->add_option("path", options->path,
                    "Data set, file with ready-made channels, model folder, or name of an installed model")
        ->required()
        ->type_name("FILE_OR_BUNDLE");
    app->add_flag("--json", options->json, "Print JSON");
    add_examples(*app, "  plumecast info cases.h5\n  plumecast info models/radial-co2 --json");
    return {app, [options](Console& console) { return info(*options, console); }};
}

}  // namespace plumecast::app
