#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include <cairo.h>

#include "plotting/colour_map.hpp"

namespace plumecast::testing {

/// A PNG read back to look at its pixels.
class PngFile {
   public:
    explicit PngFile(const std::filesystem::path& path) : image_(cairo_image_surface_create_from_png(path.c_str())) {
        if (cairo_surface_status(image_) != CAIRO_STATUS_SUCCESS) {
            cairo_surface_destroy(image_);
            throw std::runtime_error("no picture in " + path.string());
        }
    }
    PngFile(const PngFile&) = delete;
    PngFile& operator=(const PngFile&) = delete;
    ~PngFile() { cairo_surface_destroy(image_); }

    int width() const { return cairo_image_surface_get_width(image_); }
    int height() const { return cairo_image_surface_get_height(image_); }

    /// True when the pixel has this colour within two of 255 steps.
    bool has(int x, int y, const Colour& colour) const {
        const unsigned char* row = cairo_image_surface_get_data(image_) + y * cairo_image_surface_get_stride(image_);
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, row + 4 * x, sizeof pixel);
        const auto near = [pixel](int shift, double part) {
            return std::abs(static_cast<double>((pixel >> shift) & 0xFFU) - 255.0 * part) <= 2.0;
        };
        return near(16, colour.red) && near(8, colour.green) && near(0, colour.blue);
    }

    /// Number of pixels with this colour.
    int count(const Colour& colour) const {
        int found = 0;
        for (int y = 0; y < height(); ++y) {
            for (int x = 0; x < width(); ++x) {
                found += has(x, y, colour) ? 1 : 0;
            }
        }
        return found;
    }

   private:
    cairo_surface_t* image_;
};

/// A folder of its own, removed with everything in it.
class TemporaryFolder {
   public:
    explicit TemporaryFolder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("plumecast_" + name + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    /// Number of files inside.
    std::ptrdiff_t files() const {
        return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
    }

   private:
    std::filesystem::path path_;
};

}  // namespace plumecast::testing
