#include "plotting/section_plot.hpp"

#include <algorithm>
#include <cmath>

#include <plotting/canvas.hpp>
#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "plotting/axis.hpp"

namespace plumecast {

namespace {

constexpr Colour inactive_grey{0.85, 0.85, 0.86};
constexpr Colour broken_grey{0.55, 0.55, 0.56};

constexpr double section_left = 92.0;
constexpr double section_right = 104.0;
constexpr double section_bottom = 48.0;
constexpr double panel_gap = 18.0;
constexpr TextStyle section_ticks{.size = 11.0, .align_x = 0.5, .align_y = 0.0, .colour = faint_ink};
constexpr TextStyle label_style{.size = 12.0, .align_x = 0.5, .align_y = 0.0};

/// Where a logarithmic axis begins: the first cell may reach to 0 and is drawn as wide as the second.
double first_radius(const std::vector<double>& edges) {
    const double second = edges.size() > 2 ? edges[2] / edges[1] : 10.0;
    return std::max(edges[0], edges[1] / second);
}

void check(const SectionFigure& figure) {
    const auto fail = [](const std::string& problem) {
        throw InvalidInput("the sections cannot be drawn: " + problem);
    };
    if (figure.r_edges.size() < 2 || figure.z_edges.size() < 2 || figure.rows.empty() || figure.columns.empty()) {
        fail("there is no panel (rows, columns or cells are missing); give at least one map on a grid");
    }
    const std::size_t cells = (figure.r_edges.size() - 1) * (figure.z_edges.size() - 1);
    if (figure.active.size() != cells) {
        fail("active has " + std::to_string(figure.active.size()) + " values (the grid has " + std::to_string(cells) +
             " cells); give one per cell");
    }
    const double radius = figure.r_max > 0.0 ? figure.r_max : figure.r_edges.back();
    if (!(radius > (figure.log_radius ? first_radius(figure.r_edges) : figure.r_edges[0]))) {
        fail("r_max " + number_text(figure.r_max) + " m shows no cell (the radius begins above it); enlarge it");
    }
    for (const SectionRow& row : figure.rows) {
        if (!row.active.empty() && row.active.size() != cells) {
            fail("active of row '" + row.label + "' does not fit (the grid has " + std::to_string(cells) +
                 " cells); give one value per cell");
        }
        const bool fits = row.maps.size() == figure.columns.size() &&
                          std::ranges::all_of(row.maps, [cells](const auto& map) { return map.size() == cells; });
        if (!fits) {
            fail("row '" + row.label + "' does not fit (it needs one map of " + std::to_string(cells) +
                 " cells per column); complete it");
        }
    }
    if (figure.panel_width < 40 || figure.panel_height < 20 || figure.pixels_per_unit < 1) {
        fail("the panels are too small (40 x 20 and one pixel per unit are the least); enlarge them");
    }
}

// Draws one figure; a class because every part needs the same axes and paper.
class SectionPainter {
   public:
    explicit SectionPainter(const SectionFigure& figure)
        : figure_(figure),
          top_margin_((figure.title.empty() ? 10.0 : 40.0) + 24.0),
          canvas_(width(), height(), figure.pixels_per_unit) {
        const double last = figure.r_edges.back();
        const double radius = figure.r_max > 0.0 ? std::min(figure.r_max, last) : last;
        in_km_ = !figure.units && (figure.is_plan ? last - figure.r_edges.front() : radius) >= 2000.0;
        r_axis_ = {(figure.log_radius ? first_radius(figure.r_edges) : figure.r_edges[0]) * unit(), radius * unit(),
                   0.0, static_cast<double>(figure.panel_width), figure.log_radius};
        const auto height = static_cast<double>(figure.panel_height);
        z_axis_ = {figure.z_edges.front() * down_unit(), deepest_edge() * down_unit(), figure.is_plan ? height : 0.0,
                   figure.is_plan ? 0.0 : height, false};
    }

    Canvas draw() {
        draw_titles();
        for (std::size_t row = 0; row < figure_.rows.size(); ++row) {
            for (std::size_t column = 0; column < figure_.columns.size(); ++column) {
                draw_map(figure_.rows[row], column, panel(row, column));
                draw_frame(row, column);
            }
        }
        for (std::size_t begin = 0; begin < figure_.rows.size();) {
            std::size_t end = begin + 1;
            while (end < figure_.rows.size() && figure_.rows[end].scale == figure_.rows[begin].scale) {
                ++end;
            }
            draw_bar(begin, end);
            begin = end;
        }
        return std::move(canvas_);
    }

