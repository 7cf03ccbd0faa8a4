#pragma once

#include <string>

namespace plumecast {

/// Whole content of a text file. Throws IoError naming the file when it cannot be read.
std::string read_text(const std::string& path);

}  // namespace plumecast
