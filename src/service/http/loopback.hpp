#pragma once

#include <string>

namespace plumecast::service {

/// Whether a host is this machine's own loopback: localhost, ::1 or an address of 127.0.0.0/8. Other names, such as
/// 127.example.org, may be led anywhere.
bool is_loopback(const std::string& host);

}  // namespace plumecast::service
