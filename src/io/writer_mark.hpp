#pragma once

#include <string>
#include <string_view>

namespace plumecast {

/// Name of this machine, "unknown" where it has none.
std::string host_name();

/// This process in a file name: letters and digits that stand for the machine, '-', and the number of the process.
std::string writer_mark();

/// True when a mark names a process of this machine that is gone.
bool is_gone(std::string_view mark);

/// True when a process of this machine with that number is alive.
bool is_alive(long process);

}  // namespace plumecast
