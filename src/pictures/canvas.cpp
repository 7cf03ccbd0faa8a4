#include <pictures/canvas.hpp>

#include <system_error>

#include <cairo.h>

#include <plumecast/core/error.hpp>

namespace plumecast {

struct Canvas::Surface {
    cairo_surface_t* image = nullptr;
    cairo_t* pen = nullptr;

    Surface(int width, int height)
        : image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)), pen(cairo_create(image)) {}
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    ~Surface() {
        cairo_destroy(pen);
        cairo_surface_destroy(image);
    }

    void use(const Colour& colour) { cairo_set_source_rgb(pen, colour.red, colour.green, colour.blue); }
    void use(const TextStyle& style) {
        cairo_select_font_face(pen, "sans", CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(pen, style.size);
    }
};

Canvas::Canvas(int width, int height, int scale) : surface_(std::make_unique<Surface>(width * scale, height * scale)) {
    if (cairo_status(surface_->pen) != CAIRO_STATUS_SUCCESS) {
        throw InvalidInput("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                           " cannot be drawn (" + cairo_status_to_string(cairo_status(surface_->pen)) +
                           "); choose fewer or smaller panels");
    }
    cairo_scale(surface_->pen, scale, scale);
    surface_->use(paper);
    cairo_paint(surface_->pen);
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

void Canvas::outline(const Frame& box, const Colour& colour, double width) {
    surface_->use(colour);
    cairo_set_line_width(surface_->pen, width);
    cairo_rectangle(surface_->pen, box.left, box.top, box.width, box.height);
    cairo_stroke(surface_->pen);
}

void Canvas::line(const std::vector<std::pair<double, double>>& points, const Colour& colour, double width,
                  const Frame* clip) {
    cairo_t* pen = surface_->pen;
    cairo_save(pen);
    if (clip != nullptr) {
        cairo_rectangle(pen, clip->left, clip->top, clip->width, clip->height);
        cairo_clip(pen);
    }
    surface_->use(colour);
    cairo_set_line_width(pen, width);
    cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
    // Text leaves a current point behind, and a line would start there.
    cairo_new_path(pen);
    for (const auto& [x, y] : points) {
        cairo_line_to(pen, x, y);
    }
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

void Canvas::write_png(const std::filesystem::path& path) {
    std::filesystem::path partial = path;
    partial += ".partial";
    cairo_surface_flush(surface_->image);
    const cairo_status_t status = cairo_surface_write_to_png(surface_->image, partial.c_str());
    std::error_code problem;
    std::string reason;
    if (status != CAIRO_STATUS_SUCCESS) {
        reason = cairo_status_to_string(status);
    } else {
        std::filesystem::rename(partial, path, problem);
        reason = problem.message();
    }
    if (status != CAIRO_STATUS_SUCCESS || problem) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        throw IoError(path.string() + ": the picture was not written (" + reason +
                      "); check that the folder exists, may be written and has space");
    }
}

}  // namespace plumecast
