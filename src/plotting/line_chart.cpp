#include "plotting/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <plotting/canvas.hpp>
#include <plumecast/core/error.hpp>

#include "plotting/axis.hpp"

namespace plumecast {

namespace {

// Eight hues of similar weight that stay apart for colour-blind readers in the order given.
constexpr std::array<Colour, 8> palette{{{0.11, 0.42, 0.69},
                                         {0.85, 0.37, 0.10},
                                         {0.10, 0.58, 0.47},
                                         {0.69, 0.20, 0.47},
                                         {0.80, 0.60, 0.05},
                                         {0.36, 0.72, 0.90},
                                         {0.45, 0.35, 0.70},
                                         {0.35, 0.37, 0.40}}};

constexpr TextStyle tick_style{.size = 11.0, .align_x = 0.5, .align_y = 0.0, .colour = faint_ink};
constexpr TextStyle legend_style{.size = 12.0, .align_y = 0.5};
constexpr double left_margin = 76.0;
constexpr double right_margin = 24.0;
constexpr double bottom_margin = 52.0;
constexpr double swatch = 22.0;
constexpr Colour faint_line{0.74, 0.76, 0.79};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // A little air at both ends, so that no line runs along the frame.
    void widen(double part, bool logarithmic) {
        if (logarithmic) {
            const double factor = high > low ? std::pow(high / low, part) : 2.0;
            low /= factor;
            high *= factor;
        } else {
            const double air = high > low ? part * (high - low) : std::max(0.5, 0.1 * std::abs(low));
            low -= air;
            high += air;
        }
    }
};

class ChartPainter {
   public:
    // Draws in the chart's own extents from `top` downwards.
    ChartPainter(const LineChart& chart, Canvas& canvas, double top) : chart_(chart), canvas_(canvas) {
        const double begin = draw_head(top + 18.0);
        box_ = {left_margin, begin, chart.width - left_margin - right_margin,
                top + chart.height - begin - bottom_margin};
        const auto [x, y] = ranges();
        x_axis_ = {x.low, x.high, box_.left, box_.right(), false};
        y_axis_ = {y.low, y.high, box_.bottom(), box_.top, chart.log_y};
    }

    void draw() {
        draw_axes();
        for (const Band& band : chart_.bands) {
            draw_band(band);
        }
        for (const bool is_faint : {true, false}) {
            for (std::size_t i = 0; i < chart_.series.size(); ++i) {
                if (chart_.series[i].is_faint == is_faint) {
                    draw_series(chart_.series[i], colour_of(i));
                }
            }
        }
        canvas_.line({{box_.left, box_.top}, {box_.left, box_.bottom()}, {box_.right(), box_.bottom()}}, faint_ink,
                     1.0);
    }

   private:
    bool drawable(double x, double y) const {
        return std::isfinite(x) && std::isfinite(y) && (!chart_.log_y || y > 0.0);
    }

    static const Colour& entry(int position) { return palette[static_cast<std::size_t>(position) % palette.size()]; }

    Colour colour_of(std::size_t i) const {
        const Series& series = chart_.series[i];
        return series.is_faint ? faint_line : entry(series.colour < 0 ? static_cast<int>(i) : series.colour);
    }

    std::pair<Range, Range> ranges() const {
        Range x;
        Range y;
        const auto include = [&](const std::vector<double>& xs, const std::vector<double>& ys) {
            for (std::size_t i = 0; i < xs.size(); ++i) {
                if (drawable(xs[i], ys[i])) {
                    x.include(xs[i]);
                    y.include(ys[i]);
                }
            }
        };
        for (const Series& series : chart_.series) {
            include(series.x, series.y);
        }
        for (const Band& band : chart_.bands) {
            include(band.x, band.low);
            include(band.x, band.high);
        }
        if (!(x.low <= x.high)) {
            throw InvalidInput("chart '" + chart_.title +
                               "' has no point to draw (all are missing, not finite, or not positive on a logarithmic "
                               "axis); give at least one");
        }
        x.widen(x.high > x.low ? 0.0 : 1.0, false);
        const bool starts_at_zero = chart_.zero_y && !chart_.log_y && y.low >= 0.0;
        y.widen(0.05, chart_.log_y);
        y.low = starts_at_zero ? 0.0 : y.low;
        return {x, y};
    }

    // Title and legend; returns where the plot may begin.
    double draw_head(double y) {
        if (!chart_.title.empty()) {
            canvas_.text(left_margin, y, chart_.title, {.size = 15.0, .align_y = 0.0, .bold = true});
            y += 30.0;
        }
        bool has_legend = false;
        double x = left_margin;
        const auto place = [&](const std::string& name) {
            const double width = swatch + 6.0 + canvas_.text_width(name, legend_style);
            if (x > left_margin && x + width > chart_.width - right_margin) {
                x = left_margin;
                y += 19.0;
            }
            canvas_.text(x + swatch + 6.0, y, name, legend_style);
            const double left = x;
            has_legend = true;
            x += width + 22.0;
            return left;
        };
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            if (!chart_.series[i].is_faint && !chart_.series[i].name.empty()) {
                const double left = place(chart_.series[i].name);
                canvas_.line({{left, y}, {left + swatch, y}}, colour_of(i), 2.5, nullptr, chart_.series[i].is_dashed);
            }
        }
        for (const Band& band : chart_.bands) {
            const double left = place(band.name);
            canvas_.polygon({{left, y - 5.0}, {left + swatch, y - 5.0}, {left + swatch, y + 5.0}, {left, y + 5.0}},
                            entry(band.colour), band.opacity);
        }
        return has_legend ? y + 20.0 : y;
    }

