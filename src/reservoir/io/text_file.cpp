#include "reservoir/io/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (!is_empty && (!file || !(text << file.rdbuf()))) {
        throw IoError(path + ": cannot be read (" + std::strerror(errno) + "); check the path and its permissions");
    }
    return text.str();
}

}  // namespace plumecast
