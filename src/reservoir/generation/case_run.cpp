#include "case_run.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/folders.hpp"
#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/case_model/schedule_sampling.hpp"
#include "reservoir/generation/finished_case.hpp"
#include "reservoir/simulation/box_deck.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/flow_process.hpp"

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
    values["irreducible_water_saturation"] = inputs.irreducible_water_saturation;
    values["van_genuchten_lambda"] = inputs.van_genuchten_lambda;
    if (inputs.salinity > 0.0) {
        values["salinity"] = inputs.salinity;
    }
    if (inputs.residual_gas_saturation > 0.0) {
        values["residual_gas_saturation"] = inputs.residual_gas_saturation;
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

CaseRun::CaseRun(const GeneratorConfiguration& configuration, std::string program, FlowRelease release)
    : configuration_(configuration),
      program_(std::move(program)),
      release_(std::move(release)),
      lattice_(radial_grid(configuration.lattice, configuration.lattice.rows, configuration.lattice.columns)),
      grid_(radial_grid(configuration.lattice, configuration.grid.rows, configuration.grid.columns)),
      box_(box_grid(configuration.box.value_or(BoxSettings()))),
      times_(snapshot_times(configuration.times)) {}

DatasetContent CaseRun::frame() const {
    DatasetContent frame;
    frame.times = times_;
    frame.schedule_ends = schedule_ends(configuration_.inputs.schedule, times_.back());
    if (configuration_.inputs.salinity.high > 0.0) {
        frame.arrays["salinity"] = {};  // every case has one
    }
    if (configuration_.inputs.residual_gas_saturation.high > 0.0) {
        frame.arrays["residual_gas_saturation"] = {};
    }
    if (configuration_.box) {
        frame.wells = configuration_.wells.count.high;
        frame.z_edges = box_.z_edges;
        frame.y_edges = box_.y_edges;
        frame.x_edges = box_.x_edges;
    } else {
        frame.z_edges = grid_.z_edges;
        frame.r_edges = grid_.r_edges;
    }
    return frame;
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw(std::int64_t number) const {
    return configuration_.box ? draw_in_box(number) : draw_radial(number);
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw_in_box(std::int64_t number) const {
    auto reservoir = std::make_shared<const BoxReservoir>(draw_box(configuration_, box_, number, times_.back()));
    const double buildup = estimated_buildup(*reservoir, times_.back());
    if (buildup > configuration_.checks.estimated_buildup) {
        return RejectedCase{number, Rejection::estimated_buildup, fmt::format("{:.0f} bar", buildup)};
    }
    return PreparedCase{reservoir->inputs, reservoir->rock.porosity.size(),
                        deck_text(*reservoir, times_, release_.brine),
                        [reservoir, bits = configuration_.output_bits](const FlowResults& results) {
                            return finished_case(*reservoir, results, bits);
                        },
                        [reservoir] { return drawn_case(*reservoir); }};
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw_radial(std::int64_t number) const {
    SampledCase sampled = sample_case(configuration_, number);
    draw_schedule(configuration_, times_.back(), sampled);
    const Geology rock = draw_geology(configuration_, sampled, lattice_);
    // On the lattice, so that the same cases are run whatever the grid.
    const double buildup = estimated_buildup(make_reservoir(sampled, rock, lattice_, lattice_), times_.back());
    if (buildup > configuration_.checks.estimated_buildup) {
        return RejectedCase{number, Rejection::estimated_buildup, fmt::format("{:.0f} bar", buildup)};
    }
    auto reservoir = std::make_shared<const Reservoir>(make_reservoir(sampled, rock, lattice_, grid_));
    return PreparedCase{reservoir->inputs, reservoir->rock.porosity.size(),
                        deck_text(*reservoir, times_, release_.brine),
                        [reservoir, bits = configuration_.output_bits](const FlowResults& results) {
                            return finished_case(*reservoir, results, bits);
                        },
                        [reservoir] { return drawn_case(*reservoir); }};
}

std::optional<std::variant<FinishedCase, RejectedCase>> CaseRun::simulate(
    const PreparedCase& prepared, const fs::path& folder, const std::function<bool()>& is_stopped) const {
    remove_tree(folder);
    create_folders(folder);
    write_text(folder / "CASE.DATA", prepared.deck);
    write_text(folder / "CASE.plumecast.json", import_values(prepared.inputs, times_));
    const std::int64_t number = prepared.inputs.number;
    const std::size_t cells = prepared.cells;
    const double limit = configuration_.simulator.time_limit;
    const FlowOutcome outcome = run_flow(program_, folder, flow_arguments(cells, release_), limit, is_stopped);
    if (outcome == FlowOutcome::stopped) {
        return std::nullopt;
    }
    require_fair_run(outcome, folder);
    if (auto rejected = rejected_by(outcome, number, limit)) {
        return *rejected;
    }
    FlowResults results;
    try {
        results = read_flow_results(folder, cells, report_days(prepared.inputs, times_));
    } catch (const InvalidData& error) {
        return RejectedCase{number, Rejection::incomplete_output, error.what()};
    }
    if (const auto problem = check_case(configuration_.checks, prepared.inputs, results)) {
        return RejectedCase{number, problem->reason, problem->detail};
    }
    const std::vector<double> days = report_days(prepared.inputs, times_);
    for (std::size_t i = days.size(); i-- > 0;) {  // those of changes of the rate alone go
        if (std::ranges::find(times_, days[i]) == times_.end()) {
            results.snapshots.erase(results.snapshots.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    return prepared.finish(results);
}

}  // namespace plumecast
