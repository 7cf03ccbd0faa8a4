#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "case_report.hpp"
#include "command.hpp"
#include "core/json_assignment.hpp"
#include "core/number_text.hpp"
#include "io/folders.hpp"
#include "mass_check.hpp"
#include "note_lines.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct ImportCommand {
    ImportOptions options;
    std::vector<std::string> set;
    std::string grid = "auto";
    bool is_forced = false;
};

constexpr std::size_t shown_assumptions = 10;

/// "KEY=VALUE", the value JSON where it is JSON, else text.
void add_setting(const std::string& text, Json& settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InvalidInput("--set " + text +
                           ": no KEY=VALUE (an entry and its value are needed); write for example "
                           "--set temperature=60");
    }
    const std::string value = text.substr(equals + 1);
    try {
        settings[text.substr(0, equals)] = Json::parse(value, "--set " + text);
    } catch (const InvalidInput&) {
        require_no_meant_number(value, "--set " + text);
        settings[text.substr(0, equals)] = value;
    }
}

void say_assumptions(const ImportReport& report, Console& console) {
    const std::size_t shown = std::min(report.assumptions.size(), shown_assumptions);
    for (std::size_t i = 0; i < shown; ++i) {
        console.warn(report.assumptions[i]);
    }
    if (shown < report.assumptions.size()) {
        console.warn(fmt::format("{} more such notes on cases", report.assumptions.size() - shown));
    }
}

/// What an import reads: a run is named by any of its files, or without extension.
std::vector<std::string> inputs_of(const ImportOptions& options) {
    namespace fs = std::filesystem;
    std::vector<std::string> inputs = options.sources;
    for (const fs::path run : options.sources) {
        std::error_code ignored;
        const fs::path folder = run.has_parent_path() ? run.parent_path() : fs::path(".");
        for (const fs::path name : names_in(folder, ignored)) {
            if (name.stem() == run.stem() && name.extension() != ".h5") {
                inputs.push_back((folder / name).string());
            }
        }
    }
    inputs.insert(inputs.end(), {options.values, options.like, options.map});
    return inputs;
}

/// What `validate` says of the data set, as far as it concerns its values.
void warn_of_violations(const std::string& path, Console& console) {
    std::vector<Violation> violations = validate(path);
    std::erase_if(violations, [](const Violation& one) { return !one.is_error && !one.path.starts_with("/inputs/"); });
    for (std::size_t i = 0; i < std::min(violations.size(), shown_assumptions); ++i) {
        console.warn(
            fmt::format("{}: {}: {}; {}", path, violations[i].path, violations[i].problem, violations[i].remedy));
    }
    if (violations.size() > shown_assumptions) {
        console.warn(fmt::format("'plumecast validate {}' names {} more", path, violations.size() - shown_assumptions));
    }
}

ExitCode import_cases(const ImportCommand& command, Console& console) {
    ImportOptions options = command.options;
    require_output_place({options.output, OutputKind::data_set, inputs_of(options), command.is_forced});
    for (const std::string& text : command.set) {
        add_setting(text, options.set);
    }
    options.grid = command.grid == "radial" ? ImportGrid::radial
                   : command.grid == "box"  ? ImportGrid::box
                                            : ImportGrid::automatic;
    const Interrupts interrupts;
    options.progress = case_progress(console, interrupts);
    const ImportReport report = import_models(options);
    if (!report.is_complete) {
        return report_interruption(console);
    }
    say_assumptions(report, console);
    warn_of_notes(report.notes, console);
    warn_of_violations(options.output, console);
    if (report.has_outputs && Dataset(options.output).geometry() != Geometry::generic) {
        warn_of_surplus(options.output, console);
    }
    const std::string box = report.lines > 0 ? fmt::format("{} x ", report.lines) : "";
    console.print(fmt::format("{}: {} of {} x {}{} cells, {}{}\n", options.output, counted(report.cases, "case"),
                              report.rows, box, report.columns, counted(report.snapshots, "time"),
                              report.has_outputs ? "" : ", to be predicted"));
    return exit_ok;
}

}  // namespace

Command make_import(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("import", "Turn simulator output or GRDECL properties into a data set");
    const auto command = std::make_shared<ImportCommand>();
    ImportOptions& options = command->options;
    app->add_option(
           "models", options.sources,
           "Runs (a file, the name without extension, or the folder) or GRDECL files; or one file of tensors or arrays")
        ->required()
        ->type_name("MODEL");
    app->add_option("-o,--output", options.output, "Data set; appears when it is complete, or not at all")
        ->required()
        ->type_name("DATA.h5");
    app->add_option("--values", options.values,
                    "What the files do not say, for all cases (MODEL.plumecast.json: for one)")
        ->type_name("FILE.json");
    app->add_option("--set", command->set, "One such value for all cases, before those of files; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    app->add_option("--like", options.like,
                    "Data set whose grid holds for all models, and whose times for those that have none; of runs its "
                    "times are taken")
        ->type_name("DATA.h5");
    app->add_option("--map", options.map, "What the arrays of an HDF5 file of another layout mean")
        ->type_name("MAP.json");
    app->add_option("--grid", command->grid, "auto, radial (rings around one well) or box (three dimensions)")
        ->check(CLI::IsMember({"auto", "radial", "box"}))
        ->type_name("KIND")
        ->capture_default_str();
    app->add_flag(
        "--constant-rates", options.constant_rates,
        "Take mean rates where rates change in time: of one well, whose rates become a schedule otherwise, and of "
        "several whose shares change, which are refused otherwise");
    app->add_option("--title", options.title, "Title of the data set")->type_name("TEXT");
    add_force(*app, command->is_forced);
    add_examples(
        *app,
        "  plumecast import runs/CASE_* -o data.h5 --values values.json\n"
        "  plumecast import NORNE.UNRST -o norne.h5 --set injection_rate=0.8 --set temperature=98\n"
        "  plumecast import model.grdecl -o cases.h5 --like data.h5 --values values.json\n\n"
        "Values: injection_rate [Mt/year] or surface_density [kg/sm3], temperature [degC], initial_pressure [bar],\n"
        "irreducible_water_saturation, van_genuchten_lambda, salinity, residual_gas_saturation,\n"
        "dissolution_rate_limit [kg/m3/year], perforation [m, m],\n"
        "wells, injection_start [day], times [day].");
    return {app, [command](Console& console) { return import_cases(*command, console); }};
}

}  // namespace plumecast::app
