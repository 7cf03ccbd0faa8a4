#pragma once

#include "service/http/http.hpp"
#include "service/uploads/upload.hpp"

namespace plumecast::service {

/// What the URL says of an upload beside the model: `fields`, `cases`, `buildup_limit`, `measure`, `picture` and
/// `uncertainty`; the rest of the question is left as it is at first. Throws Problem (400), InvalidInput for what
/// measure says and for a picture that is no JSON.
UploadQuestion upload_question(const Request& request);

}  // namespace plumecast::service
