#pragma once

#include <string_view>

#include "service/http/http.hpp"

namespace plumecast::service {

/// Whether a client reads bodies packed by gzip, as its header Accept-Encoding says (RFC 9110, section 12.5.3).
bool reads_gzip(std::string_view accepted);

/// Packs the body of an answer by gzip (RFC 1952) at its fastest, and says so in headers, where it is a text of a
/// kilobyte or more; leaves any other answer as it is. Throws std::bad_alloc.
Response packed(Response response);

}  // namespace plumecast::service
