#include <plumecast/core/error.hpp>

#include "service/picture.hpp"

namespace plumecast::service {

std::string picture_of(const ComputedCases&, const WantedPicture&) {
    throw NotBuilt(
        "this service draws no pictures (it was built without them); ask for application/json, or build with "
        "-DPLUMECAST_PICTURES=ON, which needs Cairo");
}

}  // namespace plumecast::service
