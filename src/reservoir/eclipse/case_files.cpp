#include "reservoir/eclipse/case_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "io/durable.hpp"
#include "io/folders.hpp"

namespace plumecast::eclipse {
namespace {

namespace fs = std::filesystem;

using Extensions = std::map<std::string, fs::path>;  // upper case, without the dot

std::string extension_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    return extension.empty() ? "" : upper(extension.substr(1));
}

/// "X0012": a letter and four or more digits.
bool is_numbered(const std::string& extension, char letter) {
    return extension.size() >= 5 && extension[0] == letter &&
           std::all_of(extension.begin() + 1, extension.end(), is_digit);
}

bool is_grid(const std::string& extension) {
    constexpr std::array<std::string_view, 4> grids = {"EGRID", "FEGRID", "GRID", "FGRID"};
    return std::ranges::find(grids, extension) != grids.end();
}

/// Files of the folder by name without extension.
std::map<std::string, Extensions> files_in(const fs::path& folder) {
    std::map<std::string, Extensions> files;
    for (const std::string& name : names_in(folder)) {
        const fs::path path = folder / name;
        const std::string extension = extension_of(path);
        std::error_code ignored;
        if (!extension.empty() && fs::is_regular_file(path, ignored)) {
            files[path.stem().string()].emplace(extension, path);
        }
    }
    return files;
}

fs::path first_of(const Extensions& files, std::initializer_list<const char*> extensions) {
    for (const char* extension : extensions) {
        const auto found = files.find(extension);
        if (found != files.end()) {
            return found->second;
        }
    }
    return {};
}

/// The unified file, else the numbered ones in order.
std::vector<fs::path> sequence(const Extensions& files, std::initializer_list<const char*> unified,
                               std::initializer_list<char> numbered) {
    const fs::path whole = first_of(files, unified);
    if (!whole.empty()) {
        return {whole};
    }
    for (const char letter : numbered) {
        std::vector<std::pair<std::size_t, std::string>> order;
        for (const auto& [extension, path] : files) {
            if (is_numbered(extension, letter)) {
                order.emplace_back(extension.size(), extension);
            }
        }
        std::ranges::sort(order);
        std::vector<fs::path> paths;
        for (const auto& [length, extension] : order) {
            paths.push_back(files.at(extension));
        }
        if (!paths.empty()) {
            return paths;
        }
    }
    return {};
}

std::string only_run(const fs::path& folder, const std::map<std::string, Extensions>& files) {
    std::set<std::string> names;
    for (const auto& [name, extensions] : files) {
        if (std::ranges::any_of(extensions, [](const auto& file) { return is_grid(file.first); })) {
            names.insert(name);
        }
    }
    if (names.size() != 1) {
        throw InvalidData(folder.string() + ": " + (names.empty() ? "no run" : "several runs") +
                          " (an EGRID or GRID file marks one); " +
                          (names.empty() ? "give the folder of the simulator's output"
                                         : "name one of them, for example " + (folder / *names.begin()).string()));
    }
    return *names.begin();
}

/// A file's name without extension where files of that name are there, else the name itself, which may hold dots.
std::string run_of(const fs::path& path, const std::map<std::string, Extensions>& files) {
    const std::string name = path.filename().string();
    return files.contains(name) ? name : path.stem().string();
}

bool is_compressed(const std::string& extension) {
    constexpr std::array<std::string_view, 4> endings = {"GZ", "ZST", "XZ", "BZ2"};
    return std::ranges::find(endings, extension) != endings.end();
}

/// "RUN.UNRST.gz" where only a compressed file of these extensions lies beside the run; empty for none.
std::string compressed_part(const std::string& name, const std::map<std::string, Extensions>& files,
                            std::initializer_list<const char*> extensions) {
    for (const auto& [stem, compressed] : files) {
        const fs::path inner(stem);
        const bool is_part = inner.stem().string() == name && std::ranges::any_of(extensions, [&](const char* wanted) {
                                 return extension_of(inner) == wanted;
                             });
        for (const auto& [ending, path] : compressed) {
            if (is_part && is_compressed(ending)) {
                return path.filename().string();
            }
        }
    }
    return "";
}

/// Which part of the run is missing.
std::optional<std::string> missing_part(const CaseFiles& files) {
    if (files.grid.empty()) {
        return "no EGRID or GRID file";
    }
    if (files.init.empty()) {
        return "no INIT file (the deck asks for one by INIT in section GRID)";
    }
    return files.restart.empty() ? std::optional<std::string>("no UNRST file and no X0000 files (RPTRST BASIC=2)")
                                 : std::nullopt;
}

}  // namespace

