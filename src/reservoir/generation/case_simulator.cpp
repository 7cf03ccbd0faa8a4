#include "reservoir/generation/case_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/folders.hpp"
#include "reservoir/generation/finished_case.hpp"
#include "reservoir/simulation/deck.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t least_space = 16U << 20U;  // [byte]

void write_text(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) {
        throw IoError("cannot write '" + path.string() + "' (the system refused); free space or choose another folder");
    }
}

/// What the simulator's files do not say, as `import` reads it beside a run.
std::string import_values(const SampledCase& inputs, const std::vector<double>& times) {
    Json values;
    values["surface_density"] = surface_density;
    values["initial_pressure"] = inputs.initial_pressure;
    values["temperature"] = inputs.temperature;
    if (inputs.temperature_gradient != 0.0) {
        values["temperature_gradient"] = inputs.temperature_gradient;
    }
    if (inputs.van_genuchten_lambda > 0.0) {  // else the deck has tables
        values["irreducible_water_saturation"] = inputs.irreducible_water_saturation;
        values["van_genuchten_lambda"] = inputs.van_genuchten_lambda;
    }
    if (inputs.salinity > 0.0) {
        values["salinity"] = inputs.salinity;
    }
    if (inputs.residual_gas_saturation > 0.0) {
        values["residual_gas_saturation"] = inputs.residual_gas_saturation;
    }
    if (std::isfinite(inputs.dissolution_rate_limit)) {
        values["dissolution_rate_limit"] = inputs.dissolution_rate_limit;
    }
    if (!inputs.schedule_ends.empty()) {  // the run has states on the days of changes too
        values["times"] = Json(Json::Array(times.begin(), times.end()));
    }
    return values.dump(2) + "\n";
}

/// A failure for want of disk or because somebody killed the simulator must not count against the case.
void require_fair_run(FlowOutcome outcome, const fs::path& folder) {
    if (outcome == FlowOutcome::killed) {
        throw IoError(folder.string() +
                      ": the simulator was killed (by somebody, or because memory ran out); continue by "
                      "GenerationOptions::resume, with fewer jobs if memory is short");
    }
    std::error_code ignored;
    const fs::space_info space = fs::space(folder, ignored);
    if (!ignored && space.available < least_space) {
        throw IoError(folder.string() +
                      ": the simulator cannot write (less than 16 MiB of disk are free); free space "
                      "and continue by GenerationOptions::resume");
    }
}

bool injects_nothing(const SampledCase& inputs) {
    return inputs.schedule_rates.empty()
               ? inputs.injection_rate == 0.0
               : std::ranges::all_of(inputs.schedule_rates, [](double rate) { return rate == 0.0; });
}

/// What a case without injection has at all times: brine as it was; nothing is known of the pressure in its well.
FlowResults at_rest(const PreparedCase& prepared, const std::vector<double>& times) {
    const std::vector<double> zero(prepared.cells, 0.0), one(prepared.cells, 1.0);
    const std::vector<double> pressure(prepared.cells, prepared.inputs.initial_pressure);
    FlowResults results{one, pressure, {}};
    for (const double time : times) {
        results.snapshots.push_back(
            {time, pressure, zero, zero, zero, one, one, 0.0, std::numeric_limits<double>::quiet_NaN()});
    }
    return results;
}

std::optional<RejectedCase> rejected_by(FlowOutcome outcome, std::int64_t number, double time_limit) {
    if (outcome == FlowOutcome::out_of_time) {
        return RejectedCase{number, Rejection::time_limit, fmt::format("{:g} s", time_limit)};
    }
    if (outcome == FlowOutcome::failed) {
        return RejectedCase{number, Rejection::simulator_failed, "it ended with an error"};
    }
    return std::nullopt;
}

}  // namespace

PreparedCase prepared_case(Reservoir reservoir, const std::vector<double>& times, BrinePhase brine, int output_bits) {
    const auto kept = std::make_shared<const Reservoir>(std::move(reservoir));
    return {kept->inputs, kept->rock.porosity.size(), deck_text(*kept, times, brine),
            [kept, output_bits](const FlowResults& results) { return finished_case(*kept, results, output_bits); },
            [kept] { return drawn_case(*kept); }};
}

std::optional<std::variant<FinishedCase, RejectedCase>> CaseSimulator::run(
    const PreparedCase& prepared, const fs::path& folder, const std::function<bool()>& is_stopped) const {
    if (injects_nothing(prepared.inputs)) {
        return prepared.finish(at_rest(prepared, times));
    }
    remove_tree(folder);
    create_folders(folder);
    write_text(folder / "CASE.DATA", prepared.deck);
    write_text(folder / "CASE.plumecast.json", import_values(prepared.inputs, times));
    const std::int64_t number = prepared.inputs.number;
    const std::size_t cells = prepared.cells;
    const FlowOutcome outcome = run_flow(program, folder, flow_arguments(cells, release, settings.step_after_change),
                                         settings.time_limit, is_stopped);
    if (outcome == FlowOutcome::stopped) {
        return std::nullopt;
    }
    require_fair_run(outcome, folder);
    if (auto rejected = rejected_by(outcome, number, settings.time_limit)) {
        return *rejected;
    }
    FlowResults results;
    try {
        results = read_flow_results(folder, cells, report_days(prepared.inputs, times));
    } catch (const InvalidData& error) {
        return RejectedCase{number, Rejection::incomplete_output, error.what()};
    }
    if (const auto problem = check_case(checks, prepared.inputs, results, prepared.compressibility)) {
        return RejectedCase{number, problem->reason, problem->detail};
    }
    const std::vector<double> days = report_days(prepared.inputs, times);
    for (std::size_t i = days.size(); i-- > 0;) {  // those of changes of the rate alone go
        if (std::ranges::find(times, days[i]) == times.end()) {
            results.snapshots.erase(results.snapshots.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    return prepared.finish(results);
}

}  // namespace plumecast
