#include "plotting/picture_mark.hpp"

#include <array>
#include <cstdint>
#include <fstream>

namespace plumecast {
namespace {

constexpr std::size_t png_start = 33;  // signature and the chunk IHDR, which comes first
constexpr std::string_view text_end = "% drawn by plumecast\n";
constexpr std::string_view markup_end = "<!-- drawn by plumecast -->\n";

void append_number(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xFFU);
    }
}

/// CRC-32 of the PNG specification (ISO/IEC 15948, annex D).
std::uint32_t checksum(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1U) != 0 ? 0xEDB88320U ^ crc >> 1U : crc >> 1U;
        }
    }
    return ~crc;
}

/// A tEXt chunk, whose keyword `Software` names the program that made the picture.
std::string png_chunk() {
    using namespace std::string_literals;
    const std::string content = "Software\0plumecast"s;
    std::string chunk;
    append_number(chunk, static_cast<std::uint32_t>(content.size()));
    chunk += "tEXt" + content;
    append_number(chunk, checksum("tEXt" + content));
    return chunk;
}

}  // namespace

std::string marked(std::string picture, PictureFormat format) {
    if (format == PictureFormat::png) {
        picture.insert(png_start, png_chunk());
    } else {
        picture += picture.ends_with('\n') ? "" : "\n";
        picture += format == PictureFormat::pdf ? text_end : markup_end;
    }
    return picture;
}

bool is_own_picture(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 128> bytes{};
    file.read(bytes.data(), bytes.size());
    const std::string start(bytes.data(), static_cast<std::size_t>(file.gcount()));
    if (start.starts_with("\x89PNG")) {
        return start.find(png_chunk()) == png_start;
    }
    file.clear();
    file.seekg(-static_cast<std::streamoff>(markup_end.size()), std::ios::end);
    file.read(bytes.data(), static_cast<std::streamsize>(markup_end.size()));
    const std::string end(bytes.data(), static_cast<std::size_t>(file.gcount()));
    return end == markup_end || end.ends_with(text_end);
}

}  // namespace plumecast
