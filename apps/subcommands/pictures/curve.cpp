#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "field_sections.hpp"
#include "outputs.hpp"
#include "plotting/line_chart.hpp"
#include "training/records/run_history.hpp"

namespace plumecast::app {
namespace {

struct CurveOptions {
    std::vector<std::string> runs, labels, errors;
    std::string output;
    bool is_forced = false;
};

struct LabelledRun {
    std::string label;
    std::vector<EpochReport> epochs;
};

/// An error that a run records of each field.
struct RecordedError {
    const char* name;     ///< on the command line and in metrics.csv
    const char* symbol;   ///< on the axis
    const char* meaning;  ///< in the title
    double FieldReport::*value;
};

constexpr std::array<RecordedError, 6> recorded_errors{
    {{"mpe", "MPE", "mean error in the plume", &FieldReport::mpe},
     {"mre", "MRE", "mean error over the largest value", &FieldReport::mre},
     {"relative_l2", "relative L2", "||p - s|| / ||s||", &FieldReport::relative_l2},
     {"r2", "R2", "R2 of all active cells", &FieldReport::r2},
     {"r2_plume", "R2", "R2 in the plume", &FieldReport::r2_plume},
     {"mae", "MAE", "mean absolute error", &FieldReport::mae}}};

/// More lines than these have no colour of their own.
constexpr std::size_t most_runs = 8;

const RecordedError& error_named(const std::string& name) {
    return *std::ranges::find(recorded_errors, name,
                              [](const RecordedError& error) { return std::string(error.name); });
}

std::string folder_name(const std::string& run) {
    const std::filesystem::path path = std::filesystem::absolute(run).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// What the legend calls the runs: as asked for, else by their folders, or their whole paths where folders repeat.
std::vector<std::string> labels_of(const CurveOptions& options) {
    if (!options.labels.empty()) {
        if (options.labels.size() != options.runs.size()) {
            throw InvalidInput(
                fmt::format("--labels has {} names for {} runs (the legend needs one for each); give "
                            "them in the order of the runs, divided by commas",
                            options.labels.size(), options.runs.size()));
        }
        return options.labels;
    }
    std::vector<std::string> names;
    std::ranges::transform(options.runs, std::back_inserter(names), folder_name);
    const bool are_distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
    return are_distinct ? names : options.runs;
}

double judged_loss(const EpochReport& epoch) { return epoch.validation_loss.value_or(epoch.train_loss); }

/// The epoch whose weights are in `best`.
const EpochReport& best_epoch(const LabelledRun& run) { return *std::ranges::min_element(run.epochs, {}, judged_loss); }

/// A logarithmic axis shows the late epochs too, but needs values above 0.
LineChart finished(LineChart chart) {
    chart.x_label = "epoch";
    chart.whole_x = true;
    chart.height = 320;
    chart.log_y = std::ranges::all_of(chart.series, [](const Series& series) {
        return std::ranges::all_of(series.y, [](double value) { return value > 0.0; });
    });
    return chart;
}

/// A line with a dot at the best epoch.
void add_line(LineChart& chart, Series line, int best) {
    Series dot = line;
    dot.name.clear();
    dot.is_dot = true;
    dot.x.clear();
    dot.y.clear();
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (line.x[i] == best) {
            dot.x.push_back(line.x[i]);
            dot.y.push_back(line.y[i]);
        }
    }
    chart.series.push_back(std::move(line));
    chart.series.push_back(std::move(dot));
}

LineChart loss_chart(const std::vector<LabelledRun>& runs) {
    LineChart chart;
    chart.title = "Loss: training dashed, validation solid, a dot at the best epoch";
    chart.y_label = "loss [-]";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Series training{"", {}, {}, static_cast<int>(i), false, true};
        Series validation{runs[i].label, {}, {}, static_cast<int>(i)};
        for (const EpochReport& epoch : runs[i].epochs) {
            if (!std::isnan(epoch.train_loss)) {
                training.x.push_back(epoch.epoch);
                training.y.push_back(epoch.train_loss);
            }
            if (epoch.validation_loss) {
                validation.x.push_back(epoch.epoch);
                validation.y.push_back(*epoch.validation_loss);
            }
        }
        if (validation.x.empty()) {  // the legend names the only line there is
            training.name = runs[i].label;
            add_line(chart, std::move(training), best_epoch(runs[i]).epoch);
        } else {
            chart.series.push_back(std::move(training));
            add_line(chart, std::move(validation), best_epoch(runs[i]).epoch);
        }
    }
    return finished(std::move(chart));
}

LineChart error_chart(const std::vector<LabelledRun>& runs, const std::string& field, const RecordedError& error) {
    LineChart chart;
    chart.title = fmt::format("Validation, {}: {}", array_words(field), error.meaning);
    chart.y_label = fmt::format("{} {}", error.symbol, error.value == &FieldReport::mae ? array_unit(field) : "[-]");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Series line{"", {}, {}, static_cast<int>(i)};
        for (const EpochReport& epoch : runs[i].epochs) {
            const auto found = std::ranges::find(epoch.fields, field, &FieldReport::field);
            if (found != epoch.fields.end()) {
                line.x.push_back(epoch.epoch);
                line.y.push_back((*found).*error.value);
            }
        }
        add_line(chart, std::move(line), best_epoch(runs[i]).epoch);
    }
    return finished(std::move(chart));
}

