#pragma once

#include <string_view>
#include <vector>

namespace plumecast::service {

/// A file that is compiled in.
struct Asset {
    std::string_view path;  ///< of the URL
    std::string_view type;
    std::string_view body;
};

/// The page and the description of the interface, from src/service/page and openapi.json.
const std::vector<Asset>& assets();

}  // namespace plumecast::service
