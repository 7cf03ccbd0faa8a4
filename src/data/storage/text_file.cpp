#include "data/storage/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw IoError(path + ": cannot be read (" + std::strerror(errno) + "); check the path and its permissions");
    }
    return text.str();
}

}  // namespace plumecast
