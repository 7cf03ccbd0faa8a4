#pragma once

#include <chrono>
#include <string>

namespace plumecast::service {

/// "2026-11-26T21:03:40Z".
std::string utc_text(std::chrono::system_clock::time_point moment);

}  // namespace plumecast::service
