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

/// INIT has pore volumes of all cells of the grid, 0 in inactive ones.
std::vector<double> read_pore_volume(const std::filesystem::path& path, std::size_t cells) {
    RecordFile file(path);
    while (const auto record = file.next()) {
        if (record->keyword == "PORV") {
            std::vector<double> volumes = file.numbers(*record);
            std::erase(volumes, 0.0);
            if (volumes.size() != cells) {
                throw InvalidData(file.path() + ": " + std::to_string(volumes.size()) + " cells have pore volume, " +
                                  std::to_string(cells) +
                                  " are active in the case (the simulator leaves out cells without volume); make these "
                                  "inactive");
            }
            return volumes;
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

/// Where the values of the summary's vectors stand in PARAMS.
class SummaryPlaces {
   public:
    explicit SummaryPlaces(const std::filesystem::path& path) : path_(path.string()) {
        RecordFile file(path);
        while (const auto record = file.next()) {
            if (record->keyword == "KEYWORDS") {
                names_ = file.texts(*record);
            }
        }
    }
    /// One for each well, in the order of the wells.
    std::vector<std::size_t> all(const std::string& keyword) const {
        std::vector<std::size_t> places;
        for (std::size_t at = 0; at < names_.size(); ++at) {
            if (names_[at] == keyword) {
                places.push_back(at);
            }
        }
        if (places.empty()) {
            incomplete(path_, "no vector " + keyword);
        }
        return places;
    }
    std::size_t count() const { return names_.size(); }

   private:
    std::string path_;
    std::vector<std::string> names_;
};

/// The highest pressure of the wells that inject; NaN where none does.
double highest_well_pressure(std::span<const double> values, const std::vector<std::size_t>& pressures,
                             const std::vector<std::size_t>& rates) {
    double highest = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t well = 0; well < std::min(pressures.size(), rates.size()); ++well) {
        if (values[rates[well]] > 0.0) {
            highest = std::fmax(highest, values[pressures[well]]);
        }
    }
    return highest;
}

/// Stores CO2 injected and the pressure of wells at the snapshots, each from the step nearest to it: the first step of
/// another rate may be within the tolerance too.
void read_summary(const std::filesystem::path& folder, std::span<Snapshot> snapshots) {
    const SummaryPlaces places(folder / "CASE.SMSPEC");
    const std::size_t time_at = places.all("TIME").front(), total_at = places.all("FGIT").front();
    const std::vector<std::size_t> pressures = places.all("WBHP"), rates = places.all("WGIR");
    for (Snapshot& snapshot : snapshots) {
        snapshot.injected = snapshot.bottom_hole_pressure = std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> nearest(snapshots.size(), std::numeric_limits<double>::infinity());
    RecordFile file(folder / "CASE.UNSMRY");
    while (const auto record = file.next()) {
        if (record->keyword != "PARAMS") {
            continue;
        }
        const std::vector<double> values = file.numbers(*record);
        if (values.size() < places.count()) {
            incomplete(file.path(), "too few values in PARAMS");
        }
        for (std::size_t i = 0; i < snapshots.size(); ++i) {
            Snapshot& snapshot = snapshots[i];
            const double distance = std::abs(values[time_at] - snapshot.time);
            if (is_at(values[time_at], snapshot.time) && distance < nearest[i]) {
                nearest[i] = distance;
                snapshot.injected = values[total_at];
                snapshot.bottom_hole_pressure = highest_well_pressure(values, pressures, rates);
            }
        }
    }
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
    for (std::size_t i = 0; i < times.size(); ++i) {
        Snapshot& snapshot = steps[i + 1];
        if (!is_at(snapshot.time, times[i])) {
            incomplete(restart.string(), "report step " + std::to_string(i + 1) + " is of day " +
                                             number_text(snapshot.time) + ", not " + number_text(times[i]));
        }
        results.snapshots.push_back(std::move(snapshot));
    }
    read_summary(folder, results.snapshots);
    return results;
}

}  // namespace plumecast
