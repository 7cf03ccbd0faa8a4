#include "job.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/distributed/world.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "core/number_text.hpp"
#include "distributed/ranks_alike.hpp"
#include "error_message.hpp"
#include "plan/explain.hpp"
#include "reservoir/dataset/channel_layout.hpp"

namespace plumecast::app {
namespace {

/// All ranks meet most errors alike; the first one tells them. A rank still alive after this has met one of its own.
constexpr std::chrono::milliseconds others_wait{1500};

Transport memory_of(const GridOptions& options) {
    if (options.transport == "auto") {
        return Transport::automatic;
    }
    if (options.transport == "nccl") {
        return Transport::nccl;
    }
    return options.transport == "host" ? Transport::host : Transport::device;
}

/// Hides options that can do nothing in this build and refuses them.
void only_in_builds_with(bool is_built, const std::string& what, const std::string& setting,
                         std::initializer_list<CLI::Option*> options) {
    for (CLI::Option* option : options) {
        if (!is_built && !option->get_group().empty()) {
            option->group("");
            option->check([=, name = "--" + option->get_lnames().front()](const std::string&) {
                return name + ": this build has no " + what +
                       ", which the option is for; leave it out, or build with " + setting;
            });
        }
    }
}

[[noreturn]] void fail(World& world, Console& console, const std::string& message, ExitCode code) {
    const int rank = world.communicator().rank();
    if (rank != 0) {
        std::this_thread::sleep_for(others_wait);
    }
    console.error(rank == 0 ? message : fmt::format("rank {}: {}", rank, message));
    world.abort(code);
}

PlanOptions plan_options(Route route, const GridTask& task) {
    return {.route = route,
            .precision = task.precision,
            .recompute_blocks = task.recompute_blocks,
            .device = task.device,
            .threads = task.threads,
            .spectral = task.spectral};
}

/// Bytes that a rank may hold; without a limit on a device, which may be another machine's.
std::size_t memory_of_rank(int ranks_on_machine, const GridTask& task) {
    return task.device == PlannedDevice::cuda ? std::numeric_limits<std::size_t>::max()
                                              : host_memory_size() / static_cast<std::size_t>(ranks_on_machine);
}

[[noreturn]] void throw_no_grid(const GridTask& task, int ranks) {
    throw InvalidInput(
        fmt::format("no process grid for {} ranks (batches of {} and {} cells to cut are too "
                    "few); start fewer ranks or enlarge the batch",
                    ranks, counted(task.batch, "case"), task.extents[-2]));
}

/// What is said of a rank that holds so much, of `memory` of the host or `asked` of a device. Which device will compute
/// is not known here, but how large they get.
const char* fit_text(std::size_t held, std::size_t memory, std::size_t asked, const GridTask& task) {
    constexpr std::size_t largest_device = std::size_t{288} << 30;  // bytes, of an NVIDIA B300
    if (task.device == PlannedDevice::cuda && held > largest_device) {
        return "  fits no device";
    }
    const std::size_t present = task.device == PlannedDevice::cuda && asked != 0 ? asked : memory;
    return held > present ? "  does not fit" : "";
}

/// What a plan makes of --device-memory.
std::string memory_text(const DeviceOptions& device, std::size_t asked, const GridTask& task) {
    if (task.device != PlannedDevice::cuda || device.memory == "auto") {
        return "";
    }
    return asked != 0 ? fmt::format("\"does not fit\": in {} of a device, as --device-memory asks.\n",
                                    bytes_text(static_cast<double>(asked)))
                      : fmt::format(
                            "--device-memory {} counts for nothing here: it is a share of a device that is not "
                            "known; give a size, such as 24GiB.\n",
                            device.memory);
}

/// The rates that the times of a plan assume, and where they come from.
struct PlanRates {
    Ceilings ceilings;
    std::string source;
};

PlanRates rates_of(const GridOptions& options, const GridTask& task, const DeviceOptions& device, Console& console) {
    if (!options.plan_rates.empty()) {
        return {{1e9 * options.plan_rates.at(0), 1e9 * options.plan_rates.at(1)}, "as given"};
    }
    if (task.device == PlannedDevice::cuda && !named_device_obstacle(device).empty()) {
        return {data_sheet_ceilings(task.precision), "data sheet of an H200, no program reaches them"};
    }
    const auto backend = make_backend(device, task.threads, console);
    return {measure_ceilings(*backend), "measured on " + backend->description()};
}

/// What the times of a plan assume.
std::string text_of(const PlanRates& rates) {
    return fmt::format(
        "Least time: arithmetic of the network alone, each op at the longer of moving its bytes at {:.4g} GB/s and "
        "computing at {:.4g} GFLOP/s ({}; --plan-rates gives others); messages, reduced physics, the optimizer and "
        "files come on top.\n",
        rates.ceilings.bytes_per_second / 1e9, rates.ceilings.operations_per_second / 1e9, rates.source);
}

/// Cells and times that are written as "96x200x24"; nothing where the text is something else.
std::optional<Shape> written_extents(const std::string& text, int axes) {
    Shape extents;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('x', begin), text.size());
        std::int64_t count = 0;
        const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, count);
        if (error != std::errc() || stop != text.data() + end || count < 1) {
            return std::nullopt;
        }
        extents = extents.append(count);
        begin = end + 1;
    }
    return extents.rank() == axes + 1 ? std::optional(extents) : std::nullopt;
}

