#include "inverse/inversion/invert.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "inverse/inversion/inversion_run.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// Results must not take the place of what they are made from.
void require_no_input_among(const std::vector<std::string>& results, const InversionConfig& config) {
    const std::vector<std::pair<const char*, std::string>> inputs{{"case", config.case_file},
                                                                  {"prior", config.prior},
                                                                  {"observations", config.observations},
                                                                  {"model_error", config.model_error}};
    for (const std::string& result : results) {
        for (const auto& [entry, input] : inputs) {
            std::error_code absent;  // what is not there is not lost
            if (fs::equivalent(result, input, absent)) {
                throw InvalidInput(
                    fmt::format("{}: is an input (the entry {} names it, and a result would take its place); choose "
                                "another folder",
                                result, entry));
            }
        }
    }
}

void require_no_state(const std::string& state) {
    std::error_code absent;
    if (fs::exists(state, absent)) {
        throw InvalidInput(state +
                           ": is there already (an interrupted inversion left it, and what it found would be lost); go "
                           "on from it, have it replaced, or choose another folder");
    }
}

/// Throws IoError where the state or results cannot be written, before anything is computed.
void require_writable(const std::string& state, const std::string& folder) {
    if (const fs::path parent = fs::path(state).parent_path(); !parent.empty()) {
        create_folders(parent);
    }
    const AtomicFile probe_of_state(state);
    if (std::error_code absent; fs::is_directory(folder, absent)) {
        const AtomicFile probe_of_results(fs::path(folder) / record_file);
    }
}

}  // namespace

std::string inversion_state_file(const std::string& folder) {
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    path = path.filename().empty() ? path.parent_path() : path;
    return path.string() + ".state.safetensors";
}

InversionReport invert(const InversionConfig& config, const Predictor* predictor, int threads,
                       const std::string& folder, InversionObserver& observer, FormerState former) {
    config.check();
    const std::string state = inversion_state_file(folder);
    std::vector<std::string> results{state};
    for (const char* name : {posterior_file, misfit_file, convergence_file, record_file}) {
        results.push_back((fs::path(folder) / name).string());
    }
    require_no_input_among(results, config);
    if (former == FormerState::refuse) {
        require_no_state(state);
    }
    require_writable(state, folder);
    require_valid_inputs(config.case_file);
    require_valid_inputs(config.prior);
    InversionRun run(config, predictor, threads, observer);
    run.keep_state_in(state, former == FormerState::resume);
    switch (config.method) {
        case InversionMethod::smc:
            return run_smc(run, folder);
        case InversionMethod::rml:
        case InversionMethod::map:
            return run_rml(run, folder);
        default:
            return run_esmda(run, folder);
    }
}

}  // namespace plumecast
