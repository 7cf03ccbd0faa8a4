#include "case_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/number_text.hpp"

namespace plumecast::app {

CaseProgress case_progress(Console& console, const Interrupts& interrupts) {
    return [&](std::string_view phase, std::int64_t done, std::int64_t all) {
        console.progress(fmt::format("{}  {}/{} ({} %)", phase, done, all, 100 * done / all));
        return interrupts.requested();
    };
}

ExitCode report_interruption(Console& console) {
    console.error("interrupted (a signal asked to stop); nothing was written, start again");
    return exit_interrupted;
}

ExitCode print_report(const CaseReport& report, Console& console) {
    if (!report.is_complete) {
        return report_interruption(console);
    }
    if (!report.left_out.empty()) {
        console.warn(fmt::format("left out, since they do not belong to single cases of every file: {}",
                                 fmt::join(report.left_out, ", ")));
    }
    for (const std::string& link : report.dead_links) {
        console.warn("left out: " + link);
    }
    for (const CaseFileReport& file : report.files) {
        console.print(fmt::format(
            "{}: {}{}\n", file.path, counted(file.cases, "case"),
            report.duplicates > 0 ? fmt::format(", {} dropped", counted(report.duplicates, "duplicate")) : ""));
    }
    return exit_ok;
}

}  // namespace plumecast::app
