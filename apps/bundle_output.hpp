#pragma once

#include <string>

#include <plumecast/core/json.hpp>
#include <plumecast/training/bundle.hpp>

namespace plumecast::app {

/// Makes the folders above `path`. Throws InvalidInput when `path` holds something that is no bundle, since writing one
/// replaces the whole folder.
void require_bundle_place(const std::string& path);

/// One network of a bundle in a line: "ufno, width 36, modes 10 x 10 x 10, 3 + 3 blocks, 33,097,829 parameters".
std::string network_text(const FieldNetwork& network);

}  // namespace plumecast::app
