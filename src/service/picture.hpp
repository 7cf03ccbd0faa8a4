#pragma once

#include <string>

#include "service/computation.hpp"

namespace plumecast::service {

/// A map of a field as PNG. Throws InvalidInput for a field that was not computed, NotBuilt without pictures.
std::string picture_of(const ComputedCases& computed, const WantedPicture& wanted);

}  // namespace plumecast::service
