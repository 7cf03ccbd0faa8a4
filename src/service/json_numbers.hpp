#pragma once

#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast::service {

/// A number; null where it is not finite.
Json number_json(double value);
Json numbers_json(const std::vector<double>& values);
Json texts_json(const std::vector<std::string>& texts);

}  // namespace plumecast::service
