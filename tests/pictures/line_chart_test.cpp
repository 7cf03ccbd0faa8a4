#include <limits>

#include <gtest/gtest.h>

#include <pictures/png_file.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/pictures/line_chart.hpp>

namespace plumecast {
namespace {

using testing::PngFile;
using testing::TemporaryFolder;

LineChart small_chart() {
    LineChart chart;
    chart.title = "learning curves";
    chart.x_label = "epoch";
    chart.y_label = "loss [-]";
    chart.series = {{"training", {1.0, 2.0, 3.0}, {1.0, 0.1, 0.01}}, {"validation", {1.0, 3.0}, {1.0, 0.5}}};
    return chart;
}

TEST(LineChart, WritesAPictureOfTheSizeAskedFor) {
    const TemporaryFolder folder("chart_size");
    draw_line_chart(small_chart(), folder / "chart.png");
    const PngFile png(folder / "chart.png");
    EXPECT_EQ(png.width(), 1280);
    EXPECT_EQ(png.height(), 800);
    EXPECT_EQ(folder.files(), 1);
}

TEST(LineChart, BreaksALineAtValuesItCannotDraw) {
    const TemporaryFolder folder("chart_gap");
    LineChart chart = small_chart();
    chart.log_y = true;
    chart.series[0].y[1] = 0.0;
    chart.series[1].y[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NO_THROW(draw_line_chart(chart, folder / "chart.png"));
}

TEST(LineChart, RefusesSeriesItCannotDraw) {
    const TemporaryFolder folder("chart_bad");
    LineChart chart = small_chart();
    chart.series[0].x.pop_back();
    EXPECT_THROW(draw_line_chart(chart, folder / "chart.png"), InvalidInput);
    chart.series.clear();
    EXPECT_THROW(draw_line_chart(chart, folder / "chart.png"), InvalidInput);
    EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace plumecast
