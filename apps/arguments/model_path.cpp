#include "arguments/model_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

namespace plumecast::app {
namespace {

namespace fs = std::filesystem;

/// share/plumecast of the installation that this executable belongs to; empty when the system does not say.
fs::path share_folder() {
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : executable.parent_path().parent_path() / "share" / "plumecast";
}

std::vector<fs::path> model_folders() {
    std::vector<fs::path> folders;
    const char* listed = std::getenv("PLUMECAST_MODELS");
    std::string rest = listed == nullptr ? "" : listed;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        if (colon != 0) {
            folders.emplace_back(rest.substr(0, colon));
        }
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    if (const fs::path share = share_folder(); !share.empty()) {
        folders.push_back(share / "models");
    }
    return folders;
}

}  // namespace

std::string model_path(const std::string& named) {
    std::error_code error;
    const fs::path path(named);
    if (named.empty() || path.is_absolute() || fs::exists(path, error)) {
        return named;
    }
    const bool has_folder = path.begin() != path.end() && *path.begin() == "models";
    const fs::path name = has_folder ? path.lexically_relative("models") : path;
    const std::vector<fs::path> folders = model_folders();
    for (const fs::path& folder : folders) {
        if (fs::exists(folder / name / "model.json", error)) {
            return (folder / name).string();
        }
    }
    if (has_folder || (!name.has_parent_path() && !name.has_extension())) {
        std::vector<std::string> places;
        for (const fs::path& folder : folders) {
            places.push_back(folder.string());
        }
        throw InvalidModel(
            fmt::format("{}: no such file or folder (and no model of that name in {}); check the path, or let "
                        "PLUMECAST_MODELS list the folder above the model",
                        named, fmt::join(places, ", ")));
    }
    return named;
}

std::string installed_file(const std::string& path) {
    std::error_code error;
    const fs::path installed = share_folder() / path;
    return fs::exists(installed, error) ? installed.string() : path;
}

}  // namespace plumecast::app