    void draw_axes() {
        const auto y_ticks = y_axis_.ticks(44.0);
        for (const double tick : y_ticks) {
            const double y = y_axis_.position(tick);
            canvas_.line({{box_.left, y}, {box_.right(), y}}, grid_grey, 1.0);
            TextStyle style = tick_style;
            style.align_x = 1.0;
            style.align_y = 0.5;
            canvas_.text(box_.left - 8.0, y, y_axis_.text(tick, y_ticks), style);
        }
        auto x_ticks = x_axis_.ticks(80.0);
        if (chart_.whole_x) {
            std::erase_if(x_ticks, [](double tick) { return std::abs(tick - std::round(tick)) > 1e-6; });
        }
        for (const double tick : x_ticks) {
            const double x = x_axis_.position(tick);
            canvas_.line({{x, box_.bottom()}, {x, box_.bottom() + 4.0}}, faint_ink, 1.0);
            canvas_.text(x, box_.bottom() + 9.0, x_axis_.text(tick, x_ticks), tick_style);
        }
        canvas_.text(box_.left + 0.5 * box_.width, box_.bottom() + 29.0, chart_.x_label,
                     {.size = 12.0, .align_x = 0.5, .align_y = 0.0});
        canvas_.text(14.0, box_.top + 0.5 * box_.height, chart_.y_label,
                     {.size = 12.0, .align_x = 0.5, .align_y = 0.0, .upward = true});
    }

    void draw_band(const Band& band) {
        Points outline;
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            if (drawable(band.x[i], band.low[i]) && drawable(band.x[i], band.high[i])) {
                outline.emplace_back(x_axis_.position(band.x[i]), y_axis_.position(band.low[i]));
            }
        }
        for (std::size_t i = band.x.size(); i-- > 0;) {
            if (drawable(band.x[i], band.low[i]) && drawable(band.x[i], band.high[i])) {
                outline.emplace_back(x_axis_.position(band.x[i]), y_axis_.position(band.high[i]));
            }
        }
        canvas_.polygon(outline, entry(band.colour), band.opacity, &box_);
    }

    void draw_dots(const Series& series, const Colour& colour) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (drawable(series.x[i], series.y[i])) {
                const double x = x_axis_.position(series.x[i]);
                const double y = y_axis_.position(series.y[i]);
                canvas_.polygon({{x - 4.5, y}, {x, y - 4.5}, {x + 4.5, y}, {x, y + 4.5}}, colour, 1.0);
            }
        }
    }

    void draw_series(const Series& series, const Colour& colour) {
        if (series.is_dot) {
            return draw_dots(series, colour);
        }
        const double width = series.is_faint ? 0.7 : 1.8;
        Points run;
        const auto finish = [&] {
            if (run.size() == 1) {
                canvas_.fill({run[0].first - 2.0, run[0].second - 2.0, 4.0, 4.0}, colour);
            } else if (run.size() > 1) {
                canvas_.line(run, colour, width, &box_, series.is_dashed);
            }
            run.clear();
        };
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (drawable(series.x[i], series.y[i])) {
                run.emplace_back(x_axis_.position(series.x[i]), y_axis_.position(series.y[i]));
            } else {
                finish();
            }
        }
        finish();
    }

    const LineChart& chart_;
    Canvas& canvas_;
    Frame box_;
    PlotAxis x_axis_;
    PlotAxis y_axis_;
};

void require_equal(const std::string& name, std::size_t x, std::size_t y) {
    if (x != y) {
        throw InvalidInput("series '" + name + "' has " + std::to_string(x) + " x and " + std::to_string(y) +
                           " y (a point needs both); give equally many");
    }
}

void check(const LineChart& chart) {
    for (const Series& series : chart.series) {
        require_equal(series.name, series.x.size(), series.y.size());
    }
    for (const Band& band : chart.bands) {
        require_equal(band.name, band.x.size(), band.low.size());
        require_equal(band.name, band.x.size(), band.high.size());
    }
    if (chart.width < 200 || chart.height < 150 || chart.pixels_per_unit < 1) {
        throw InvalidInput("a chart of " + std::to_string(chart.width) + " x " + std::to_string(chart.height) +
                           " is too small (its text would overlap); use at least 200 x 150");
    }
}

Canvas draw(std::span<const LineChart> charts) {
    if (charts.empty()) {
        throw InvalidInput("no chart to draw (the list is empty); give at least one");
    }
    int width = 0;
    int height = 0;
    for (const LineChart& chart : charts) {
        check(chart);
        width = std::max(width, chart.width);
        height += chart.height;
    }
    Canvas canvas(width, height, charts.front().pixels_per_unit);
    double top = 0.0;
    for (const LineChart& chart : charts) {
        ChartPainter(chart, canvas, top).draw();
        top += chart.height;
    }
    return canvas;
}

}  // namespace

void draw_line_chart(const LineChart& chart, const std::filesystem::path& path) { draw({&chart, 1}).write(path); }

std::string encode_line_chart(const LineChart& chart, PictureFormat format) { return draw({&chart, 1}).encode(format); }

void draw_line_charts(const std::vector<LineChart>& charts, const std::filesystem::path& path) {
    draw(charts).write(path);
}

}  // namespace plumecast
