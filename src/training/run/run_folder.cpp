#include "training/run/run_folder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/error.hpp>

#include "io/abandoned.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"
#include "io/hash.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> bundles = {"best", "checkpoint"};
constexpr std::array<std::string_view, 5> records = {"best", "metrics.csv", "metrics.jsonl", "recipe.json",
                                                     "events.out.tfevents.plumecast"};

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
    throw InvalidInput(path.string() + ": is there already (" + reason +
                       "); choose another folder in the recipe (output), or move it away");
}

std::vector<std::string> data_files(const Recipe& recipe) {
    std::vector<std::string> files = recipe.train_files;
    files.insert(files.end(), recipe.validation_files.begin(), recipe.validation_files.end());
    return files;
}

/// A bundle is replaced as a whole, with all that lies in its folder.
void require_bundles_or_nothing(const Recipe& recipe) {
    for (const std::string_view name : bundles) {
        const fs::path folder = fs::path(recipe.output) / name;
        recover_folder(folder);
        if (is_there(folder) && !is_there(folder / "model.json")) {
            refuse(folder, "the run would replace it, and it is no model");
        }
        for (const std::string& data : data_files(recipe)) {
            std::error_code absent;
            if (fs::equivalent(fs::absolute(data).parent_path(), folder, absent)) {
                refuse(folder, "the run would replace it, and its data " + data + " with it");
            }
        }
    }
}

/// A run that was killed before its first checkpoint leaves its recipe.
bool is_of(const Recipe& recipe, const fs::path& record) {
    try {
        const Json found = as_recorded(Json::parse(read_text(record.string()), record.string()));
        return lasting_part(found) == lasting_part(recipe.seen_from(recipe.output).to_json());
    } catch (const Error&) {
        return false;
    }
}

/// A recipe as a run writes it, with every entry filled in: it can be had again.
bool is_written_by_a_run(const fs::path& record) {
    try {
        Json found = as_recorded(Json::parse(read_text(record.string()), record.string()));
        if (found.find("physics") != nullptr && found.find("physics")->is_object()) {
            found["physics"]["version"] = physics_version;  // whichever the run had
        }
        const Json* output = found.find("output");
        const auto* folder = output == nullptr ? nullptr : output->get_if<std::string>();
        std::error_code absent;
        return folder != nullptr && fs::equivalent(record.parent_path() / *folder, record.parent_path(), absent) &&
               Recipe::from_json(found, record.string(), "").to_json() == found;
    } catch (const Error&) {
        return false;
    }
}

void require_own_records(const Recipe& recipe) {
    const fs::path folder = recipe.output;
    if (is_there(folder / "checkpoint" / "state.json") || is_of(recipe, folder / "recipe.json")) {
        return;
    }
    for (const std::string_view name : records) {
        const bool is_replaceable = name == "recipe.json" && is_written_by_a_run(folder / name);
        if (is_there(folder / name) && !is_replaceable) {
            refuse(folder / name, "the run would replace it, and it is not of this run");
        }
    }
}

}  // namespace

std::unique_ptr<FolderLock> open_run_folder(const Recipe& recipe) {
    create_folders(recipe.output);
    auto lock = std::make_unique<FolderLock>(recipe.output, "choose another folder in the recipe (output)");
    remove_abandoned_in(recipe.output);
    require_bundles_or_nothing(recipe);
    require_own_records(recipe);
    return lock;
}

bool has_saved_state(const std::string& checkpoint) {
    recover_folder(checkpoint);
    return fs::exists(checkpoint + "/state.json");
}

Json data_hashes(const Recipe& recipe) {
    Json::Array hashes;
    for (const std::string& file : data_files(recipe)) {
        hashes.emplace_back(sha256_of_file(file));
    }
    return hashes;
}

bool require_same_data(const Json& saved, const Recipe& recipe, const std::string& origin) {
    const auto* before = saved.get_if<Json::Array>();
    if (before == nullptr) {
        return false;
    }
    const std::vector<std::string> files = data_files(recipe);
    for (std::size_t i = 0; i < std::min(files.size(), before->size()); ++i) {
        if ((*before)[i] != Json(sha256_of_file(files[i]))) {
            throw InvalidModel(origin + ": the run was trained on other data (" + files[i] +
                               " has changed since); restore the data set, or start a new run in another folder");
        }
    }
    return true;
}

}  // namespace plumecast
