#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "field_sections.hpp"
#include "line_pictures.hpp"
#include "outputs.hpp"
#include "plotting/axis.hpp"
#include "plotting/picture_format.hpp"
#include "plotting/section_plot.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

struct PlotOptions {
    std::string fields, truth, output;
    std::vector<std::string> names, times;
    std::int64_t which = 0;
    std::string beside;
    std::int64_t beside_case = -1;
    bool inputs = false;
    int log_radius = 0;  ///< above 0 when asked for, below when refused
    double radius = 0.0;
    std::string section;
    std::int64_t position = -1;
    bool is_forced = false;

    bool has_beside() const { return !beside.empty() || beside_case >= 0; }
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
    const double tolerance = 1e-3 * times.back();
    if (!(day >= times.front() - tolerance && day <= times.back() + tolerance)) {
        throw InvalidInput(fmt::format(
            "--time {} lies outside the times of the file ({:.6g} to {:.6g} days); choose a day between, or 'last'",
            text, times.front(), times.back()));
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
    if (snapshots.empty()) {
        snapshots = {(count - 1) / 3, 2 * (count - 1) / 3, count - 1};
        snapshots.erase(std::ranges::unique(snapshots).begin(), snapshots.end());  // of fewer times
    }
    return snapshots;
}

/// What to draw: what is asked for, else all fields that both files have.
std::vector<std::string> names_of(const PlotOptions& options, const Dataset& fields, const Dataset* other) {
    std::vector<std::string> names;
    if (options.inputs) {
        names = input_maps(fields);
        std::erase(names, "active");  // is grey in every map
    }
    names.insert(names.end(), options.names.begin(), options.names.end());
    if (names.empty()) {
        names = fields.outputs();
        std::erase_if(names, [&](const std::string& name) {
            return other != nullptr && std::ranges::find(other->outputs(), name) == other->outputs().end();
        });
    }
    if (names.empty()) {
        throw InvalidData(options.fields +
                          ": no field to draw (/outputs is empty or shares none with the other file); predict fields "
                          "first, or draw the inputs with --inputs");
    }
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

/// Scale and extent of the radius. Inputs alone are shown on a logarithmic axis, as the cells of a radial grid lie.
void set_radius(SectionFigure& figure, const PlotOptions& options, const Dataset& fields, bool is_inputs_alone) {
    const bool is_radial = fields.geometry() == Geometry::radial;
    if (!is_radial && (options.log_radius != 0 || options.radius > 0.0)) {
        throw InvalidInput(fmt::format(
            "{}: {} has no radius ({}); leave the option out",
            options.radius > 0.0     ? "--radius"
            : options.log_radius > 0 ? "--log-radius"
                                     : "--linear-radius",
            fields.path(), fields.geometry() == Geometry::generic ? "they are generic data" : "its grid is Cartesian"));
    }
    figure.log_radius = is_radial && (options.log_radius > 0 || (options.log_radius == 0 && is_inputs_alone));
    if (options.radius > 0.0) {
        if (options.radius <= fields.r_edges()[1]) {
            throw InvalidInput(
                fmt::format("--radius {:g}: shows no more than the cells of the well, out to {:g} m "
                            "(the grid has no smaller ones); give a larger one",
                            options.radius, fields.r_edges()[1]));
        }
        figure.r_max = options.radius;
    }
}

/// The other scenario, in a file of its own or in the same.
std::optional<CaseOfFile> scenario_beside(const PlotOptions& options, const Dataset& fields, const Dataset* other) {
    if (!options.has_beside()) {
        return std::nullopt;
    }
    const CaseOfFile beside{other == nullptr ? &fields : other,
                            options.beside_case >= 0 ? options.beside_case : options.which};
    require_case(*beside.file, beside.which, options.beside_case >= 0 ? "--beside-case" : "--case");
    return beside;
}

/// Whether the data lie on a line, which is drawn as one.
bool is_line(const Dataset& fields) {
    return fields.geometry() == Geometry::generic && fields.space()[0] == 1 && fields.space().rank() == 2;
}

void require_no_section(const PlotOptions& options, const Dataset& fields) {
    if (wish_of(options) || options.log_radius != 0 || options.radius > 0.0) {
        throw InvalidInput(options.fields + ": has one axis of " + std::to_string(fields.cells()) +
                           " points (it has no sections and no radius); leave these options out");
    }
}

ExitCode plot(const PlotOptions& options, Console& console) {
    require_output_place(
        {options.output, OutputKind::picture, {options.fields, options.truth, options.beside}, options.is_forced});
    picture_format(options.output);  // another ending is refused before anything is read
    const Dataset fields(options.fields);
    std::optional<Dataset> other;
    if (!options.truth.empty() || !options.beside.empty()) {
        other.emplace(options.truth.empty() ? options.beside : options.truth);
    }
    const Dataset* second = other ? &*other : nullptr;
    const std::vector<std::string> names = names_of(options, fields, second);
    const bool is_inputs_alone =
        std::ranges::all_of(names, [&](const std::string& name) { return is_input_map(fields, name); });
    if (is_inputs_alone && !options.times.empty()) {
        throw InvalidInput("--time " + options.times.front() +
                           ": no field to draw at a time (inputs are the same at all times); leave it out");
    }
    if (!options.truth.empty()) {
        require_same_grid(fields, *second);
    } else if (second != nullptr) {
        require_like_cells(fields, *second, !is_inputs_alone);
    }
    require_case(fields, options.which);
    const bool is_generic = fields.geometry() == Geometry::generic;
    if (!is_inputs_alone && !is_generic) {
        CaseReader(Dataset(options.fields)).choose({options.which});  // names one that has no values
    }
    SectionSource source{fields,
                         options.truth.empty() ? nullptr : second,
                         options.which,
                         is_inputs_alone ? std::vector{fields.snapshots() - 1} : snapshots_of(options, fields.times()),
                         is_line(fields) ? SectionCut() : section_cut(fields, options.which, wish_of(options)),
                         scenario_beside(options, fields, second)};
    if (is_line(fields)) {
        require_no_section(options, fields);
        draw_lines(source, names, title_of(source), options.output);
    } else {
        SectionFigure figure = empty_figure(source);
        if (is_inputs_alone) {
            figure.columns = {""};
        }
        set_radius(figure, options, fields, is_inputs_alone);
        for (const std::string& name : names) {
            add_rows(figure, source, name);
        }
        draw_sections(figure, options.output);
    }
    warn_of_verdict(options.fields, options.which, console);
    if (source.beside) {
        warn_of_verdict(source.beside->file->path(), source.beside->which, console);
    }
    console.print(fmt::format(
        "{}: case {} of {}{}, {}\n", options.output, options.which, options.fields,
        source.beside ? fmt::format(" beside case {} of {}", source.beside->which, source.beside->file->path()) : "",
        fmt::join(names, " and ")));
    return exit_ok;
}

void add_what_to_draw(CLI::App& app, PlotOptions& options) {
    app.add_option("--case", options.which, "Which case, counted from 0")->type_name("K")->capture_default_str();
    auto* truth =
        app.add_option("--compare", options.truth, "Data set with the simulator's fields: adds them and the error")
            ->type_name("TRUTH.h5");
    app.add_option("--beside", options.beside,
                   "Another scenario on the same grid: adds the same case of this file on the same colours, and the "
                   "difference")
        ->excludes(truth)
        ->type_name("OTHER.h5");
    app.add_option("--beside-case", options.beside_case,
                   "Case of the other scenario, from 0; of the same file without --beside")
        ->check(not_negative())
        ->excludes(truth)
        ->type_name("K");
    app.add_option("--field", options.names, "Only this field, or this input such as porosity; repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_flag("--inputs", options.inputs, "Draw what the case is made of: permeability, porosity, perforation");
}

}  // namespace

Command make_plot(CLI::App& parent) {
    CLI::App* app =
        parent.add_subcommand("plot", "Draw maps of fields and inputs, beside simulated ones or another scenario");
    const auto options = std::make_shared<PlotOptions>();
    app->add_option("fields", options->fields, "Result of 'predict', or a data set")
        ->required()
        ->type_name("FIELDS.h5");
    app->add_option("-o,--output", options->output, "Picture: .png, .pdf or .svg")->required()->type_name("PLUME.png");
    add_what_to_draw(*app, *options);
    app->add_option("--time", options->times, "Days since the start, or 'last'; repeatable; default: three times")
        ->type_name("DAY")
        ->allow_extra_args(false);
    app->add_flag("--log-radius,!--linear-radius", options->log_radius,
                  "Draw the radius on a logarithmic axis, as inputs alone are drawn; or on a linear one");
    app->add_option("--radius", options->radius, "Cut the picture at this radius [m]; default: shows the whole plume")
        ->check(above_zero())
        ->type_name("M");
    app->add_option("--section", options->section,
                    "With three axes: vertical section along x or y, or a horizontal layer")
        ->check(CLI::IsMember({"x", "y", "layer"}))
        ->type_name("x|y|layer");
    app->add_option("--at", options->position,
                    "Line, column or layer of the section, from 0; default: through the strongest well, the top layer")
        ->check(not_negative())
        ->type_name("K");
    add_force(*app, options->is_forced);
    add_examples(*app,
                 "  plumecast plot fields.h5 -o plume.png\n"
                 "  plumecast plot fields.h5 --case 7 --compare simulated.h5 -o plume.png\n"
                 "  plumecast plot fields.h5 --field gas_saturation --time 365 --time last -o plume.png\n"
                 "  plumecast plot cases.h5 --inputs --case 7 -o inputs.png\n"
                 "  plumecast plot fields.h5 --field permeability_r --field gas_saturation --time last -o both.png\n"
                 "  plumecast plot fields.h5 --case 1 --beside-case 4 --time last -o scenarios.png\n"
                 "  plumecast plot low_rate.h5 --beside high_rate.h5 -o scenarios.pdf\n"
                 "  plumecast plot fields3d.h5 --section layer --at 0 -o plume.png");
    return {app, [options](Console& console) { return plot(*options, console); }};
}

}  // namespace plumecast::app