/// [space..., T] of the cases of a file, or as they are written where there is no such file.
Shape extents_of(const std::string& input, int axes) {
    std::error_code ignored;
    const std::optional<Shape> written = written_extents(input, axes);
    if (written && !std::filesystem::exists(input, ignored)) {
        return *written;
    }
    if (is_channel_file(input)) {
        return channel_file_source(input)->extents();
    }
    const Dataset data(input);
    return data.space().append(data.snapshots());
}

}  // namespace

Route route_named(const std::string& name) {
    if (name == "auto") {
        return Route::automatic;
    }
    return name == "reduce" ? Route::reduce : Route::transpose;
}

CLI::Option* add_route(CLI::App& app, std::string& route) {
    return app
        .add_option("--route", route,
                    "How spectra come together: reduce, transpose (predictions are the same bits on every grid), or "
                    "auto, what sends less")
        ->check(CLI::IsMember({"auto", "reduce", "transpose"}))
        ->type_name("ROUTE")
        ->capture_default_str();
}

void add_grid(CLI::App& app, GridOptions& options) {
    CLI::Option* grid =
        app.add_option("--grid", options.grid,
                       "How the ranks that mpirun started share the work: BxX, groups of cases by cuts of r (BxXxY: of "
                       "x and y), or auto, the default");
    grid->type_name("BxX");
    add_route(app, options.route);
    app.add_flag("--plan", options.plan,
                 "Print what each process grid would hold and send, and stop; in the place of the cases also ZxRxT");
    app.add_option("--plan-ranks", options.plan_ranks, "Ranks to plan for, instead of those started")
        ->check(above_zero())
        ->type_name("N");
    app.add_option("--plan-rates", options.plan_rates,
                   "Rates of a rank's device that times of the plan assume, instead of those measured here")
        ->expected(2)
        ->allow_extra_args(false)  // what follows is another argument
        ->delimiter(',')
        ->check(above_zero())
        ->type_name("GB/s,GFLOP/s");
    CLI::Option* timeout =
        app.add_option("--timeout", options.timeout, "Seconds after which a rank that does not answer ends the job");
    timeout->check(above_zero())->type_name("S")->capture_default_str();
    add_former_name(app, "--patience", options.timeout)->check(above_zero());
    CLI::Option* transport = app.add_option(
        "--transport", options.transport,
        "How messages between CUDA devices travel: through the host, from device to device by an MPI library "
        "that knows CUDA or by nccl, or auto, what the MPI library says it can");
    transport->check(CLI::IsMember({"auto", "host", "device", "nccl"}))->type_name("MEMORY")->capture_default_str();
    add_former_name(app, "--messages", options.transport)->check(CLI::IsMember({"auto", "host", "device", "nccl"}));
    only_in_builds_with(!mpi_version().empty(), "MPI", "-DPLUMECAST_MPI=ON", {grid, timeout, transport});
    only_in_builds_with(has_cuda(), "CUDA", "-DPLUMECAST_CUDA=ON", {transport});
}

ExitCode on_all_ranks(const GridOptions& options, Console& console,
                      const std::function<ExitCode(const Job&)>& subcommand) {
    const bool same_bits = options.route == "transpose";
    World world;
    world.communicator().set_timeout(std::chrono::seconds(options.timeout));
    if (world.communicator().size() == 1) {
        return subcommand({world.communicator(), 0, 1, same_bits});
    }
    console.mute(world.communicator().rank() != 0);
    try {
        world.choose(memory_of(options));
        Communicator& ranks = world.communicator();
        ranks.set_timeout(std::chrono::seconds(options.timeout));
        const ExitCode own = subcommand({ranks, world.local_rank(), world.local_ranks(), same_bits});
        // A signal may have reached some ranks only; the job ends with one code.
        const std::vector<std::byte> codes = ranks.allgather(std::as_bytes(std::span(&own, 1)));
        int code = exit_ok;
        for (std::size_t at = 0; at < codes.size(); at += sizeof(own)) {
            ExitCode other = exit_ok;
            std::memcpy(&other, codes.data() + at, sizeof(own));
            code = std::max<int>(code, other);
        }
        return static_cast<ExitCode>(code);
    } catch (const std::bad_alloc&) {
        fail(world, console, "out of memory (the system gave no more); use a smaller --batch or more ranks",
             exit_system);
    } catch (const std::exception& error) {
        fail(world, console, error_message(error), exit_code_of(error));
    }
}

