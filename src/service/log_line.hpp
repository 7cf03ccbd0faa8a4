#pragma once

#include <string>

#include "service/http/http.hpp"

namespace plumecast::service {

/// What the access log says of an answer, as JSON: time, client, method, path, status, bytes and seconds, and the
/// ensemble that it begins. Of the name of an ensemble, with which anybody may read and end it, the first eight digits
/// alone.
std::string log_line(const Request& request, const Response& response, double seconds);

}  // namespace plumecast::service
