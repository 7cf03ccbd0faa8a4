#include "own_input.hpp"

#include <filesystem>

#include <plumecast/core/error.hpp>

namespace plumecast::app {

void refuse_own_input(const std::string& input, const std::string& output) {
    std::error_code absent;  // a file that is not there is no input yet, or is missed by who reads it
    if (std::filesystem::equivalent(input, output, absent)) {
        throw InvalidInput(output +
                           ": is the input itself (the result would take its place, and simulated or measured "
                           "data in it would be lost); give another name after -o");
    }
}

}  // namespace plumecast::app
