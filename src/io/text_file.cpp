#include "io/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::string read_text(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::fifo) {
        throw IoError(path + ": cannot be read (it is a named pipe, and reading it may never end); name a file");
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (!is_empty && (!file || !(text << file.rdbuf()))) {
        throw IoError(path + ": cannot be read (" + std::strerror(errno) + "); check the path and its permissions");
    }
    return text.str();
}

}  // namespace plumecast
