#include "generation_console.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "outputs.hpp"
#include "reservoir/dataset/dataset_origin.hpp"

namespace plumecast::app {
namespace {

std::string_view name_of(Rejection reason) { return rejection_names[static_cast<std::size_t>(reason)]; }

}  // namespace

void GenerationConsole::progress(const GenerationProgress& p) {
    console_.progress(fmt::format("{}/{} cases  {} rejected  {} running  {:.0f} cases/h  {} left", p.finished, p.wanted,
                                  p.rejected, p.running, p.cases_per_hour, duration_text(p.seconds_left)));
}

void GenerationConsole::rejected(const RejectedCase& rejected) {
    if (is_verbose_) {
        console_.info(
            fmt::format("case {} rejected: {} ({})", rejected.number, name_of(rejected.reason), rejected.detail));
    }
}

ExitCode GenerationConsole::end(const GenerationReport& report, const std::string& output) {
    if (!report.is_complete) {
        console_.warn(fmt::format("interrupted; {} kept in {}.parts; continue with the same command and --resume",
                                  counted(report.finished, "finished case"), output));
        return interrupts_.exit_code();
    }
    std::int64_t rejected = 0;
    for (const auto& [reason, count] : report.rejected) {
        rejected += count;
    }
    std::string text = fmt::format("{}: {}, {} rejected\n", output, counted(report.finished, "case"), rejected);
    for (const auto& [reason, count] : report.rejected) {
        text += fmt::format("  {:<36}{:>6}\n", name_of(reason), count);
    }
    console_.print(text);
    return exit_ok;
}

GenerationOptions simulation_run(GenerationOptions run, const std::string& source, bool is_forced) {
    if (run.resume) {
        require_not_among(run.output, {source});
        return run;
    }
    Output output{run.output, OutputKind::data_set, {source}, is_forced};
    if (dataset_origin(run.output) == DatasetOrigin::irreplaceable) {
        output.remedy = "continue it with --resume, " + output.remedy;
    }
    require_output_place(output);
    std::error_code ignored;
    run.replace = is_forced || !std::filesystem::exists(run.output + ".parts", ignored);
    run.replace_decks = is_forced;
    return run;
}

}  // namespace plumecast::app
