#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reporting/report.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "dates.hpp"
#include "error_message.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"
#include "subcommands/cases/note_lines.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

struct ReportCommandOptions {
    std::string fields;
    std::string start;
    std::string format;
    std::string fracture_pressure;
    std::string polygon;
    double fracture_gradient = 0.0;
    double top_depth = -1.0;
    double well_radius = 0.0;
    double front = 0.0;
    double water_depth = -1.0;
    double water_pressure = 0.0;
    double brine_density = 0.0;
    double water_density = 0.0;
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
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of spreadsheets
        if (number == 1 && line.starts_with(byte_order_mark)) {
            line.erase(0, byte_order_mark.size());
        }
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

/// The edge of the pressure front, or what it follows from.
void set_front(SeriesOptions& series, const ReportCommandOptions& subcommand) {
    if (subcommand.front > 0.0) {
        series.pressure_front = subcommand.front;
    }
    if (subcommand.water_depth >= 0.0) {
        series.drinking_water = DrinkingWater{subcommand.water_depth, std::nullopt, subcommand.brine_density};
        if (subcommand.water_pressure > 0.0) {
            series.drinking_water->pressure = subcommand.water_pressure;
        }
        if (subcommand.water_density > 0.0) {
            series.drinking_water->water_density = subcommand.water_density;
        }
    }
}

ExitCode report(const ReportCommandOptions& subcommand, Console& console) {
    ReportOptions options = subcommand.run;
    options.spe11 = subcommand.format == "spe11";
    if (!subcommand.start.empty()) {
        options.start = date_of(subcommand.start);
    }
    if (subcommand.top_depth >= 0.0) {
        options.top_depth = subcommand.top_depth;
    }
    if (subcommand.well_radius > 0.0) {
        options.well_radius = subcommand.well_radius;
    }
    if (!subcommand.polygon.empty()) {
        options.polygon = read_polygon(subcommand.polygon);
        options.polygon_source = subcommand.polygon;
    }
    set_fracture(options.series.fracture, subcommand);
    set_front(options.series, subcommand);
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
    warn_of_notes(summary.notes, console);
    for (const std::string& finding : summary.findings) {
        console.print(in_command_line_words(finding) + "\n");
    }
    warn_of_missing_values(summary.without_values, subcommand.fields, console);
    show_verdicts(summary.verdicts, subcommand.fields, console);
    return exit_ok;
}

void add_measures(CLI::App& app, ReportCommandOptions& options) {
    app.add_option("--threshold", options.run.series.thresholds,
                   "Gas saturation above which a cell is plume; repeatable; default 0.01 and 0.2")
        ->type_name("S")
        ->allow_extra_args(false);
    CLI::Option* front = app.add_option("--front", options.front,
                                        "Build-up at the edge of the pressure front and of the area of review [bar]; "
                                        "without it a front of 1 bar is drawn, and no area of review");
    front->check(above_zero())->type_name("BAR");
    CLI::Option* water = app.add_option("--water-depth", options.water_depth,
                                        "Depth of the base of the lowermost drinking water [m]: the front is that of "
                                        "the build-up that lifts brine there");
    CLI::Option* brine = app.add_option("--brine-density", options.brine_density,
                                        "Density of the brine of the formation [kg/m3], for --water-depth");
    water->check(not_negative())->type_name("M")->excludes(front)->needs(brine);
    brine->check(between(900.0, 1500.0))->type_name("KG/M3")->needs(water);
    CLI::Option* pressure = app.add_option("--water-pressure", options.water_pressure,
                                           "Pressure there [bar]; default: of water of 1000 kg/m3 at rest");
    pressure->check(above_zero())->type_name("BAR")->needs(water);
    app.add_option(
           "--water-density", options.water_density,
           "Density of the water in a borehole there [kg/m3], rising evenly down to the brine's: method 2 of the "
           "EPA, for a formation in hydrostatic balance")
        ->check(between(900.0, 1500.0))
        ->type_name("KG/M3")
        ->needs(water)
        ->excludes(pressure);
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
    app.add_option("--polygon", options.polygon,
                   "Area of the map, as GeoJSON or as text with a point x,y a line: CO2 inside and outside over time")
        ->type_name("FILE");
    app.add_option("--top-depth", options.top_depth,
                   "Depth of the top of the formation [m]; default: as the file states it, else where fresh water at "
                   "rest has the initial pressure")
        ->check(not_negative())
        ->type_name("M");
    app.add_option("--well-radius", options.well_radius,
                   "Radius of wells in boxes [m]; default: as the file states it, else 0.1")
        ->check(between(0.001, 10.0))
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
    app->add_option("--start", options->start, "Date of day 0, instead of that of the file; default 2020-01-01")
        ->type_name("YYYY-MM-DD");
    add_measures(*app, *options);
    app->add_option("--format", options->format, "Also a file in the form of others: spe11, the sparse data of SPE11B")
        ->check(CLI::IsMember({"spe11"}))
        ->type_name("NAME");
    app->add_flag("--gen-data", options->run.gen_data, "Also each series of the case as GEN_DATA of ERT");
    add_force(*app, options->run.is_forced);
    add_examples(*app,
                 "  plumecast report fields.h5 -o report\n"
                 "  plumecast report fields.h5 -o report --threshold 0.05 --front 5 --fracture-gradient 0.16\n"
                 "  plumecast report fields.h5 --case 7 -o case7 --gen-data\n"
                 "  plumecast report spe11b.h5 -o spe11b --format spe11");
    return {app, [options](Console& console) { return report(*options, console); }};
}

}  // namespace plumecast::app
