#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/data/dataset.hpp>
#include <plumecast/metrics/plume.hpp>
#include <plumecast/pictures/axis.hpp>
#include <plumecast/pictures/section_plot.hpp>

#include "command.hpp"
#include "field_sections.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct PlotOptions {
    std::string fields, truth, output;
    std::vector<std::string> names, times;
    std::int64_t which = 0;
    bool log_radius = false;
    std::string section;
    std::int64_t position = -1;
    bool is_forced = false;
};

/// Index of the snapshot nearest to a text: "last" or a number of days.
std::int64_t snapshot_at(const std::string& text, const std::vector<double>& times) {
    if (text == "last") {
        return static_cast<std::int64_t>(times.size()) - 1;
    }
    double day = 0.0;
    if (!CLI::detail::lexical_cast(text, day)) {
        throw InvalidInput("--time " + text +
                           " is not a time (days since the start of injection, or 'last'); give for "
                           "example --time 365");
    }
    const auto nearest = std::ranges::min_element(times, {}, [day](double t) { return std::abs(t - day); });
    return nearest - times.begin();
}

std::vector<std::int64_t> snapshots_of(const PlotOptions& options, const std::vector<double>& times) {
    std::vector<std::int64_t> snapshots;
    for (const std::string& text : options.times) {
        snapshots.push_back(snapshot_at(text, times));
    }
    const auto count = static_cast<std::int64_t>(times.size());
    return snapshots.empty() ? std::vector<std::int64_t>{(count - 1) / 3, 2 * (count - 1) / 3, count - 1} : snapshots;
}

/// The fields to draw: those asked for, else all that both files have.
std::vector<std::string> fields_of(const PlotOptions& options, const Dataset& fields, const Dataset* truth) {
    if (!options.names.empty()) {
        return options.names;
    }
    std::vector<std::string> names = fields.outputs();
    std::erase_if(names, [&](const std::string& name) {
        return truth != nullptr && std::ranges::find(truth->outputs(), name) == truth->outputs().end();
    });
    return names;
}

/// The cut asked for; nothing when the options are left out.
std::optional<CutWish> wish_of(const PlotOptions& options) {
    if (options.section.empty() && options.position < 0) {
        return std::nullopt;
    }
    CutWish wish;
    wish.kind = options.section == "y"       ? CutKind::along_y
                : options.section == "layer" ? CutKind::layer
                                             : CutKind::along_x;
    if (options.position >= 0) {
        wish.position = options.position;
    }
    return wish;
}

ExitCode plot(const PlotOptions& options, Console& console) {
    require_output_place({options.output, OutputKind::picture, {options.fields, options.truth}, options.is_forced});
    const Dataset fields(options.fields);
    std::optional<Dataset> truth;
    if (!options.truth.empty()) {
        truth.emplace(options.truth);
        require_same_grid(fields, *truth);
    }
    const Dataset* simulated = truth ? &*truth : nullptr;
    const std::vector<std::string> names = fields_of(options, fields, simulated);
    if (names.empty()) {
        throw InvalidData(options.fields +
                          ": no field to draw (/outputs is empty or shares none with the file to "
                          "compare with); predict fields first");
    }
    require_case(fields, options.which);
    const SectionSource source{fields, simulated, options.which, snapshots_of(options, fields.times()),
                               section_cut(fields, options.which, wish_of(options))};
    SectionFigure figure = empty_figure(source);
    if (options.log_radius && fields.geometry() != Geometry::radial) {
        throw InvalidInput("--log-radius: " + fields.path() +
                           " has no radius (its grid is Cartesian); leave the option out");
    }
    figure.log_radius = options.log_radius;
    for (const std::string& name : names) {
        add_rows(figure, source, name);
    }
    draw_sections(figure, options.output);
    console.print(fmt::format("{}: case {} of {}, {}\n", options.output, options.which, options.fields,
                              fmt::join(names, " and ")));
    return exit_ok;
}

}  // namespace

Command make_plot(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("plot", "Draw maps of predicted fields, beside simulated ones");
    const auto options = std::make_shared<PlotOptions>();
    app->add_option("fields", options->fields, "Result of 'predict', or a data set")
        ->required()
        ->type_name("FIELDS.h5");
    app->add_option("-o,--output", options->output, "Picture: PNG, or PDF or SVG by the ending")
        ->required()
        ->type_name("PLUME.png");
    app->add_option("--case", options->which, "Which case, counted from 0")->type_name("K")->capture_default_str();
    app->add_option("--compare", options->truth, "Data set with the simulator's fields: adds them and the error")
        ->type_name("TRUTH.h5");
    app->add_option("--field", options->names, "Only this field; repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app->add_option("--time", options->times, "Days since the start, or 'last'; repeatable; default: three times")
        ->type_name("DAY")
        ->allow_extra_args(false);
    app->add_flag("--log-radius", options->log_radius, "Draw the radius on a logarithmic axis");
    app->add_option("--section", options->section,
                    "In a Cartesian grid: vertical section along x or y, or a horizontal layer")
        ->check(CLI::IsMember({"x", "y", "layer"}))
        ->type_name("x|y|layer");
    app->add_option("--at", options->position,
                    "Line, column or layer of the section, from 0; default: through the strongest well, the top layer")
        ->check(CLI::NonNegativeNumber)
        ->type_name("K");
    add_force(*app, options->is_forced);
    add_examples(*app,
                 "  plumecast plot fields.h5 -o plume.png\n"
                 "  plumecast plot fields.h5 --case 7 --compare simulated.h5 -o plume.png\n"
                 "  plumecast plot fields.h5 --field gas_saturation --time 365 --time last -o plume.png\n"
                 "  plumecast plot fields3d.h5 --section layer --at 0 -o plume.png");
    return {app, [options](Console& console) { return plot(*options, console); }};
}

}  // namespace plumecast::app
