#include "training/records/run_history.hpp"

#include <filesystem>
#include <sstream>

#include <plumecast/core/error.hpp>

#include "io/text_file.hpp"
#include "training/training_state.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr const char* record_name = "metrics.jsonl";

/// Throws what keeps a place from being a run with epochs, if anything does.
void require_run(const fs::path& folder) {
    const std::string name = folder.string();
    if (!fs::exists(folder)) {
        throw IoError(name + ": no such folder (a training run leaves one, its entry 'output'); check the name");
    }
    if (!fs::is_directory(folder)) {
        throw InvalidInput(name + ": is a file (a training run is a folder with " + record_name +
                           "); give the folder that 'plumecast train' wrote");
    }
    if (fs::exists(folder / record_name)) {
        return;
    }
    if (fs::exists(folder / "model.json")) {
        const fs::path above = folder.lexically_normal().parent_path();
        throw InvalidInput(name + ": holds a model, not a run (learning curves are beside it, in " + record_name +
                           " of the run's folder); give the folder of the run" +
                           (fs::exists(above / record_name) ? ", " + above.string() : ""));
    }
    if (fs::exists(folder / "recipe.json")) {
        throw InvalidInput(name +
                           ": holds a run without an epoch (its first one has not ended); wait for it, or "
                           "continue the run with Trainer::resume()");
    }
    throw InvalidInput(name + ": holds no training run (there is no " + record_name +
                       "); give a folder that 'plumecast train' wrote");
}

EpochReport epoch_of(const std::string& line, const std::string& origin) {
    const Json json = Json::parse(line, origin);
    return read_report(JsonReader(json, origin));
}

}  // namespace

std::vector<EpochReport> read_run_history(const std::string& folder) {
    require_run(folder);
    const std::string path = (fs::path(folder) / record_name).string();
    if (fs::is_empty(path)) {
        throw InvalidData(path + ": is empty (a run writes one line per epoch); restore the file");
    }
    std::istringstream lines(read_text(path));
    std::vector<EpochReport> epochs;
    for (std::string line; std::getline(lines, line);) {
        const std::string origin = path + ": line " + std::to_string(epochs.size() + 1);
        try {
            epochs.push_back(epoch_of(line, origin));
        } catch (const InvalidInput& error) {
            throw InvalidData(error.what());
        }
        if (epochs.size() > 1 && epochs.back().epoch <= epochs[epochs.size() - 2].epoch) {
            throw InvalidData(origin + ": epoch " + std::to_string(epochs.back().epoch) +
                              " does not follow the one before (a run counts them upwards); restore the file");
        }
    }
    return epochs;
}

}  // namespace plumecast
