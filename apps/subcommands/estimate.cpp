#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "device.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"
#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

using Clock = std::chrono::steady_clock;

struct EstimateCommandOptions {
    std::string input, output;
    std::string kind{physics_kind};  // what there is anyway
    int substeps = EstimateOptions{}.settings.substeps;
    int threads = 0;
    bool skip_failed = false;  // what is done anyway
    bool strict = false;
    double buildup_limit = 0.0;  // [bar]; 0 for none
    double tolerance = 0.0;      // 0 for none
    bool is_forced = false;
};

/// With how many time steps cases were computed, and which stayed above the tolerance.
class StepCounts {
   public:
    void add(std::int64_t which, int substeps, bool is_within) {
        ++cases_[substeps];
        if (!is_within) {
            above_.push_back(which);
        }
    }
    void tell(double tolerance, Console& console) const {
        std::vector<std::string> counts;
        for (const auto& [substeps, cases] : cases_) {
            counts.push_back(fmt::format("{} in {}", substeps, counted(cases, "case")));
        }
        console.print(fmt::format("substeps: {}\n", fmt::join(counts, ", ")));
        if (!above_.empty()) {
            console.warn(fmt::format("half as many time steps still change {} by more than {:g}: {}",
                                     counted(static_cast<std::int64_t>(above_.size()), "case"), tolerance,
                                     fmt::join(above_, ", ")));
        }
    }

   private:
    std::map<int, std::int64_t> cases_;
    std::vector<std::int64_t> above_;
};

/// Names physics that earlier versions had.
std::string physics_is_there(const std::string& kind) {
    return kind != "single_phase" ? ""
                                  : "single_phase is gone (with one step the physics of CO2 and brine is more "
                                    "accurate); leave --physics out, and take --substeps 1 where time counts";
}

ExitCode estimate_fields(const EstimateCommandOptions& subcommand, Console& console) {
    require_output_place({subcommand.output, OutputKind::fields, {subcommand.input}, subcommand.is_forced});
    const auto start = Clock::now();
    const Interrupts interrupts;
    EstimateOptions options;
    options.settings.substeps = subcommand.substeps;
    options.threads = usable_threads(subcommand.threads, console);
    options.log = console.sink();
    options.stop_requested = [&] { return interrupts.requested(); };
    std::int64_t cases = 0;
    options.progress = [&](std::int64_t done, std::int64_t all) {
        cases = all;
        console.progress(fmt::format("estimating  {}/{} ({} %)", done, all, 100 * done / all));
    };
    RunFacts facts;
    options.skipped = [&](std::int64_t which, const std::string& why) { facts.failed.emplace(which, why); };
    if (subcommand.buildup_limit > 0.0) {
        facts.buildup_limit = subcommand.buildup_limit;
    }
    options.expected_errors = [&](std::int64_t, const PhysicsErrors& errors) { facts.physics.push_back(errors); };
    StepCounts steps;
    if (subcommand.tolerance > 0.0) {
        options.tolerance = subcommand.tolerance;
        options.steps = [&](std::int64_t which, int substeps, double change) {
            steps.add(which, substeps, change <= subcommand.tolerance);
        };
    }
    ResultVerdicts verdicts;
    options.before_commit = [&](FieldsWriter& result) { verdicts = judge_result(result, subcommand.input, {}, facts); };
    if (!estimate(subcommand.input, subcommand.output, options)) {
        console.warn("interrupted; nothing was written");
        return exit_interrupted;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::string without =
        facts.failed.empty() ? "" : fmt::format(", {} of them without values", facts.failed.size());
    console.print(fmt::format("{}: {}{}, {:.1f} ms per case, {:.2f} s in all, by {}\n", subcommand.output,
                              counted(cases, "case"), without, 1e3 * seconds / static_cast<double>(cases), seconds,
                              description_of(options.settings, options.tolerance)));
    if (options.tolerance) {
        steps.tell(*options.tolerance, console);
    }
    show_verdicts(numbered(verdicts.cases), subcommand.output, console);
    return verdict_code(verdicts, subcommand.strict, subcommand.output, console);
}

}  // namespace

Command make_estimate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("estimate", "Estimate fields by reduced physics alone, without a network");
    const auto options = std::make_shared<EstimateCommandOptions>();
    app->add_option("input", options->input, "Cases: a data set with a radial grid or a box, of any cells and times")
        ->required()
        ->type_name("CASES.h5");
    app->add_option("-o,--output", options->output, "Result file; appears when it is complete, or not at all")
        ->required()
        ->type_name("OUT.h5");
    app->add_option("--physics", options->kind, "CO2 and brine, which is computed anyway; for older scripts")
        ->check(physics_is_there)
        ->check(CLI::IsMember({physics_kind}))
        ->type_name("two_phase");
    app->add_option("--substeps", options->substeps, "Time steps while time since the first injection grows by 1.36")
        ->check(between(1, 1000))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--tolerance", options->tolerance,
                    "Take more time steps, up to 16 times as many, in each case that half as many change by more than "
                    "this: the saturation of its plume in the mean, or the build-up per its largest")
        ->check(above_zero())
        ->type_name("CHANGE");
    app->add_flag("--skip-failed", options->skip_failed,
                  "Go on without cases that cannot be computed, which is done anyway; for older scripts");
    add_verdict_options(*app, options->strict, options->buildup_limit);
    add_force(*app, options->is_forced);
    add_threads(*app, options->threads);
    add_examples(
        *app,
        "  plumecast estimate cases.h5 -o fields.h5\n"
        "  plumecast estimate cases.h5 -o fields.h5 --substeps 4 --threads 8\n"
        "  plumecast estimate cases.h5 -o fields.h5 --tolerance 0.005\n"
        "\nGives gas_saturation, pressure_buildup and dissolved_co2. Any radial grid or box, any times, boxes\n"
        "with any number of wells.");
    return {app, [options](Console& console) { return estimate_fields(*options, console); }};
}

}  // namespace plumecast::app