/// Fields of all runs, in the order of their first appearance.
std::vector<std::string> fields_of(const std::vector<LabelledRun>& runs) {
    std::vector<std::string> names;
    for (const LabelledRun& run : runs) {
        for (const EpochReport& epoch : run.epochs) {
            for (const FieldReport& field : epoch.fields) {
                if (std::ranges::find(names, field.field) == names.end()) {
                    names.push_back(field.field);
                }
            }
        }
    }
    return names;
}

std::vector<LineChart> charts_of(const std::vector<LabelledRun>& runs, const std::vector<std::string>& errors) {
    std::vector<LineChart> charts{loss_chart(runs)};
    for (const std::string& field : fields_of(runs)) {
        const std::vector<std::string> usual{field == "gas_saturation" ? "mpe" : "mre"};
        for (const std::string& error : errors.empty() ? usual : errors) {
            charts.push_back(error_chart(runs, field, error_named(error)));
        }
    }
    return charts;
}

std::string run_text(const LabelledRun& run) {
    const EpochReport& best = best_epoch(run);
    return fmt::format("{}: {} epoch{}, lowest {} loss {:.4g} after epoch {}\n", run.label, run.epochs.back().epoch,
                       run.epochs.back().epoch == 1 ? "" : "s", best.validation_loss ? "validation" : "training",
                       judged_loss(best), best.epoch);
}

ExitCode curve(const CurveOptions& options, Console& console) {
    if (options.runs.size() > most_runs) {
        throw InvalidInput(
            fmt::format("{} runs are too many for one picture (their lines would share colours); draw at "
                        "most {} at once",
                        options.runs.size(), most_runs));
    }
    const std::vector<std::string> labels = labels_of(options);
    std::vector<std::string> records;
    for (const std::string& run : options.runs) {
        records.push_back(run + "/metrics.jsonl");
    }
    require_output_place({options.output, OutputKind::picture, records, options.is_forced});
    std::vector<LabelledRun> runs;
    for (std::size_t i = 0; i < options.runs.size(); ++i) {
        runs.push_back({labels[i], read_run_history(options.runs[i])});
    }
    draw_line_charts(charts_of(runs, options.errors), options.output);
    for (const LabelledRun& run : runs) {
        console.print(run_text(run));
    }
    console.print(
        fmt::format("{}: learning curves of {} run{}\n", options.output, runs.size(), runs.size() == 1 ? "" : "s"));
    return exit_ok;
}

}  // namespace

Command make_curve(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("curve", "Draw learning curves of training runs");
    const auto options = std::make_shared<CurveOptions>();
    app->add_option("runs", options->runs, "Folders of runs, as 'plumecast train' left them or is writing them")
        ->required()
        ->type_name("RUN");
    app->add_option("-o,--output", options->output, "Picture: PNG, or PDF or SVG by the ending")
        ->required()
        ->type_name("CURVES.png");
    app->add_option("--labels", options->labels, "What the legend calls the runs; default: their folders")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("A,B");
    std::vector<std::string> names;
    std::ranges::transform(recorded_errors, std::back_inserter(names), &RecordedError::name);
    app->add_option("--error", options->errors,
                    "Error on validation to draw; repeatable; default: mpe for gas_saturation, mre for other fields")
        ->check(CLI::IsMember(names))
        ->allow_extra_args(false)
        ->type_name("NAME");
    add_force(*app, options->is_forced);
    add_examples(*app,
                 "  plumecast curve runs/saturation -o curve.png\n"
                 "  plumecast curve runs/wide runs/small --labels 'width 36,width 16' -o curves.pdf\n"
                 "  plumecast curve runs/wide runs/small --error r2 --error relative_l2 -o curves.svg");
    return {app, [options](Console& console) { return curve(*options, console); }};
}

}  // namespace plumecast::app
