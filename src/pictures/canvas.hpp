#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/pictures/colour_map.hpp>

namespace plumecast {

inline constexpr Colour ink{0.13, 0.14, 0.16};
inline constexpr Colour faint_ink{0.38, 0.40, 0.44};
inline constexpr Colour grid_grey{0.90, 0.905, 0.915};
inline constexpr Colour paper{1.0, 1.0, 1.0};

/// A rectangle in picture units, y downwards.
struct Frame {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;

    double right() const { return left + width; }
    double bottom() const { return top + height; }
};

/// How a line of text looks and which of its points is placed: (0, 0) left and top, (1, 1) right and baseline.
struct TextStyle {
    double size = 12.0;
    double align_x = 0.0;
    double align_y = 1.0;
    bool bold = false;
    bool upward = false;  ///< Turned to read from bottom to top.
    Colour colour = ink;
};

/// White paper to draw on, written as PNG. Cairo stays behind it.
class Canvas {
   public:
    /// `scale` device pixels per picture unit. Throws InvalidInput for a size that Cairo cannot hold.
    Canvas(int width, int height, int scale);
    Canvas(Canvas&&) noexcept;
    ~Canvas();

    /// Fills a rectangle without smoothing, so that neighbours leave no seam.
    void fill(const Frame& box, const Colour& colour);
    /// Outlines a rectangle.
    void outline(const Frame& box, const Colour& colour, double width);
    /// Draws a line through points inside `clip`.
    void line(const std::vector<std::pair<double, double>>& points, const Colour& colour, double width,
              const Frame* clip = nullptr);
    void text(double x, double y, const std::string& words, const TextStyle& style = {});
    /// Width of a line of text in picture units.
    double text_width(const std::string& words, const TextStyle& style = {});
    /// Writes under a temporary name, then renames. Throws IoError naming the file.
    void write_png(const std::filesystem::path& path);

   private:
    struct Surface;
    std::unique_ptr<Surface> surface_;
};

}  // namespace plumecast
