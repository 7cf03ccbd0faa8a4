#include <limits>

#include <gtest/gtest.h>

#include <plotting/png_file.hpp>
#include <plumecast/core/error.hpp>

#include "plotting/line_chart.hpp"

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

TEST(LineChart, FillsABandBehindTheLines) {
    const TemporaryFolder folder("chart_band");
    LineChart chart = small_chart();
    chart.series.resize(1);
    chart.bands = {{"range", {1.0, 3.0}, {0.0, 0.0}, {1.0, 1.0}, 0}};
    draw_line_chart(chart, folder / "band.png");
    chart.bands.clear();
    draw_line_chart(chart, folder / "plain.png");
    const Colour band{1.0 - 0.18 * (1.0 - 0.11), 1.0 - 0.18 * (1.0 - 0.42), 1.0 - 0.18 * (1.0 - 0.69)};
    EXPECT_GT(PngFile(folder / "band.png").count(band), 100000);
    EXPECT_LT(PngFile(folder / "plain.png").count(band), 1000);
}

TEST(LineChart, BecomesPdfAndSvgByTheEndingOfTheName) {
    EXPECT_EQ(encode_line_chart(small_chart(), PictureFormat::pdf).substr(0, 5), "%PDF-");
    EXPECT_NE(encode_line_chart(small_chart(), PictureFormat::svg).find("<svg"), std::string::npos);
    EXPECT_EQ(picture_format("a/plume.pdf"), PictureFormat::pdf);
    EXPECT_EQ(picture_format("plume.svg"), PictureFormat::svg);
    EXPECT_EQ(picture_format("plume.PDF"), PictureFormat::pdf);
    EXPECT_EQ(picture_format("plume.Png"), PictureFormat::png);
    for (const char* other : {"plume", "plume.jpg", "plume.png.gz"}) {
        EXPECT_THROW(picture_format(other), InvalidInput) << other;
    }
}

TEST(LineChart, StartsAtZeroOnRequest) {
    LineChart chart = small_chart();
    chart.series = {{"far away", {1.0, 2.0}, {100.0, 101.0}}};
    const std::string close = encode_line_chart(chart, PictureFormat::png);
    chart.zero_y = true;
    EXPECT_NE(encode_line_chart(chart, PictureFormat::png), close);
    chart.bands = {{"range", {1.0, 3.0}, {0.0}, {1.0, 1.0}, 0}};
    EXPECT_THROW(encode_line_chart(chart, PictureFormat::svg), InvalidInput);
}

TEST(LineCharts, StandOneBelowTheOther) {
    const TemporaryFolder folder("charts");
    draw_line_chart(small_chart(), folder / "one.png");
    LineChart low = small_chart();
    low.height = 200;
    draw_line_charts({small_chart(), low}, folder / "two.png");
    const PngFile png(folder / "two.png");
    EXPECT_EQ(png.width(), 1280);
    EXPECT_EQ(png.height(), 1200);
    const Colour blue{0.11, 0.42, 0.69};
    EXPECT_GT(png.count(blue), PngFile(folder / "one.png").count(blue));
    EXPECT_THROW(draw_line_charts({}, folder / "none.png"), InvalidInput);
}

TEST(LineChart, LeavesALineWithoutANameOutOfTheLegend) {
    const std::string named = encode_line_chart(small_chart(), PictureFormat::png);
    LineChart chart = small_chart();
    chart.series[1].name.clear();
    EXPECT_NE(encode_line_chart(chart, PictureFormat::png), named);
}

TEST(LineChart, DrawsDotsOnRequest) {
    const TemporaryFolder folder("chart_dots");
    LineChart chart = small_chart();
    chart.title.clear();
    chart.series = {{"", {1.0, 2.0, 3.0}, {1.0, 3.0, 1.0}}};
    const Colour blue{0.11, 0.42, 0.69};
    draw_line_chart(chart, folder / "line.png");
    chart.series[0].is_dot = true;
    draw_line_chart(chart, folder / "dots.png");
    EXPECT_GT(PngFile(folder / "dots.png").count(blue), 200);
    EXPECT_LT(PngFile(folder / "dots.png").count(blue), PngFile(folder / "line.png").count(blue));
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
