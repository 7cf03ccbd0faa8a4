#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "training/rank_plan.hpp"

#include "command.hpp"
#include "device.hpp"

namespace plumecast::app {

/// How the ranks of a job share the work of a subcommand.
struct GridOptions {
    std::string grid;  ///< "BxX", "BxXxY", or "auto", as which none counts
    std::string route = "auto";
    bool plan = false;               ///< print what grids would hold and send, and compute nothing
    int plan_ranks = 0;              ///< of the job to plan; 0 for those that were started
    std::vector<double> plan_rates;  ///< of a rank's device, in GB/s and GFLOP/s; empty for those of the device here
    int timeout = 300;               ///< seconds to wait for a silent rank
    std::string transport = "auto";  ///< the memory that messages between devices lie in
};

/// Adds `--grid`, `--route`, `--plan`, `--plan-ranks`, `--plan-rates`, `--timeout` and `--transport`.
void add_grid(CLI::App& app, GridOptions& options);

/// Adds `--route` alone.
CLI::Option* add_route(CLI::App& app, std::string& route);

/// The one that an option of such a name asks for.
Route route_named(const std::string& name);

/// What a subcommand knows of the job it is part of.
struct Job {
    Communicator& world;
    int local_rank = 0;   ///< this rank's number among those on its machine
    int local_ranks = 1;  ///< how many those are
    /// Whether bits must not depend on where the cells of a rank begin, as with `--route transpose`.
    bool same_bits_on_every_grid = false;
};

/// Runs a subcommand on all ranks that mpirun or srun started, or on one. Only the first rank writes to the console.
/// When a rank fails, it says why and ends the others too: they would wait for it in vain.
ExitCode on_all_ranks(const GridOptions& options, Console& console,
                      const std::function<ExitCode(const Job&)>& subcommand);

/// What a grid is chosen for.
struct GridTask {
    NetworkDescription network;
    Shape extents;           ///< [space..., T] of a case
    std::int64_t batch = 1;  ///< cases at once, of all groups
    GridPurpose purpose = GridPurpose::training;
    Precision precision = Precision::fp32;
    PlannedDevice device = PlannedDevice::cpu;
    int recompute_blocks = 0;  ///< of a recipe, where it trains
    int threads = 0;           ///< of a rank on the CPU; 0 for all that it may use
    SpectralWay spectral = SpectralWay::automatic;
};

/// The same for a model over the cases of a file; the largest of its networks counts. Throws what loading does.
GridTask prediction_task(const std::string& bundle, const std::string& input, std::int64_t batch,
                         const DeviceOptions& device, int threads);

/// The best of plan_grids() for ranks on one machine. Throws InvalidInput where none can work on the task.
GridShape best_grid(const GridTask& task, int ranks, Route route, int ranks_on_machine);

/// The grid asked for, or the best of plan_grids(); only then is the task needed. Throws InvalidInput for one that does
/// not fit the job.
ProcessGrid make_grid(const GridOptions& options, const Job& job, const std::function<GridTask()>& task_of);

/// The table that `--plan` prints. Its times are at the rates that are given, else at those measured on the device, or,
/// where that is not here, at those of a data sheet.
std::string plan_table(const GridOptions& options, const Job& job, const GridTask& task, const DeviceOptions& device,
                       Console& console);

/// ", 4 ranks as 2x2", or nothing for one.
std::string job_text(const Job& job, const ProcessGrid& grid);

/// The backend of this rank: ranks on one machine share its cores, and take its CUDA devices in turn.
std::unique_ptr<Backend> make_rank_backend(DeviceOptions options, int threads, const Job& job, Console& console);

}  // namespace plumecast::app
