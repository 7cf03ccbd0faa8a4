#include "core/machine/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// A mounted hierarchy of control groups.
struct GroupMount {
    bool is_unified = false;  ///< of version 2
    std::string top;          ///< the group that lies at the mount point
    fs::path point;
};

/// "memory" among "cpu,memory".
bool lists(const std::string& list, const std::string& wanted) {
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ',');) {
        if (entry == wanted) {
            return true;
        }
    }
    return false;
}

/// The hierarchies that may limit memory, by "ID PARENT DEVICE TOP POINT OPTIONS... - TYPE SOURCE OPTIONS".
std::vector<GroupMount> group_mounts(const fs::path& root) {
    std::vector<GroupMount> mounts;
    std::ifstream file(root / "proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string skipped, top, point, type, options;
        words >> skipped >> skipped >> skipped >> top >> point;
        while (words >> skipped && skipped != "-") {
        }
        words >> type >> skipped >> options;
        if (type == "cgroup2" || (type == "cgroup" && lists(options, "memory"))) {
            mounts.push_back({type == "cgroup2", top, root / fs::path(point).relative_path()});
        }
    }
    return mounts;
}

/// The group of the process in a hierarchy, from lines such as "0::/job" (version 2) and "4:cpu,memory:/job".
std::string group_of_process(const fs::path& root, bool is_unified) {
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (is_unified ? line.starts_with("0::") : lists(controllers, "memory")) {
            return line.substr(second + 1);
        }
    }
    return "";
}

/// The place of a group below the one at a mount point; that itself where the group does not lie below it, as in a
/// container that sees the names of its host.
fs::path below(const std::string& group, const std::string& top) {
    const fs::path relative = fs::path(group).lexically_relative(top);
    if (relative.empty()) {
        return {};
    }
    return relative == "." || *relative.begin() == ".." ? fs::path() : relative;
}

void take_least(std::optional<MemoryLimit>& least, std::size_t bytes, const std::string& source) {
    if (!least || bytes < least->bytes) {
        least = MemoryLimit{bytes, source};
    }
}

/// The next word of a stream as a number, whatever the locale; nothing where it is none.
std::optional<std::size_t> next_number(std::istream& words) {
    std::string word;
    std::size_t number = 0;
    words >> word;
    const auto error = std::from_chars(word.data(), word.data() + word.size(), number).ec;
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The number in a file; nothing for "max", and where there is no such file.
std::optional<std::size_t> number_in(const fs::path& path) {
    std::ifstream file(path);
    return next_number(file);
}

std::size_t in_bytes(std::size_t pages) { return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A limit of the process that is set.
struct ProcessLimit {
    std::size_t bytes;
    std::size_t used;
    const char* source;
};

std::vector<ProcessLimit> process_limits() {
    std::vector<ProcessLimit> limits;
    std::ifstream file("/proc/self/statm");
    std::array<std::size_t, 6> pages{};  // all, resident, shared, code, libraries, data
    std::ranges::generate(pages, [&] { return next_number(file).value_or(0); });
    const auto add = [&](auto which, std::size_t used, const char* source) {
        rlimit limit{};
        if (getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
            limits.push_back({static_cast<std::size_t>(limit.rlim_cur), in_bytes(used), source});
        }
    };
    add(RLIMIT_AS, pages.front(), "the limit of the process's address space, ulimit -v");
    add(RLIMIT_DATA, pages.back(), "the limit of the process's data, ulimit -d");
    return limits;
}

}  // namespace

std::optional<MemoryLimit> control_group_limit(const fs::path& root) {
    std::optional<MemoryLimit> least;
    for (const GroupMount& mount : group_mounts(root)) {
        const std::string file = mount.is_unified ? "memory.max" : "memory.limit_in_bytes";
        fs::path group = below(group_of_process(root, mount.is_unified), mount.top);
        for (bool is_last = false; !is_last; group = group.parent_path()) {
            is_last = group.empty();
            if (const auto bytes = number_in(mount.point / group / file)) {
                const fs::path name = group.empty() ? fs::path(mount.top) : mount.top / group;
                take_least(least, *bytes, file + " of the control group " + name.string());
            }
        }
    }
    return least;
}

MemoryLimit memory_limit() {
    std::optional<MemoryLimit> least =
        MemoryLimit{in_bytes(static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES))), "the memory of the machine"};
    if (const auto group = control_group_limit()) {
        take_least(least, group->bytes, group->source);
    }
    for (const ProcessLimit& limit : process_limits()) {
        take_least(least, limit.bytes, limit.source);
    }
    return *least;
}

std::optional<std::size_t> addresses_left() {
    std::optional<std::size_t> left;
    for (const ProcessLimit& limit : process_limits()) {
        const std::size_t own = limit.bytes - std::min(limit.used, limit.bytes);
        left = std::min(left.value_or(own), own);
    }
    return left;
}

}  // namespace plumecast
