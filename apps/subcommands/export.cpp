#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reporting/export.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "dates.hpp"
#include "error_message.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

struct ExportCommandOptions {
    std::string fields;
    std::string start;
    std::vector<std::string> formats;
    double top_depth = -1.0;
    ExportOptions run;
};

ExportFormat format_of(const std::string& name) {
    const std::vector<std::string> names = {"eclipse", "vtk", "xdmf", "csv"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (name == names[i]) {
            return static_cast<ExportFormat>(i);
        }
    }
    const std::string meant = nearest(name, names);
    throw InvalidInput(fmt::format("--format {} is no format (formats: {}); {}", name, fmt::join(names, ", "),
                                   meant.empty() ? "choose one of them" : "did you mean '" + meant + "'?"));
}

ExitCode export_cases(const ExportCommandOptions& subcommand, Console& console) {
    ExportOptions options = subcommand.run;
    if (!subcommand.formats.empty()) {
        options.formats.clear();
        for (const std::string& name : subcommand.formats) {
            options.formats.push_back(format_of(name));
        }
    }
    if (!subcommand.start.empty()) {
        options.start = date_of(subcommand.start);
    }
    if (subcommand.top_depth >= 0.0) {
        options.top_depth = subcommand.top_depth;
    }
    std::string depth;
    options.log = [&](Severity, std::string_view message) { depth = in_command_line_words(std::string(message)); };
    std::vector<std::int64_t> without_values;
    options.without_values = [&](std::int64_t number) { without_values.push_back(number); };
    const Interrupts interrupts;
    const std::int64_t done =
        export_fields(subcommand.fields, options, [&](std::int64_t finished, std::int64_t wanted) {
            console.progress(fmt::format("{}/{} cases", finished, wanted));
            return !interrupts.requested();
        });
    if (interrupts.requested()) {
        console.warn(fmt::format("interrupted; {} complete in {}; the same command writes the others",
                                 counted(done, "case"), options.folder.string()));
        return exit_interrupted;
    }
    warn_of_missing_values(without_values, subcommand.fields, console);
    console.print(
        fmt::format("{}: {} of {}\n{}\n", options.folder.string(), counted(done, "case"), subcommand.fields, depth));
    return exit_ok;
}

}  // namespace

Command make_export(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("export", "Write fields as ECLIPSE, VTK, XDMF or CSV files");
    const auto options = std::make_shared<ExportCommandOptions>();
    app->add_option("fields", options->fields, "Result of 'predict', or a data set with outputs")
        ->required()
        ->type_name("FIELDS.h5");
    app->add_option("-o,--output", options->run.folder, "Folder for the files; made when missing")
        ->required()
        ->type_name("FOLDER");
    app->add_option("--format", options->formats, "eclipse (the default), vtk, xdmf or csv; repeatable")
        ->type_name("FORMAT")
        ->allow_extra_args(false);
    app->add_option("--case", options->run.cases, "Only this case, counted from 0; repeatable")
        ->type_name("K")
        ->allow_extra_args(false);
    app->add_option("--name", options->run.name, "Name of the files; several cases get a number: NAME_0007")
        ->type_name("NAME")
        ->capture_default_str();
    app->add_option("--sectors", options->run.sectors,
                    "Sectors of the cylinder that a radial case becomes; 1 for one column of cells per ring")
        ->check(between(1, 360))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--start", options->start, "Date of day 0, instead of that of the file; default 2020-01-01")
        ->type_name("YYYY-MM-DD");
    app->add_option("--top-depth", options->top_depth,
                    "Depth of the top of the formation [m]; default: as the file states it, else where fresh water at "
                    "rest has the initial pressure")
        ->check(not_negative())
        ->type_name("M");
    app->add_option("--jobs", options->run.jobs,
                    "Cases written at once, one thread each; default: four per core, 32 at most")
        ->check(above_zero())
        ->type_name("N");
    app->add_flag("--formatted", options->run.formatted, "ECLIPSE files as text (FEGRID, FUNRST ...)");
    add_force(*app, options->run.is_forced);
    add_examples(*app,
                 "  plumecast export fields.h5 -o eclipse\n"
                 "  plumecast export fields.h5 --case 7 --format vtk --format csv -o case7\n"
                 "  plumecast export fields.h5 --format xdmf -o paraview");
    return {app, [options](Console& console) { return export_cases(*options, console); }};
}

}  // namespace plumecast::app
