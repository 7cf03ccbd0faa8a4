#include <plotting/canvas.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "io/atomic_file.hpp"
#include "plotting/picture_mark.hpp"

namespace plumecast {
namespace {

using SurfaceHandle = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using PenHandle = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

SurfaceHandle owned(cairo_surface_t* surface) { return {surface, &cairo_surface_destroy}; }

/// Lets Cairo write into a string. An exception must not pass through Cairo.
cairo_status_t append_bytes(void* text, const unsigned char* bytes, unsigned int count) try {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
} catch (...) {
    return CAIRO_STATUS_NO_MEMORY;
}

void check(cairo_status_t status, int width, int height) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw InvalidInput("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                           " cannot be drawn (" + cairo_status_to_string(status) + "); choose fewer or smaller panels");
    }
}

void use(cairo_t* pen, const Colour& colour) { cairo_set_source_rgb(pen, colour.red, colour.green, colour.blue); }

void use(cairo_t* pen, const TextStyle& style) {
    cairo_select_font_face(pen, "sans", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen, style.size);
}

void clip_to(cairo_t* pen, const std::optional<Frame>& clip) {
    if (clip) {
        cairo_rectangle(pen, clip->left, clip->top, clip->width, clip->height);
        cairo_clip(pen);
    }
    // Text leaves a current point behind, and a path would start there.
    cairo_new_path(pen);
}

void follow(cairo_t* pen, const Points& points) {
    for (const auto& [x, y] : points) {
        cairo_line_to(pen, x, y);
    }
}

std::optional<Frame> copied(const Frame* frame) { return frame == nullptr ? std::optional<Frame>() : *frame; }

/// Pixels as an image that Cairo reads.
SurfaceHandle image_of(int across, const std::vector<Colour>& pixels) {
    const int down = static_cast<int>(pixels.size()) / across;
    SurfaceHandle image = owned(cairo_image_surface_create(CAIRO_FORMAT_RGB24, across, down));
    check(cairo_surface_status(image.get()), across, down);
    unsigned char* bytes = cairo_image_surface_get_data(image.get());
    const int stride = cairo_image_surface_get_stride(image.get());
    const auto level = [](double part) { return static_cast<std::uint32_t>(std::lround(255.0 * part)); };
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const auto row = static_cast<int>(i) / across;
        const auto column = static_cast<int>(i) % across;
        const std::uint32_t pixel = level(pixels[i].red) << 16U | level(pixels[i].green) << 8U | level(pixels[i].blue);
        std::memcpy(bytes + row * stride + 4 * column, &pixel, sizeof(pixel));
    }
    cairo_surface_mark_dirty(image.get());
    return image;
}

}  // namespace

PictureFormat picture_format(const std::filesystem::path& path) {
    const std::string ending = lower(path.extension().string());
    if (ending == ".png") {
        return PictureFormat::png;
    }
    if (ending == ".pdf" || ending == ".svg") {
        return ending == ".pdf" ? PictureFormat::pdf : PictureFormat::svg;
    }
    throw InvalidInput(path.string() + ": " + (ending.empty() ? "no ending" : "unknown ending '" + ending + "'") +
                       " (the ending says what the picture is stored as); use .png, .pdf or .svg");
}

// What was drawn, to be repeated on a surface of any format, and a pen that measures text.
struct Canvas::Drawing {
    std::vector<std::function<void(cairo_t*)>> strokes;
    SurfaceHandle scratch = owned(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
    PenHandle ruler{cairo_create(scratch.get()), &cairo_destroy};
};

Canvas::Canvas(int width, int height, int scale)
    : drawing_(std::make_unique<Drawing>()), width_(width), height_(height), scale_(scale) {
    fill({0.0, 0.0, static_cast<double>(width), static_cast<double>(height)}, paper);
}

Canvas::Canvas(Canvas&&) noexcept = default;
Canvas::~Canvas() = default;

void Canvas::fill(const Frame& box, const Colour& colour) {
    drawing_->strokes.emplace_back([=](cairo_t* pen) {
        use(pen, colour);
        cairo_set_antialias(pen, CAIRO_ANTIALIAS_NONE);
        cairo_rectangle(pen, box.left, box.top, box.width, box.height);
        cairo_fill(pen);
    });
}

void Canvas::polygon(const Points& points, const Colour& colour, double opacity, const Frame* clip) {
    drawing_->strokes.emplace_back([=, inside = copied(clip)](cairo_t* pen) {
        clip_to(pen, inside);
        cairo_set_source_rgba(pen, colour.red, colour.green, colour.blue, opacity);
        follow(pen, points);
        cairo_close_path(pen);
        cairo_fill(pen);
    });
}

void Canvas::image(const Frame& box, int across, const std::vector<Colour>& pixels) {
    const std::shared_ptr<cairo_surface_t> source = image_of(across, pixels);
    const int down = static_cast<int>(pixels.size()) / across;
    drawing_->strokes.emplace_back([=](cairo_t* pen) {
        cairo_translate(pen, box.left, box.top);
        cairo_scale(pen, box.width / across, box.height / down);
        cairo_set_source_surface(pen, source.get(), 0.0, 0.0);
        cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_NEAREST);
        cairo_rectangle(pen, 0.0, 0.0, across, down);
        cairo_fill(pen);
    });
}

