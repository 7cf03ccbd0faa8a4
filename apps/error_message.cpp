#include "error_message.hpp"

#include <filesystem>

#include <plumecast/inference/evaluation.hpp>

namespace plumecast::app {

std::string error_message(const std::exception& error) {
    if (dynamic_cast<const Interrupted*>(&error) != nullptr) {
        return "interrupted (a signal asked to stop); start again to continue";
    }
    const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    return of_file == nullptr ? error.what()
                              : of_file->path1().string() + ": cannot be reached (" + of_file->code().message() +
                                    "); check the path and its permissions";
}

}  // namespace plumecast::app
