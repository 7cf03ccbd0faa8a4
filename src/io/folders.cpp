#include "io/folders.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

#include <dirent.h>
#include <ftw.h>

#include "io/durable.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

int remove_entry(const char* path, const struct stat*, int, FTW*) { return std::remove(path) == 0 ? 0 : errno; }

}  // namespace

void create_folders(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        throw_io_error("create", path, error.value());
    }
}

std::vector<std::string> names_in(const fs::path& folder, std::error_code& error) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
    errno = open ? 0 : errno;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            names.emplace_back(name);
        }
        errno = 0;  // readdir() says by it whether it failed or came to the end
    }
    error = {errno, std::generic_category()};
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names = names_in(folder, error);
    if (error) {
        throw_io_error("read", folder, error.value());
    }
    return names;
}

void remove_tree(const fs::path& path, std::error_code& error) noexcept {
    const int failure = walk_error(path, remove_entry, FTW_DEPTH | FTW_PHYS);
    error = {failure == ENOENT ? 0 : failure, std::generic_category()};
}

void remove_tree(const fs::path& path) {
    std::error_code error;
    remove_tree(path, error);
    if (error) {
        throw_io_error("remove", path, error.value());
    }
}

}  // namespace plumecast