void Canvas::outline(const Frame& box, const Colour& colour, double width) {
    drawing_->strokes.emplace_back([=](cairo_t* pen) {
        use(pen, colour);
        cairo_set_line_width(pen, width);
        cairo_rectangle(pen, box.left, box.top, box.width, box.height);
        cairo_stroke(pen);
    });
}

void Canvas::line(const Points& points, const Colour& colour, double width, const Frame* clip, bool is_dashed) {
    drawing_->strokes.emplace_back([=, inside = copied(clip)](cairo_t* pen) {
        clip_to(pen, inside);
        use(pen, colour);
        cairo_set_line_width(pen, width);
        cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
        if (is_dashed) {
            constexpr double dash = 5.0;
            cairo_set_dash(pen, &dash, 1, 0.0);
        }
        follow(pen, points);
        cairo_stroke(pen);
    });
}

void Canvas::text(double x, double y, const std::string& words, const TextStyle& style) {
    const double width = text_width(words, style);
    drawing_->strokes.emplace_back([=](cairo_t* pen) {
        use(pen, style);
        use(pen, style.colour);
        cairo_translate(pen, x, y);
        if (style.upward) {
            cairo_rotate(pen, -1.5707963267948966);
        }
        // Capitals and digits of the common sans fonts are 0.73 of the size high.
        cairo_move_to(pen, -style.align_x * width, (1.0 - style.align_y) * 0.73 * style.size);
        cairo_show_text(pen, words.c_str());
    });
}

double Canvas::text_width(const std::string& words, const TextStyle& style) {
    use(drawing_->ruler.get(), style);
    cairo_text_extents_t extents;
    cairo_text_extents(drawing_->ruler.get(), words.c_str(), &extents);
    return extents.x_advance;
}

std::string Canvas::encode(PictureFormat format) const {
    std::string bytes;
    const int scale = format == PictureFormat::png ? scale_ : 1;
    SurfaceHandle surface = owned(nullptr);
    if (format == PictureFormat::png) {
        surface = owned(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width_ * scale, height_ * scale));
    } else if (format == PictureFormat::pdf) {
        surface = owned(cairo_pdf_surface_create_for_stream(&append_bytes, &bytes, width_, height_));
    } else {
        surface = owned(cairo_svg_surface_create_for_stream(&append_bytes, &bytes, width_, height_));
    }
    check(cairo_surface_status(surface.get()), width_ * scale, height_ * scale);
    {
        const PenHandle pen(cairo_create(surface.get()), &cairo_destroy);
        cairo_scale(pen.get(), scale, scale);
        for (const auto& stroke : drawing_->strokes) {
            cairo_save(pen.get());
            stroke(pen.get());
            cairo_new_path(pen.get());
            cairo_restore(pen.get());
        }
        check(cairo_status(pen.get()), width_ * scale, height_ * scale);
    }
    if (format == PictureFormat::png) {
        check(cairo_surface_write_to_png_stream(surface.get(), &append_bytes, &bytes), width_ * scale, height_ * scale);
    } else {
        cairo_surface_finish(surface.get());
        check(cairo_surface_status(surface.get()), width_, height_);
    }
    return marked(std::move(bytes), format);
}

void Canvas::write(const std::filesystem::path& path) const {
    write_text_atomically(path, encode(picture_format(path)));
}

}  // namespace plumecast
