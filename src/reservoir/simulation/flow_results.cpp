#include "flow_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast {
namespace {

using eclipse::Record;
using eclipse::RecordFile;

constexpr double time_tolerance = 1e-4;  // relative; the summary holds single precision

[[noreturn]] void incomplete(const std::string& path, const std::string& what) {
    throw InvalidData(path + ": " + what + " (the simulator's output is incomplete); run the case again");
}

bool is_at(double time, double wanted) { return std::abs(time - wanted) <= time_tolerance * wanted; }

std::vector<double> cell_values(RecordFile& file, const Record& record, std::size_t cells) {
    if (record.count != static_cast<std::int64_t>(cells)) {
        incomplete(file.path(), eclipse::description(record) + " is not of " + std::to_string(cells) + " cells");
    }
    return file.numbers(record);
}

std::vector<double> read_pore_volume(const std::filesystem::path& path, std::size_t cells) {
    RecordFile file(path);
    while (const auto record = file.next()) {
        if (record->keyword == "PORV") {
            return cell_values(file, *record, cells);
        }
    }
    incomplete(file.path(), "no PORV");
}

/// Stores an array of a report step where it belongs; others are skipped.
void store(RecordFile& file, const Record& record, std::size_t cells, Snapshot& snapshot) {
    const std::pair<const char*, std::vector<double>*> fields[] = {
        {"PRESSURE", &snapshot.pressure},
        {"PCGW", &snapshot.capillary_pressure},
        {"SGAS", &snapshot.gas_saturation},
        {"RS", &snapshot.dissolved_ratio},
        {"RSW", &snapshot.dissolved_ratio},
        {"1OVERBG", &snapshot.inverse_gas_volume},
        {"1OVERBO", &snapshot.inverse_brine_volume},
        {"1OVERBW", &snapshot.inverse_brine_volume},
    };
    for (const auto& [keyword, values] : fields) {
        if (record.keyword == keyword) {
            *values = cell_values(file, record, cells);
        }
    }
    if (record.keyword == "DOUBHEAD" && record.count > 0) {
        snapshot.time = file.numbers(record).front();
    }
}

/// Of runs of gas and water the simulator writes the pressure of gas, and that of gas over water beside it.
void take_brine_pressure(Snapshot& snapshot) {
    for (std::size_t cell = 0; cell < snapshot.capillary_pressure.size(); ++cell) {
        snapshot.pressure[cell] -= snapshot.capillary_pressure[cell];
    }
}

std::vector<Snapshot> read_report_steps(const std::filesystem::path& path, std::size_t cells, std::size_t most) {
    RecordFile file(path);
    std::vector<Snapshot> steps;
    while (const auto record = file.next()) {
        if (record->keyword == "SEQNUM") {
            if (steps.size() == most) {
                incomplete(file.path(), "more than " + std::to_string(most) + " report steps");
            }
            steps.emplace_back();
        } else if (!steps.empty()) {
            store(file, *record, cells, steps.back());
        }
    }
    for (const Snapshot& step : steps) {
        for (const auto* field : {&step.pressure, &step.gas_saturation, &step.dissolved_ratio, &step.inverse_gas_volume,
                                  &step.inverse_brine_volume}) {
            if (field->size() != cells) {
                incomplete(file.path(), "a field is missing at day " + number_text(step.time));
            }
        }
    }
    std::ranges::for_each(steps, take_brine_pressure);
    return steps;
}

std::size_t position_of(const std::string& keyword, const std::filesystem::path& path) {
    RecordFile file(path);
    while (const auto record = file.next()) {
        if (record->keyword == "KEYWORDS") {
            const std::vector<std::string> names = file.texts(*record);
            const auto found = std::ranges::find(names, keyword);
            if (found != names.end()) {
                return static_cast<std::size_t>(found - names.begin());
            }
        }
    }
    incomplete(file.path(), "no vector " + keyword);
}

/// CO2 injected at each time [sm3].
std::vector<double> read_injected(const std::filesystem::path& folder, std::span<const double> times) {
    const std::size_t time_at = position_of("TIME", folder / "CASE.SMSPEC");
    const std::size_t total_at = position_of("FGIT", folder / "CASE.SMSPEC");
    std::vector<double> injected(times.size(), std::numeric_limits<double>::quiet_NaN());
    RecordFile file(folder / "CASE.UNSMRY");
    while (const auto record = file.next()) {
        if (record->keyword != "PARAMS") {
            continue;
        }
        const std::vector<double> values = file.numbers(*record);
        if (values.size() <= std::max(time_at, total_at)) {
            incomplete(file.path(), "too few values in PARAMS");
        }
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (is_at(values[time_at], times[i])) {
                injected[i] = values[total_at];
            }
        }
    }
    return injected;
}

}  // namespace

FlowResults read_flow_results(const std::filesystem::path& folder, std::size_t cells, std::span<const double> times) {
    FlowResults results;
    results.pore_volume = read_pore_volume(folder / "CASE.INIT", cells);
    const std::filesystem::path restart = folder / "CASE.UNRST";
    std::vector<Snapshot> steps = read_report_steps(restart, cells, times.size() + 1);
    if (steps.size() != times.size() + 1) {
        incomplete(restart.string(),
                   std::to_string(steps.size()) + " report steps of " + std::to_string(times.size() + 1));
    }
    results.initial_pressure = std::move(steps.front().pressure);
    const std::vector<double> injected = read_injected(folder, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
        Snapshot& snapshot = steps[i + 1];
        if (!is_at(snapshot.time, times[i])) {
            incomplete(restart.string(), "report step " + std::to_string(i + 1) + " is of day " +
                                             number_text(snapshot.time) + ", not " + number_text(times[i]));
        }
        snapshot.injected = injected[i];
        results.snapshots.push_back(std::move(snapshot));
    }
    return results;
}

}  // namespace plumecast
