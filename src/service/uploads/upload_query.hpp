#pragma once

#include "service/http/http.hpp"
#include "service/uploads/upload.hpp"

namespace plumecast::service {

/// What the URL says of an upload beside the model: `fields`, `buildup_limit` and `uncertainty`. Throws Problem (400).
void read_query(const Request& request, UploadQuestion& question);

}  // namespace plumecast::service
