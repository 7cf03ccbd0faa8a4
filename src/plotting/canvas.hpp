#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plotting/colour_map.hpp"
#include "plotting/picture_format.hpp"

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

using Points = std::vector<std::pair<double, double>>;

/// White paper to draw on, stored as PNG, PDF or SVG. Cairo stays behind it.
class Canvas {
   public:
    /// `scale` device pixels per picture unit in a PNG.
    Canvas(int width, int height, int scale);
    Canvas(Canvas&&) noexcept;
    ~Canvas();

    /// Fills a rectangle without smoothing, so that neighbours leave no seam.
    void fill(const Frame& box, const Colour& colour);
    /// Fills a polygon with a colour that covers what is below by `opacity`.
    void polygon(const Points& points, const Colour& colour, double opacity, const Frame* clip = nullptr);
    /// Fills a rectangle with pixels, row by row from the top left, `across` in a row; no smoothing.
    void image(const Frame& box, int across, const std::vector<Colour>& pixels);
    /// Outlines a rectangle.
    void outline(const Frame& box, const Colour& colour, double width);
    /// Draws a line through points inside `clip`, dashed on request.
    void line(const Points& points, const Colour& colour, double width, const Frame* clip = nullptr,
              bool is_dashed = false);
    void text(double x, double y, const std::string& words, const TextStyle& style = {});
    /// Width of a line of text in picture units.
    double text_width(const std::string& words, const TextStyle& style = {});
    /// Pixels per picture unit of a PNG.
    int scale() const { return scale_; }

    /// The picture as the bytes of a file. Throws InvalidInput for a size that Cairo cannot hold.
    std::string encode(PictureFormat format) const;
    /// Writes in the format of the file's ending, first under a temporary name. Throws IoError naming the file.
    void write(const std::filesystem::path& path) const;

   private:
    struct Drawing;
    std::unique_ptr<Drawing> drawing_;
    int width_;
    int height_;
    int scale_;
};

}  // namespace plumecast
