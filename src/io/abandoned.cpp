#include "io/abandoned.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <system_error>

#include <unistd.h>

#include "io/durable.hpp"
#include "io/folders.hpp"
#include "io/writer_mark.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".partial";

/// FNV-1a: the name of a machine as a few letters that any file system takes.
std::string short_hash(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    std::array<char, 8> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 36);
    return {digits.data(), end};
}

/// Processes are numbered anew in each container, so the name of the machine alone does not tell them apart.
std::string machine_mark() {
    std::error_code ignored;
    return short_hash(host_name() + fs::read_symlink("/proc/self/ns/pid", ignored).string());
}

/// The mark in ".NAME.MARK.RANDOM.partial"; empty for any other name.
std::string_view mark_in(std::string_view name) {
    if (!name.starts_with('.') || !name.ends_with(ending)) {
        return {};
    }
    name.remove_suffix(ending.size());
    const std::size_t random = name.rfind('.');
    const std::size_t mark = random == std::string_view::npos || random == 0 ? random : name.rfind('.', random - 1);
    return mark == std::string_view::npos || mark == 0 ? std::string_view() : name.substr(mark + 1, random - mark - 1);
}

void remove_if_abandoned(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    if (is_gone(mark_in(name)) && fs::is_regular_file(folder / name, ignored)) {
        fs::remove(folder / name, ignored);
    }
}

}  // namespace

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string writer_mark() { return machine_mark() + "-" + std::to_string(::getpid()); }

bool is_alive(long process) { return ::getpgid(static_cast<pid_t>(process)) >= 0 || errno != ESRCH; }

bool is_gone(std::string_view mark) {
    const std::size_t dash = mark.find('-');
    long process = 0;
    if (dash == std::string_view::npos || mark.substr(0, dash) != machine_mark()) {
        return false;
    }
    const char* end = mark.data() + mark.size();
    const auto [stop, error] = std::from_chars(mark.data() + dash + 1, end, process);
    return error == std::errc() && stop == end && process > 0 && !is_alive(process);
}

void remove_abandoned(const fs::path& output) {
    std::error_code ignored;
    const fs::path folder = parent_of(output);
    const std::string start = sibling(output, "").filename().string();
    for (const std::string& name : names_in(folder, ignored)) {
        if (name.starts_with(start)) {
            remove_if_abandoned(folder, name);
        }
    }
}

void remove_abandoned_in(const fs::path& folder) {
    std::error_code ignored;
    for (const std::string& name : names_in(folder, ignored)) {
        remove_if_abandoned(folder, name);
    }
}

}  // namespace plumecast
