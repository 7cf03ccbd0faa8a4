#include <plumecast/pictures/line_chart.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <pictures/canvas.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/pictures/axis.hpp>

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
    explicit ChartPainter(const LineChart& chart)
        : chart_(chart), canvas_(chart.width, chart.height, chart.pixels_per_unit) {
        const double top = draw_head();
        box_ = {left_margin, top, chart.width - left_margin - right_margin, chart.height - top - bottom_margin};
        Range x;
        Range y;
        for (const Series& series : chart.series) {
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                if (drawable(series.x[i], series.y[i])) {
                    x.include(series.x[i]);
                    y.include(series.y[i]);
                }
            }
        }
        if (!(x.low <= x.high)) {
            throw InvalidInput("chart '" + chart.title +
                               "' has no point to draw (all are missing, not finite, or not positive on a logarithmic "
                               "axis); give at least one");
        }
        x.widen(x.high > x.low ? 0.0 : 1.0, false);
        y.widen(0.05, chart.log_y);
        x_axis_ = {x.low, x.high, box_.left, box_.right(), false};
        y_axis_ = {y.low, y.high, box_.bottom(), box_.top, chart.log_y};
    }

    void draw(const std::filesystem::path& path) {
        draw_axes();
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            draw_series(chart_.series[i], palette[i % palette.size()]);
        }
        canvas_.line({{box_.left, box_.top}, {box_.left, box_.bottom()}, {box_.right(), box_.bottom()}}, faint_ink,
                     1.0);
        canvas_.write_png(path);
    }

   private:
    bool drawable(double x, double y) const {
        return std::isfinite(x) && std::isfinite(y) && (!chart_.log_y || y > 0.0);
    }

    // Title and legend; returns where the plot may begin.
    double draw_head() {
        double y = 18.0;
        if (!chart_.title.empty()) {
            canvas_.text(left_margin, y, chart_.title, {.size = 15.0, .align_y = 0.0, .bold = true});
            y += 30.0;
        }
        double x = left_margin;
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            const double width = swatch + 6.0 + canvas_.text_width(chart_.series[i].name, legend_style);
            if (x > left_margin && x + width > chart_.width - right_margin) {
                x = left_margin;
                y += 19.0;
            }
            canvas_.line({{x, y}, {x + swatch, y}}, palette[i % palette.size()], 2.5);
            canvas_.text(x + swatch + 6.0, y, chart_.series[i].name, legend_style);
            x += width + 22.0;
        }
        return y + 20.0;
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
        const auto x_ticks = x_axis_.ticks(80.0);
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

    void draw_series(const Series& series, const Colour& colour) {
        std::vector<std::pair<double, double>> run;
        const auto finish = [&] {
            if (run.size() == 1) {
                canvas_.fill({run[0].first - 2.0, run[0].second - 2.0, 4.0, 4.0}, colour);
            } else if (run.size() > 1) {
                canvas_.line(run, colour, 1.8, &box_);
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
    Canvas canvas_;
    Frame box_;
    PlotAxis x_axis_;
    PlotAxis y_axis_;
};

}  // namespace

void draw_line_chart(const LineChart& chart, const std::filesystem::path& path) {
    for (const Series& series : chart.series) {
        if (series.x.size() != series.y.size()) {
            throw InvalidInput("series '" + series.name + "' has " + std::to_string(series.x.size()) + " x and " +
                               std::to_string(series.y.size()) + " y (a point needs both); give equally many");
        }
    }
    if (chart.width < 200 || chart.height < 150 || chart.pixels_per_unit < 1) {
        throw InvalidInput("a chart of " + std::to_string(chart.width) + " x " + std::to_string(chart.height) +
                           " is too small (its text would overlap); use at least 200 x 150");
    }
    ChartPainter(chart).draw(path);
}

}  // namespace plumecast
