#include <array>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>

#include "case_report.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast::app {
namespace {

struct StatsOptions {
    std::string path;
    bool json = false;
};

constexpr auto role_names = std::to_array<const char*>(
    {"grid", "map", "scalar", "output", "cell", "schedule", "series", "varying", "connection"});
static_assert(role_names.size() == static_cast<std::size_t>(Role::connection) + 1, "each role has a name");

std::string text_of(const std::string& path, const DatasetStatistics& statistics) {
    std::string text = fmt::format("{}: {}", path, counted(statistics.cases, "case"));
    if (statistics.different_cases < statistics.cases) {
        text += fmt::format(", {} of them different", statistics.different_cases);
    }
    text += fmt::format("\n  {:<30} {:>11} {:>11} {:>11} {:>11} {:>9} {:>9}  unit\n", "active cells", "min", "max",
                        "mean", "std", "mean ln", "std ln");
    for (const ArrayStatistics& array : statistics.arrays) {
        text += fmt::format("  {:<30} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} ", array.name, array.low, array.high,
                            array.mean, array.deviation);
        text += array.logarithm ? fmt::format("{:>9.4g} {:>9.4g}", array.logarithm->first, array.logarithm->second)
                                : fmt::format("{:>9} {:>9}", "-", "-");
        text += fmt::format("  {}", array.unit == "1" ? "" : array.unit);
        text += array.not_finite > 0 ? fmt::format("  ({} not finite)\n", counted(array.not_finite, "value")) : "\n";
    }
    return text;
}

Json json_of(const std::string& path, const DatasetStatistics& statistics) {
    Json::Array arrays;
    for (const ArrayStatistics& array : statistics.arrays) {
        Json::Object entry = {{"name", array.name},
                              {"role", role_names[static_cast<std::size_t>(array.role)]},
                              {"unit", array.unit},
                              {"count", array.count},
                              {"not_finite", array.not_finite},
                              {"min", array.low},
                              {"max", array.high},
                              {"mean", array.mean},
                              {"std", array.deviation}};
        if (array.logarithm) {
            entry.emplace_back("mean_ln", array.logarithm->first);
            entry.emplace_back("std_ln", array.logarithm->second);
        }
        arrays.emplace_back(std::move(entry));
    }
    return Json::Object{{"file", path},
                        {"cases", statistics.cases},
                        {"different_cases", statistics.different_cases},
                        {"arrays", std::move(arrays)}};
}

ExitCode stats(const StatsOptions& options, Console& console) {
    const Interrupts interrupts;
    const DatasetStatistics statistics = dataset_statistics(options.path, case_progress(console, interrupts));
    if (!statistics.is_complete) {
        return report_interruption(console);
    }
    console.print(options.json ? json_of(options.path, statistics).dump() + "\n" : text_of(options.path, statistics));
    return exit_ok;
}

}  // namespace

Command make_stats(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("stats", "Statistics of every array of a data set");
    const auto options = std::make_shared<StatsOptions>();
    app->add_option("data", options->path, "Data set")->required()->type_name("DATA.h5");
    app->add_flag("--json", options->json, "Print JSON");
    add_examples(*app, "  plumecast stats data.h5\n  plumecast stats data.h5 --json");
    return {app, [options](Console& console) { return stats(*options, console); }};
}

}  // namespace plumecast::app
