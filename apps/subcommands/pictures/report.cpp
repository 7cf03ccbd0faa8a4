#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reporting/report.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "dates.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

struct ReportCommandOptions {
    std::string fields;
    std::string start;
    std::string fracture_pressure;
    double fracture_gradient = 0.0;
    double top_depth = -1.0;
    ReportOptions run;
};

/// Pressures [bar] of a file with one number per line, in the order of the cases.
std::vector<double> pressures_in(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw IoError("cannot read '" + path +
                      "' (it is neither a pressure in bar nor a file that may be read); give --fracture-pressure a "
                      "number, or a file with one per case");
    }
    std::vector<double> pressures;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        double pressure = 0.0;
        if (!CLI::detail::lexical_cast(CLI::detail::trim_copy(line), pressure) || !(pressure > 0.0)) {
            throw InvalidData(
                fmt::format("{}: line {}: '{}' is no pressure above zero (one number in bar is wanted per "
                            "line and case); correct the line",
                            path, number, line.substr(0, 40)));
        }
        pressures.push_back(pressure);
    }
    return pressures;
}

void set_fracture(FractureLimit& limit, const ReportCommandOptions& subcommand) {
    if (subcommand.fracture_gradient > 0.0) {
        limit.gradient = subcommand.fracture_gradient;
    }
    if (subcommand.fracture_pressure.empty()) {
        return;
    }
    double pressure = 0.0;
    if (!CLI::detail::lexical_cast(subcommand.fracture_pressure, pressure)) {
        limit.pressures = pressures_in(subcommand.fracture_pressure);
    } else if (pressure > 0.0) {
        limit.pressure = pressure;
    } else {
        throw InvalidInput("--fracture-pressure " + subcommand.fracture_pressure +
                           " is not above zero (rock breaks at a positive pressure); give it in bar");
    }
}

ExitCode report(const ReportCommandOptions& subcommand, Console& console) {
    ReportOptions options = subcommand.run;
    if (!subcommand.start.empty()) {
        options.start = date_of(subcommand.start);
    }
    if (subcommand.top_depth >= 0.0) {
        options.top_depth = subcommand.top_depth;
    }
    set_fracture(options.series.fracture, subcommand);
    const Interrupts interrupts;
    const ReportSummary summary = write_report(subcommand.fields, options, [&](std::int64_t done, std::int64_t wanted) {
        console.progress(fmt::format("{}/{} cases", done, wanted));
        return !interrupts.requested();
    });
    if (!summary.is_complete) {
        console.warn("interrupted; nothing was written");
        return exit_interrupted;
    }
    console.print(fmt::format("{}: report of {}\n", (options.folder / "report.html").string(), subcommand.fields));
    warn_of_missing_values(summary.without_values, subcommand.fields, console);
    show_verdicts(summary.verdicts, subcommand.fields, console);
    return exit_ok;
}

void add_measures(CLI::App& app, ReportCommandOptions& options) {
    app.add_option("--threshold", options.run.series.thresholds,
                   "Gas saturation above which a cell is plume; repeatable; default 0.01 and 0.2")
        ->type_name("S")
        ->allow_extra_args(false);
    app.add_option("--front", options.run.series.pressure_front, "Build-up at the edge of the pressure front [bar]")
        ->check(above_zero())
        ->type_name("BAR")
        ->capture_default_str();
    CLI::Option* gradient = app.add_option("--fracture-gradient", options.fracture_gradient,
                                           "Fracture pressure per depth below the surface [bar/m]");
    gradient->check(fracture_gradient())->type_name("BAR/M");
    app.add_option("--fracture-pressure", options.fracture_pressure,
                   "Fracture pressure [bar], or a file with one per line and case")
        ->type_name("BAR|FILE")
        ->excludes(gradient);
    app.add_option("--fracture-factor", options.run.series.fracture.factor, "Allowed share of the fracture pressure")
        ->check(between(0.01, 1.0))
        ->type_name("F")
        ->capture_default_str();
    app.add_option("--top-depth", options.top_depth,
                   "Depth of the top of the formation [m]; default: where water at rest has the initial pressure")
        ->check(not_negative())
        ->type_name("M");
}

}  // namespace

Command make_report(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("report", "Measure plume, pressure and mass: tables, pictures and a page");
    const auto options = std::make_shared<ReportCommandOptions>();
    app->add_option("fields", options->fields, "Result of 'predict', or a data set with outputs")
        ->required()
        ->type_name("FIELDS.h5");
    app->add_option("-o,--output", options->run.folder, "Folder for the report; made when missing")
        ->required()
        ->type_name("FOLDER");
    app->add_option("--case", options->run.cases, "Only this case, counted from 0; repeatable")
        ->type_name("K")
        ->allow_extra_args(false);
    app->add_option("--title", options->run.title, "Title of the page")->type_name("TEXT");
    app->add_option("--start", options->start, "Date of day 0; default 2020-01-01")->type_name("YYYY-MM-DD");
    add_measures(*app, *options);
    app->add_flag("--gen-data", options->run.gen_data, "Also each series of the case as GEN_DATA of ERT");
    add_force(*app, options->run.is_forced);
    add_examples(*app,
                 "  plumecast report fields.h5 -o report\n"
                 "  plumecast report fields.h5 -o report --threshold 0.05 --front 5 --fracture-gradient 0.16\n"
                 "  plumecast report fields.h5 --case 7 -o case7 --gen-data");
    return {app, [options](Console& console) { return report(*options, console); }};
}

}  // namespace plumecast::app
