#include "backend/cuda/vendor/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast::cuda {
namespace {

/// Names to try, the plain one first, which leaves the search to the system.
std::vector<std::string> candidates(const char* file) {
    std::vector<std::string> paths{file};
    const char* wanted = std::getenv("PLUMECAST_CUDA_LIBRARIES");
    std::istringstream folders(std::string(wanted != nullptr ? wanted : "") + ":" + toolkit_folders());
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (!folder.empty()) {
            paths.push_back(folder + "/" + file);
        }
    }
    return paths;
}

}  // namespace

Library::Library(const char* file) : file_(file) {
    std::string reason;
    for (const std::string& path : candidates(file)) {
        // Stays loaded once opened: CUDA libraries do not survive being unloaded before the process ends.
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle_ != nullptr) {
            return;
        }
        reason = reason.empty() ? dlerror() : reason;
    }
    throw DeviceError("the CUDA library " + std::string(file) + " cannot be loaded (" + reason +
                      "); install it, name its folder in PLUMECAST_CUDA_LIBRARIES, or use the CPU");
}

Library::~Library() { dlclose(handle_); }

void* Library::symbol(const char* name) const {
    void* address = dlsym(handle_, name);
    if (address == nullptr) {
        throw DeviceError("the CUDA library " + std::string(file_) + " has no function " + name +
                          " (it is of another version); install the version of this build or use the CPU");
    }
    return address;
}

}  // namespace plumecast::cuda
