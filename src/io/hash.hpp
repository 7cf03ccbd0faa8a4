#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace plumecast {

/// SHA-256 (FIPS 180-4) of the bytes, as 64 lower-case hexadecimal digits. Throws Error when the library refuses.
std::string sha256(std::string_view bytes);

/// SHA-256 of a file's content, read in pieces. Throws IoError when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace plumecast
