#include <pictures/canvas.hpp>

#include <cmath>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <plumecast/core/error.hpp>
#include <plumecast/data/atomic_file.hpp>

namespace plumecast {
namespace {

using SurfaceHandle = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using PenHandle = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

SurfaceHandle owned(cairo_surface_t* surface) { return {surface, &cairo_surface_destroy}; }

/// Lets Cairo write into a string.
cairo_status_t append_bytes(void* text, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status, int width, int height) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw InvalidInput("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                           " cannot be drawn (" + cairo_status_to_string(status) + "); choose fewer or smaller panels");
    }
}

}  // namespace

PictureFormat picture_format(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".pdf" ? PictureFormat::pdf : (ending == ".svg" ? PictureFormat::svg : PictureFormat::png);
}

// Everything is recorded first, so that one drawing serves all formats.
struct Canvas::Surface {
    SurfaceHandle record;
    cairo_t* pen;

    Surface(int width, int height) : record(nullptr, &cairo_surface_destroy), pen(nullptr) {
        const cairo_rectangle_t extents{0.0, 0.0, static_cast<double>(width), static_cast<double>(height)};
        record = owned(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents));
        pen = cairo_create(record.get());
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    ~Surface() { cairo_destroy(pen); }

    void use(const Colour& colour) const { cairo_set_source_rgb(pen, colour.red, colour.green, colour.blue); }
    void use(const TextStyle& style) const {
        cairo_select_font_face(pen, "sans", CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(pen, style.size);
    }
    void clip_to(const Frame* clip) const {
        if (clip != nullptr) {
            cairo_rectangle(pen, clip->left, clip->top, clip->width, clip->height);
            cairo_clip(pen);
        }
        // Text leaves a current point behind, and a path would start there.
        cairo_new_path(pen);
    }
    void follow(const Points& points) const {
        for (const auto& [x, y] : points) {
            cairo_line_to(pen, x, y);
        }
    }
};

Canvas::Canvas(int width, int height, int scale)
    : surface_(std::make_unique<Surface>(width, height)), width_(width), height_(height), scale_(scale) {
    fill({0.0, 0.0, static_cast<double>(width), static_cast<double>(height)}, paper);
}

Canvas::Canvas(Canvas&&) noexcept = default;
Canvas::~Canvas() = default;

void Canvas::fill(const Frame& box, const Colour& colour) {
    surface_->use(colour);
    cairo_set_antialias(surface_->pen, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(surface_->pen, box.left, box.top, box.width, box.height);
    cairo_fill(surface_->pen);
    cairo_set_antialias(surface_->pen, CAIRO_ANTIALIAS_DEFAULT);
}

void Canvas::polygon(const Points& points, const Colour& colour, double opacity, const Frame* clip) {
    cairo_t* pen = surface_->pen;
    cairo_save(pen);
    surface_->clip_to(clip);
    cairo_set_source_rgba(pen, colour.red, colour.green, colour.blue, opacity);
    surface_->follow(points);
    cairo_close_path(pen);
    cairo_fill(pen);
    cairo_restore(pen);
}

void Canvas::image(const Frame& box, int across, const std::vector<Colour>& pixels) {
    const int down = static_cast<int>(pixels.size()) / across;
    const SurfaceHandle source = owned(cairo_image_surface_create(CAIRO_FORMAT_RGB24, across, down));
    check(cairo_surface_status(source.get()), across, down);
    unsigned char* bytes = cairo_image_surface_get_data(source.get());
    const int stride = cairo_image_surface_get_stride(source.get());
    const auto level = [](double part) { return static_cast<std::uint32_t>(std::lround(255.0 * part)); };
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const auto row = static_cast<int>(i) / across;
        const auto column = static_cast<int>(i) % across;
        const Colour& c = pixels[i];
        *reinterpret_cast<std::uint32_t*>(bytes + row * stride + 4 * column) =
            level(c.red) << 16U | level(c.green) << 8U | level(c.blue);
    }
    cairo_surface_mark_dirty(source.get());
    cairo_t* pen = surface_->pen;
    cairo_save(pen);
    cairo_translate(pen, box.left, box.top);
    cairo_scale(pen, box.width / across, box.height / down);
    cairo_set_source_surface(pen, source.get(), 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_NEAREST);
    cairo_rectangle(pen, 0.0, 0.0, across, down);
    cairo_fill(pen);
    cairo_restore(pen);
}

void Canvas::outline(const Frame& box, const Colour& colour, double width) {
    surface_->use(colour);
    cairo_set_line_width(surface_->pen, width);
    cairo_rectangle(surface_->pen, box.left, box.top, box.width, box.height);
    cairo_stroke(surface_->pen);
}

void Canvas::line(const Points& points, const Colour& colour, double width, const Frame* clip, bool is_dashed) {
    cairo_t* pen = surface_->pen;
    cairo_save(pen);
    surface_->clip_to(clip);
    surface_->use(colour);
    cairo_set_line_width(pen, width);
    cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
    if (is_dashed) {
        constexpr double dash = 5.0;
        cairo_set_dash(pen, &dash, 1, 0.0);
    }
    surface_->follow(points);
    cairo_stroke(pen);
    cairo_restore(pen);
}

void Canvas::text(double x, double y, const std::string& words, const TextStyle& style) {
    cairo_t* pen = surface_->pen;
    cairo_save(pen);
    surface_->use(style);
    surface_->use(style.colour);
    cairo_translate(pen, x, y);
    if (style.upward) {
        cairo_rotate(pen, -1.5707963267948966);
    }
    // Capitals and digits of the common sans fonts are 0.73 of the size high.
    cairo_move_to(pen, -style.align_x * text_width(words, style), (1.0 - style.align_y) * 0.73 * style.size);
    cairo_show_text(pen, words.c_str());
    cairo_new_path(pen);
    cairo_restore(pen);
}

double Canvas::text_width(const std::string& words, const TextStyle& style) {
    surface_->use(style);
    cairo_text_extents_t extents;
    cairo_text_extents(surface_->pen, words.c_str(), &extents);
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
        cairo_set_source_surface(pen.get(), surface_->record.get(), 0.0, 0.0);
        cairo_paint(pen.get());
        check(cairo_status(pen.get()), width_ * scale, height_ * scale);
    }
    if (format == PictureFormat::png) {
        check(cairo_surface_write_to_png_stream(surface.get(), &append_bytes, &bytes), width_ * scale, height_ * scale);
    } else {
        cairo_surface_finish(surface.get());
        check(cairo_surface_status(surface.get()), width_, height_);
    }
    return bytes;
}

void Canvas::write(const std::filesystem::path& path) const {
    write_text_atomically(path, encode(picture_format(path)));
}

}  // namespace plumecast
