#pragma once

#include <filesystem>

namespace plumecast {

/// What a picture is stored as. PDF and SVG hold lines and letters as such, maps as images.
enum class PictureFormat { png, pdf, svg };

/// Format that the ending of a file name asks for: .pdf, .svg, else PNG.
PictureFormat picture_format(const std::filesystem::path& path);

}  // namespace plumecast