   private:
    double unit() const { return in_km_ ? 1e-3 : 1.0; }
    double down_unit() const { return figure_.is_plan ? unit() : 1.0; }

    std::string axis_label(std::string_view name, bool in_km, const std::string* stated) const {
        if (stated != nullptr) {
            return std::string(name) + (*stated == "1" ? "" : " [" + *stated + "]");
        }
        return std::string(name) + (in_km ? " [km]" : " [m]");
    }

    int width() const {
        const auto columns = static_cast<double>(figure_.columns.size());
        return static_cast<int>(section_left + columns * (figure_.panel_width + panel_gap) - panel_gap + section_right);
    }

    int height() const {
        const auto rows = static_cast<double>(figure_.rows.size());
        return static_cast<int>(top_margin_ + rows * (figure_.panel_height + panel_gap) - panel_gap + section_bottom);
    }

    double deepest_edge() const {
        if (figure_.is_plan) {
            return figure_.z_edges.back();
        }
        const std::size_t rings = figure_.r_edges.size() - 1;
        for (std::size_t z = figure_.z_edges.size() - 1; z > 0; --z) {
            const float* layer = figure_.active.data() + (z - 1) * rings;
            if (std::any_of(layer, layer + rings, [](float active) { return active != 0.0F; })) {
                return figure_.z_edges[z];
            }
        }
        return figure_.z_edges.back();
    }

    Frame panel(std::size_t row, std::size_t column) const {
        return {section_left + static_cast<double>(column) * (figure_.panel_width + panel_gap),
                top_margin_ + static_cast<double>(row) * (figure_.panel_height + panel_gap),
                static_cast<double>(figure_.panel_width), static_cast<double>(figure_.panel_height)};
    }

    void draw_titles() {
        if (!figure_.title.empty()) {
            TextStyle style{.size = 16.0, .align_y = 0.0, .bold = true};
            // A single column is narrower than many a title.
            const double room = width() - section_left - 8.0;
            style.size *= std::min(1.0, room / canvas_.text_width(figure_.title, style));
            canvas_.text(section_left, 16.0, figure_.title, style);
        }
        for (std::size_t column = 0; column < figure_.columns.size(); ++column) {
            const Frame box = panel(0, column);
            canvas_.text(box.left + 0.5 * box.width, top_margin_ - 8.0, figure_.columns[column],
                         {.size = 13.0, .align_x = 0.5});
        }
    }

    Colour colour_of(float value, float active, const ColourScale& scale) const {
        if (active == 0.0F) {
            return inactive_grey;
        }
        const double fraction = scale.fraction(value);
        return std::isfinite(fraction) ? colour_at(scale.map, fraction) : broken_grey;
    }

