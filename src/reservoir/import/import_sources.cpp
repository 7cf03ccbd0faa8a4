#include "reservoir/import/import_sources.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

}  // namespace

void refuse_bare_arrays(const std::vector<std::string>& sources) {
    constexpr std::array<std::string_view, 6> extensions = {".npy", ".npz", ".mat", ".nc", ".pt", ".pth"};
    constexpr std::array<std::string_view, 4> grids = {".EGRID", ".FEGRID", ".GRID", ".FGRID"};
    const auto lies_beside_run = [&](fs::path file) {
        return std::ranges::any_of(grids,
                                   [&](std::string_view grid) { return fs::exists(file.replace_extension(grid)); });
    };
    for (const std::string& source : sources) {
        const std::string extension = lower(fs::path(source).extension().string());
        if (std::ranges::find(extensions, extension) != extensions.end() && fs::is_regular_file(source) &&
            !lies_beside_run(source)) {
            throw InvalidInput(source + ": a file of arrays, not a run (it does not say what its arrays mean); " +
                               (extension.starts_with(".pt")
                                    ? "make tensors of it with scripts/convert/convert_tensors.py"
                                    : "write a map and give it in ImportOptions::map, docs/import.md has examples"));
        }
    }
}

std::vector<std::string> short_names(const std::vector<std::string>& sources) {
    std::vector<fs::path> paths;
    for (const std::string& source : sources) {
        const fs::path path = fs::path(source).lexically_normal();
        paths.push_back(path.has_filename() ? path : path.parent_path());
    }
    fs::path shared = paths[0].parent_path();
    const auto is_above = [](const fs::path& folder, const fs::path& path) {
        return folder.empty() || *path.lexically_relative(folder).begin() != "..";
    };
    while (!std::ranges::all_of(paths, [&](const fs::path& path) { return is_above(shared, path.parent_path()); })) {
        shared = shared.parent_path();
    }
    std::vector<std::string> names;
    for (const fs::path& path : paths) {
        names.push_back(shared.empty() ? path.string() : path.lexically_relative(shared).string());
    }
    return names;
}

}  // namespace plumecast
