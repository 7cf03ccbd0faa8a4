#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace plumecast {

/// How much memory a process may use, and what says so.
struct MemoryLimit {
    std::size_t bytes = 0;
    /// As a message names it: "the memory of the machine", "memory.max of the control group /job".
    std::string source;
};

/// The least of the physical memory, the limits of the control groups that the process is in (a container's, or a
/// job's), and its limits of address space and data (ulimit -v and -d).
MemoryLimit memory_limit();

/// The least limit of memory of the process's control groups and of all above them, of version 1 or 2; nothing where
/// none is set. Files are looked for below `root`: proc/self/cgroup, proc/self/mountinfo, and those of the groups.
std::optional<MemoryLimit> control_group_limit(const std::filesystem::path& root = "/");

/// Bytes that the process may still map under its limits of address space and data; nothing where there is no limit.
std::optional<std::size_t> addresses_left();

}  // namespace plumecast
