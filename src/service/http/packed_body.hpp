#pragma once

#include <string_view>

#include "service/http/http.hpp"

namespace plumecast::service {

/// Whether a client reads bodies packed by gzip, as its header Accept-Encoding says (RFC 9110, section 12.5.3).
bool reads_gzip(std::string_view accepted);

/// The answer for a client that accepts such encodings: where its body is a text of a kilobyte or more, packed by gzip
/// (RFC 1952) at its fastest if the client reads that, with the headers that say so, and that caches need. Any other
/// answer is left as it is. Throws std::bad_alloc.
Response as_read(Response response, std::string_view accepted);

}  // namespace plumecast::service
