#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>

#include "arguments/model_path.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "device.hpp"
#include "interrupts.hpp"
#include "inverse/optimization/simulated_source.hpp"
#include "inverse/optimization/storage_study.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"

namespace plumecast::app {
namespace {

struct OptimizeOptions {
    std::string config, output;
    std::vector<std::string> assignments;
    bool is_each = false;
    bool print_defaults = false;
    bool is_verified = false;
    bool is_forced = false;
    int threads = 0;
    DeviceOptions device;
};

StorageConfig config_of(const OptimizeOptions& options, const CLI::App& app) {
    StorageConfig config = StorageConfig::from_file(options.config);
    for (const std::string& assignment : options.assignments) {
        config.set(assignment);
    }
    if (!options.output.empty()) {
        config.output = options.output;
    }
    while (config.output.size() > 1 && config.output.ends_with('/')) {
        config.output.pop_back();  // what lies beside the folder does not lie in it
    }
    if (app.count("--threads") > 0) {
        config.threads = options.threads;
    }
    config.check();
    return config;
}

/// Throws InvalidInput where anything but an earlier optimum would be lost, IoError where nothing can be written.
void require_study_place(const std::string& folder, const std::vector<std::string>& inputs, bool is_forced) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (const std::string& input : inputs) {
        if (!input.empty() && fs::equivalent(folder, fs::absolute(input).parent_path(), ignored)) {
            throw InvalidInput(folder + ": holds the input " + input +
                               " (the folder is replaced whole); name another folder with --output");
        }
    }
    if (!fs::exists(folder, ignored)) {
        create_folders(fs::absolute(folder).parent_path());
        const AtomicFolder probe(folder);  // what stands in the way is named now, not after the search
        return;
    }
    const std::vector<std::string> own = {"optimum.json", "optimum.h5", "sites.csv", "stored_mass.csv"};
    std::vector<std::string> names;
    if (fs::is_directory(folder, ignored)) {
        names = names_in(folder, ignored);
    }
    const bool is_study =
        fs::exists(fs::path(folder) / "optimum.json", ignored) &&
        std::ranges::all_of(names, [&](const std::string& name) { return std::ranges::find(own, name) != own.end(); });
    if (!is_study) {
        throw InvalidInput(folder +
                           ": is there already and holds more than an optimum (it would be replaced whole); name a "
                           "folder that does not exist yet with --output");
    }
    if (!is_forced) {
        throw InvalidInput(folder +
                           ": holds an optimum already (it would be replaced); name another folder with --output, or "
                           "replace it with --force");
    }
    const AtomicFolder probe(folder);
}

/// What is left of a run whose simulations did not come to their end.
std::string not_simulated(const StorageConfig& config) {
    return config.output + ": holds what the search found, which was not simulated";
}

ExitCode optimize(const OptimizeOptions& options, const CLI::App& app, Console& console) {
    if (options.print_defaults) {
        StorageConfig defaults = StorageConfig::example();
        for (const std::string& assignment : options.assignments) {
            defaults.set(assignment);
        }
        console.print(defaults.to_json().dump() + "\n");
        return exit_ok;
    }
    if (options.config.empty()) {
        throw InvalidInput(
            "optimize takes CONFIG.json or --default (what is to be optimized is not given); run 'plumecast optimize "
            "--help'");
    }
    StorageConfig config = config_of(options, app);
    config.threads = usable_threads(config.threads, console);
    require_study_place(config.output, {config.data, options.config}, options.is_forced);
    std::unique_ptr<Backend> backend;
    std::unique_ptr<const Predictor> predictor;
    std::unique_ptr<const FieldSource> source;
    if (config.model.empty()) {
        source = std::make_unique<PhysicsSource>(config.substeps);
    } else {
        const std::string bundle = model_path(config.model);
        backend = make_backend(options.device, config.threads, console);
        predictor = std::make_unique<const Predictor>(bundle, *backend);
        source = std::make_unique<PredictedSource>(*predictor, config.model);
    }
    std::unique_ptr<const AtomicFolder> runs;  // of the simulator; never committed, so that it goes with its content
    std::unique_ptr<const SimulatedSource> simulator;
    if (options.is_verified) {
        runs = std::make_unique<const AtomicFolder>(config.output + ".runs");
        simulator = std::make_unique<const SimulatedSource>("flow", runs->path());
    }
    const Interrupts interrupts;
    StudyOptions study_options;
    study_options.simulator = simulator.get();
    study_options.is_each = options.is_each;
    study_options.progress = [&](const std::string& text) { console.progress(text); };
    study_options.stop_requested = [&] { return interrupts.requested(); };
    bool is_written = false;
    try {
        StorageStudy study = optimize_storage(config, *source, study_options);
        write_study(study, config.output);
        is_written = true;
        if (simulator) {
            verify_storage(study, study_options);
            write_study(study, config.output);
        }
        console.clear_progress();
        console.print(study_text(study));
        console.print(fmt::format("{}: optimum.json, optimum.h5{}; {} computed by {}\n", config.output,
                                  study.is_each         ? ", sites.csv"
                                  : study.table.empty() ? ""
                                                        : ", stored_mass.csv",
                                  counted(study.computed, "case"), study.fields));
        for (const std::string& note : study.notes) {
            console.warn(note);
        }
    } catch (const Interrupted&) {
        console.warn(is_written ? "interrupted; " + not_simulated(config) : "interrupted; nothing was written");
        return exit_interrupted;  // whatever the signal: there is nothing to continue from
    } catch (const IoError&) {
        if (is_written) {
            console.warn(not_simulated(config));
        }
        throw;
    }
    return exit_ok;
}

}  // namespace

Command make_optimize(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("optimize", "Find what stores most CO2 within limits, and rank sites");
    const auto options = std::make_shared<OptimizeOptions>();
    app->add_option("config", options->config, "Configuration ('plumecast optimize --default' prints one)")
        ->type_name("CONFIG.json");
    app->add_flag("--each", options->is_each, "Every case of the data set is a site of its own: one table in order");
    app->add_flag("--verify", options->is_verified,
                  "Simulate the cases at the optimum with OPM Flow, and say which limits hold");
    app->add_flag("--default", options->print_defaults, "Print a configuration to begin with");
    app->add_option("--set", options->assignments, "Change an entry: --set limits.0.at_least=5; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app->add_option("-o,--output", options->output, "Folder of the result, instead of the configuration's")
        ->type_name("FOLDER");
    app->add_flag("--force", options->is_forced, "Replace an optimum that is there");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(
        *app,
        "  plumecast optimize --default > optimum.json\n"
        "  plumecast optimize optimum.json\n"
        "  plumecast optimize optimum.json --set probability=0.95 --output safer\n"
        "  plumecast optimize optimum.json --each --output sites\n"
        "  plumecast optimize optimum.json --verify\n\n"
        "The cases of the data set are geologies of one reservoir, whose rates are chosen alike, or with --each\n"
        "sites. Limits hold with a probability over the geologies. Ctrl-C ends it, and nothing is written, but for "
        "what\n"
        "the search found where --verify simulates already.");
    return {app, [options, app](Console& console) { return optimize(*options, *app, console); }};
}

}  // namespace plumecast::app
