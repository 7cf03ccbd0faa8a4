#include "inverse/inversion/invert.hpp"

#include <filesystem>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "inverse/inversion/inversion_run.hpp"

namespace plumecast {

std::string inversion_state_file(const std::string& folder) {
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    path = path.filename().empty() ? path.parent_path() : path;
    return path.string() + ".state.safetensors";
}

InversionReport invert(const InversionConfig& config, const Predictor* predictor, int threads,
                       const std::string& folder, InversionObserver& observer, bool is_resumed) {
    config.check();
    require_valid_inputs(config.case_file);
    require_valid_inputs(config.prior);
    const std::string state = inversion_state_file(folder);
    InversionRun run(config, predictor, threads, observer);
    run.keep_state_in(state, is_resumed);
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