    /// Cell between whose edges the middle of each pixel lies, along one axis.
    std::vector<std::size_t> cells_along(const std::vector<double>& edges, const PlotAxis& axis, double factor) const {
        const double length = std::abs(axis.end - axis.begin);
        std::vector<std::size_t> cells;
        for (double i = 0.5; i < length * figure_.pixels_per_unit; i += 1.0) {
            const double value = axis.value(i / figure_.pixels_per_unit) / factor;
            const auto above = std::ranges::upper_bound(edges, value) - edges.begin();
            cells.push_back(std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above, 1)), edges.size() - 1) -
                            1);
        }
        return cells;
    }

    void draw_map(const SectionRow& row, std::size_t column, const Frame& box) {
        const std::size_t rings = figure_.r_edges.size() - 1;
        const std::vector<std::size_t> across = cells_along(figure_.r_edges, r_axis_, unit());
        const std::vector<std::size_t> down = cells_along(figure_.z_edges, z_axis_, down_unit());
        const std::vector<float>& active = row.active.empty() ? figure_.active : row.active;
        std::vector<Colour> colours(row.maps[column].size());
        for (std::size_t cell = 0; cell < colours.size(); ++cell) {
            colours[cell] = colour_of(row.maps[column][cell], active[cell], row.scale);
        }
        std::vector<Colour> pixels;
        pixels.reserve(across.size() * down.size());
        for (const std::size_t z : down) {
            for (const std::size_t r : across) {
                pixels.push_back(colours[z * rings + r]);
            }
        }
        canvas_.image(box, static_cast<int>(across.size()), pixels);
    }

    void draw_frame(std::size_t row, std::size_t column) {
        const Frame box = panel(row, column);
        const bool last_row = row + 1 == figure_.rows.size();
        const auto r_ticks = r_axis_.ticks(60.0);
        for (const double tick : r_ticks) {
            const double x = box.left + r_axis_.position(tick);
            canvas_.line({{x, box.bottom()}, {x, box.bottom() + 4.0}}, faint_ink, 0.8);
            if (last_row) {
                canvas_.text(x, box.bottom() + 8.0, r_axis_.text(tick, r_ticks), section_ticks);
            }
        }
        const auto z_ticks = z_axis_.ticks(32.0);
        for (const double tick : z_ticks) {
            const double y = box.top + z_axis_.position(tick);
            canvas_.line({{box.left - 4.0, y}, {box.left, y}}, faint_ink, 0.8);
            if (column == 0) {
                TextStyle style = section_ticks;
                style.align_x = 1.0;
                style.align_y = 0.5;
                canvas_.text(box.left - 8.0, y, z_axis_.text(tick, z_ticks), style);
            }
        }
        if (last_row) {
            canvas_.text(box.left + 0.5 * box.width, box.bottom() + 26.0,
                         axis_label(figure_.across, in_km_, figure_.units ? &figure_.units->first : nullptr),
                         label_style);
        }
        if (column == 0) {
            const double middle = box.top + 0.5 * box.height;
            canvas_.text(14.0, middle, figure_.rows[row].label,
                         {.size = 13.0, .align_x = 0.5, .align_y = 0.0, .bold = true, .upward = true});
            TextStyle depth = label_style;
            depth.upward = true;
            canvas_.text(
                38.0, middle,
                axis_label(figure_.down, figure_.is_plan && in_km_, figure_.units ? &figure_.units->second : nullptr),
                depth);
        }
        canvas_.outline(box, ink, 0.8);
    }

    // One bar beside rows [begin, end).
    void draw_bar(std::size_t begin, std::size_t end) {
        const ColourScale& scale = figure_.rows[begin].scale;
        const Frame first = panel(begin, figure_.columns.size() - 1);
        const Frame last = panel(end - 1, figure_.columns.size() - 1);
        const Frame bar{first.right() + 18.0, first.top, 13.0, last.bottom() - first.top};
        const double step = 1.0 / figure_.pixels_per_unit;
        for (double y = 0.0; y < bar.height; y += step) {
            canvas_.fill({bar.left, bar.top + y, bar.width, step}, colour_at(scale.map, 1.0 - y / bar.height));
        }
        canvas_.outline(bar, ink, 0.8);
        const PlotAxis axis{scale.low, scale.high, bar.bottom(), bar.top, scale.logarithmic};
        const auto ticks = axis.ticks(32.0);
        TextStyle style = section_ticks;
        style.align_x = 0.0;
        style.align_y = 0.5;
        double widest = 0.0;
        for (const double tick : ticks) {
            const double y = axis.position(tick);
            const std::string words = axis.text(tick, ticks);
            canvas_.line({{bar.right(), y}, {bar.right() + 4.0, y}}, faint_ink, 0.8);
            canvas_.text(bar.right() + 7.0, y, words, style);
            widest = std::max(widest, canvas_.text_width(words, style));
        }
        TextStyle label = label_style;
        label.upward = true;
        // A bar beside a single row is short: its label must not reach into the next row's.
        label.size = std::min(label.size, label.size * bar.height / canvas_.text_width(scale.label + " ", label));
        canvas_.text(bar.right() + 7.0 + widest + 9.0, bar.top + 0.5 * bar.height, scale.label, label);
    }

    const SectionFigure& figure_;
    double top_margin_;
    Canvas canvas_;
    PlotAxis r_axis_;
    PlotAxis z_axis_;
    bool in_km_ = false;
};

}  // namespace

void draw_sections(const SectionFigure& figure, const std::filesystem::path& path) {
    check(figure);
    SectionPainter(figure).draw().write(path);
}

std::string encode_sections(const SectionFigure& figure, PictureFormat format) {
    check(figure);
    return SectionPainter(figure).draw().encode(format);
}

}  // namespace plumecast
