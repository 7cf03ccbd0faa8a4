#pragma once

#include <filesystem>

namespace plumecast {

/// What a picture is stored as. PDF and SVG hold lines and letters as such, maps as images.
enum class PictureFormat { png, pdf, svg };

/// Format that the ending of a file name asks for: .png, .pdf or .svg, in small letters or capitals. Throws
/// InvalidInput for another ending.
PictureFormat picture_format(const std::filesystem::path& path);

/// True when a file is a picture that this program drew: its pictures say so, as `Software` in a PNG and behind the end
/// of a PDF or SVG.
bool is_own_picture(const std::filesystem::path& path);

}  // namespace plumecast
