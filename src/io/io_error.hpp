#pragma once

#include <filesystem>
#include <string>

namespace plumecast {

/// Throws IoError "cannot <action> '<path>' (<text of the system error>); <remedy>".
[[noreturn]] void throw_io_error(const std::string& action, const std::filesystem::path& path, int error);

}  // namespace plumecast
