#pragma once

#include <string>

#include "plotting/picture_format.hpp"

namespace plumecast {

/// The bytes of a picture with the mark of this program, by which is_own_picture() knows it.
std::string marked(std::string picture, PictureFormat format);

}  // namespace plumecast