CaseFiles find_case(const fs::path& path) {
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    if (!is_folder && is_compressed(extension_of(path)) && fs::is_regular_file(path, error)) {
        throw InvalidData(path.string() +
                          ": a compressed file of a run (it is read unpacked); unpack it, with 'gunzip' "
                          "or the program that packed it");
    }
    const fs::path folder = (is_folder ? path : parent_of(path)).lexically_normal();
    const auto files = files_in(folder);
    const std::string name = is_folder ? only_run(folder, files) : run_of(path, files);
    const auto found = files.find(name);
    const std::initializer_list<const char*> parts = {"EGRID", "FEGRID", "GRID",  "FGRID",
                                                      "INIT",  "FINIT",  "UNRST", "FUNRST"};
    const std::string compressed = compressed_part(name, files, parts);
    if (found == files.end() && compressed.empty()) {
        throw_io_error("read", path, ENOENT);
    }
    const Extensions of_case = found == files.end() ? Extensions() : found->second;
    CaseFiles result{(folder / name).lexically_normal(),       first_of(of_case, {"EGRID", "FEGRID", "GRID", "FGRID"}),
                     first_of(of_case, {"INIT", "FINIT"}),     sequence(of_case, {"UNRST", "FUNRST"}, {'X', 'F'}),
                     first_of(of_case, {"SMSPEC", "FSMSPEC"}), sequence(of_case, {"UNSMRY", "FUNSMRY"}, {'S', 'A'})};
    if (const auto problem = missing_part(result)) {
        if (!compressed.empty()) {
            throw InvalidData(
                fmt::format("{}: {} ({} is compressed); unpack the files of the run, with 'gunzip' or "
                            "the program that packed them",
                            result.root.string(), *problem, compressed));
        }
        throw InvalidData(
            result.root.string() + ": " + *problem +
            " (grid, initial properties and states are needed); copy the missing file or run the case again");
    }
    return result;
}

CaseFiles find_summary(const fs::path& root) {
    std::error_code error;
    const fs::path folder = parent_of(root).lexically_normal();
    if (!fs::is_directory(folder, error)) {
        return {};
    }
    const auto files = files_in(folder);
    const auto found = files.find(root.filename().string());
    CaseFiles result;
    result.root = root;
    if (found != files.end()) {
        result.specification = first_of(found->second, {"SMSPEC", "FSMSPEC"});
        result.summary = sequence(found->second, {"UNSMRY", "FUNSMRY"}, {'S', 'A'});
    }
    return result;
}

std::vector<std::string> distinct_runs(const std::vector<std::string>& paths) {
    constexpr std::string_view values = ".plumecast.json";
    std::map<fs::path, std::map<std::string, Extensions>> folders;
    std::set<std::string> seen;
    std::vector<std::string> runs;
    for (const std::string& given : paths) {
        const fs::path path = given.ends_with(values) ? given.substr(0, given.size() - values.size()) : given;
        std::error_code error;
        std::string run = given;
        if (!fs::is_directory(path, error) && fs::is_directory(parent_of(path), error)) {
            const auto [entry, is_new] = folders.try_emplace(parent_of(path));
            if (is_new) {
                entry->second = files_in(entry->first);
            }
            const std::string name = run_of(path, entry->second);
            run = entry->second.contains(name) ? (path.parent_path() / name).string() : given;
        }
        if (seen.insert(fs::path(run).lexically_normal().string()).second) {
            runs.push_back(run);
        }
    }
    return runs;
}

}  // namespace plumecast::eclipse
