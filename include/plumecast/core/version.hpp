#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

/// What this build of the library is made of; goes into result files and bug reports.
struct BuildInfo {
    /// Version of Plumecast, "major.minor.patch".
    std::string version;
    /// Compiler and its version.
    std::string compiler;
    /// CMake build type: "Release", "Debug" ...
    std::string build_type;
    /// oneDNN the library was compiled against.
    std::string onednn;
    /// HDF5 the library was compiled against.
    std::string hdf5;
    /// Backends that exist in this build: "cpu" ...
    std::vector<std::string> backends;
};

/// The facts about this build.
BuildInfo build_info();

/// Version of the library, "major.minor.patch".
std::string_view version();

}  // namespace plumecast