GridShape best_grid(const GridTask& task, int ranks, Route route, int ranks_on_machine) {
    const auto plans = plan_grids(task.network, task.extents, task.batch, ranks, memory_of_rank(ranks_on_machine, task),
                                  task.purpose, plan_options(route, task));
    if (plans.empty()) {
        throw_no_grid(task, ranks);
    }
    return plans.front().grid;
}

ProcessGrid make_grid(const GridOptions& options, const Job& job, const std::function<GridTask()>& task_of) {
    if (job.world.size() == 1 || (!options.grid.empty() && options.grid != "auto")) {
        const bool is_open = options.grid.empty() || options.grid == "auto";
        return {job.world, is_open ? GridShape{} : GridShape::parse(options.grid), route_named(options.route)};
    }
    const Route route = route_named(options.route);
    return {job.world, best_grid(task_of(), job.world.size(), route, job.local_ranks), route};
}

std::string plan_table(const GridOptions& options, const Job& job, const GridTask& task, const DeviceOptions& device,
                       Console& console) {
    const int ranks = options.plan_ranks > 0 ? options.plan_ranks : job.world.size();
    const std::size_t memory = memory_of_rank(job.local_ranks, task);
    const bool trains = task.purpose == GridPurpose::training;
    const std::vector<RankPlan> plans = plan_grids(task.network, task.extents, task.batch, ranks, memory, task.purpose,
                                                   plan_options(route_named(options.route), task));
    if (plans.empty()) {
        throw_no_grid(task, ranks);
    }
    const PlanRates rates = rates_of(options, task, device, console);
    const std::size_t asked = device.memory_bytes();
    std::string text = fmt::format("{:<10} {:>8} {:>12} {:>14} {:>9} {:>12}\n", "grid", "work", "memory",
                                   trains ? "sent a step" : "sent a pass", "messages", "least time");
    for (const RankPlan& plan : plans) {
        const Traffic& sent = trains ? plan.step : plan.pass;
        const std::size_t held = trains ? plan.memory.training : plan.memory.inference;
        const double seconds = rates.ceilings.seconds(trains ? plan.step_work : plan.pass_work);
        text += fmt::format("{:<10} {:>6.1f} % {:>12} {:>14} {:>9} {:>9.4g} ms{}\n", plan.grid.text(),
                            100.0 * plan.largest_share, bytes_text(static_cast<double>(held)),
                            bytes_text(static_cast<double>(sent.bytes)), sent.messages, 1e3 * seconds,
                            fit_text(held, memory, asked, task));
    }
    return text +
           fmt::format("Per rank, of the one with most work; batches of {} of {}; best first.\n",
                       counted(task.batch, "case"), task.extents.text()) +
           text_of(rates) + memory_text(device, asked, task);
}

GridTask prediction_task(const std::string& bundle, const std::string& input, std::int64_t batch,
                         const DeviceOptions& device, int threads) {
    const auto backend = make_planning_backend();
    const Bundle model = Bundle::load(model_path(bundle), *backend);
    const NetworkDescription* largest = &model.networks.front().network->description();
    for (const BundleNetwork& network : model.networks) {
        const NetworkDescription& other = network.network->description();
        largest = other.network.width > largest->network.width ? &other : largest;
    }
    return {*largest,
            extents_of(input, model.networks.front().network->description().network.space_axes()),
            batch > 0 ? batch : 4,
            GridPurpose::prediction,
            device.named_precision(),
            device.planned_device(),
            0,
            threads,
            device.named_spectral()};
}

std::string job_text(const Job& job, const ProcessGrid& grid) {
    return job.world.size() == 1 ? "" : fmt::format(", {} ranks as {}", job.world.size(), grid.shape().text());
}

std::unique_ptr<Backend> make_rank_backend(DeviceOptions options, int threads, const Job& job, Console& console) {
    options.direct_convolutions = job.same_bits_on_every_grid;
    if (job.local_ranks > 1 && threads == 0) {
        const auto usable = static_cast<int>(std::thread::hardware_concurrency());
        const auto present = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
        // A launcher that binds ranks to cores has shared them out already.
        threads = std::max(1, usable < present ? usable : usable / job.local_ranks);
    }
    if (job.local_ranks > 1 && options.device == "auto" && cuda_obstacle().empty()) {
        int devices = 1;
        while (devices < job.local_ranks && cuda_obstacle(devices).empty()) {
            ++devices;
        }
        if (devices >= job.local_ranks) {
            options.device = "cuda:" + std::to_string(job.local_rank);
        } else {
            throw InvalidInput(fmt::format(
                "{} ranks on a machine with {} CUDA devices (ranks of one device share its memory and take turns); "
                "start as many ranks as devices, or give --device cuda:N to each",
                job.local_ranks, devices));
        }
    }
    if (job.world.size() > 1) {
        const bool is_named = options.device != "auto" && options.device != "cpu";
        const int number = is_named ? cuda_number(options.device) : 0;
        options.processes = ranks_alike(job.world, options.device == "cpu" ? "" : cuda_device_id(number));
    }
    return make_backend(options, threads, console);
}

}  // namespace plumecast::app
