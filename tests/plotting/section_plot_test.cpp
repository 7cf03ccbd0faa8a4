#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <plotting/png_file.hpp>
#include <plumecast/core/error.hpp>

#include "plotting/section_plot.hpp"

namespace plumecast {
namespace {

using testing::PngFile;
using testing::TemporaryFolder;

// Two layers of two rings; the outer ring of the upper layer is inactive.
SectionFigure small_figure() {
    SectionFigure figure;
    figure.title = "gas saturation";
    figure.r_edges = {0.0, 10.0, 30.0};
    figure.z_edges = {0.0, 5.0, 10.0};
    figure.active = {1.0F, 0.0F, 1.0F, 1.0F};
    figure.columns = {"after 30 years"};
    const ColourScale scale{0.0, 1.0, ColourMap::sequential, "gas saturation [-]"};
    figure.rows.push_back({"simulation", scale, {{0.0F, 9.0F, 0.5F, 1.0F}}});
    return figure;
}

TEST(DrawSections, PaintsEachCellBetweenItsEdges) {
    const TemporaryFolder folder("section_colours");
    draw_sections(small_figure(), folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_EQ(png.width(), 2 * (92 + 300 + 104));
    EXPECT_EQ(png.height(), 2 * (64 + 130 + 48));
    // The panel begins at (92, 64); the inner ring takes a third of its 300 units, each layer half of its 130.
    const int left = 2 * (92 + 50);
    const int right = 2 * (92 + 200);
    const int upper = 2 * (64 + 32);
    const int lower = 2 * (64 + 97);
    EXPECT_TRUE(png.has(left, upper, colour_at(ColourMap::sequential, 0.0)));
    EXPECT_TRUE(png.has(left, lower, colour_at(ColourMap::sequential, 0.5)));
    EXPECT_TRUE(png.has(right, lower, colour_at(ColourMap::sequential, 1.0)));
    EXPECT_TRUE(png.has(right, upper, {0.85, 0.85, 0.86}));
    EXPECT_TRUE(png.has(2 * 91 + 6, lower, colour_at(ColourMap::sequential, 0.5)));
}

TEST(DrawSections, CutsAtTheRadiusAndBelowTheDeepestActiveCell) {
    const TemporaryFolder folder("section_cut");
    SectionFigure figure = small_figure();
    figure.r_max = 10.0;
    figure.active = {1.0F, 1.0F, 0.0F, 0.0F};
    draw_sections(figure, folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_TRUE(png.has(2 * (92 + 290), 2 * (64 + 120), colour_at(ColourMap::sequential, 0.0)));
}

TEST(DrawSections, ShowsTheFirstRingAsWideAsTheSecondOnALogarithmicRadius) {
    const TemporaryFolder folder("section_log");
    SectionFigure figure = small_figure();
    figure.log_radius = true;
    draw_sections(figure, folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_TRUE(png.has(2 * (92 + 145), 2 * (64 + 97), colour_at(ColourMap::sequential, 0.5)));
    EXPECT_TRUE(png.has(2 * (92 + 155), 2 * (64 + 97), colour_at(ColourMap::sequential, 1.0)));
}

TEST(DrawSections, ColoursByTheLogarithmOnRequest) {
    const TemporaryFolder folder("section_log_scale");
    SectionFigure figure = small_figure();
    figure.rows[0].scale = {1.0, 100.0, ColourMap::sequential, "permeability r [mD]", true};
    figure.rows[0].maps = {{1.0F, 9.0F, 10.0F, 0.0F}};
    draw_sections(figure, folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 32), colour_at(ColourMap::sequential, 0.0)));
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 97), colour_at(ColourMap::sequential, 0.5)));
    EXPECT_TRUE(png.has(2 * (92 + 200), 2 * (64 + 97), {0.55, 0.55, 0.56})) << "0 has no logarithm";
}

TEST(DrawSections, LetsARowHaveItsOwnActiveCells) {
    const TemporaryFolder folder("section_active");
    SectionFigure figure = small_figure();
    figure.rows.push_back(figure.rows[0]);
    figure.rows[1].active = {1.0F, 1.0F, 0.0F, 1.0F};
    draw_sections(figure, folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 97), colour_at(ColourMap::sequential, 0.5)));
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 148 + 97), {0.85, 0.85, 0.86}));
    figure.rows[1].active.pop_back();
    EXPECT_THROW(draw_sections(figure, "unused.png"), InvalidInput);
}

TEST(DrawSections, DrawsAPlanWithYUpwards) {
    const TemporaryFolder folder("section_plan");
    SectionFigure figure = small_figure();
    figure.is_plan = true;
    draw_sections(figure, folder / "map.png");
    const PngFile png(folder / "map.png");
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 97), colour_at(ColourMap::sequential, 0.0)));
    EXPECT_TRUE(png.has(2 * (92 + 50), 2 * (64 + 32), colour_at(ColourMap::sequential, 0.5)));
}

TEST(DrawSections, LeavesNothingBehindWhenTheFileCannotBeWritten) {
    const TemporaryFolder folder("section_fail");
    EXPECT_THROW(draw_sections(small_figure(), folder / "missing/map.png"), IoError);
    std::filesystem::create_directory(folder / "taken.png");
    EXPECT_THROW(draw_sections(small_figure(), folder / "taken.png"), IoError);
    EXPECT_EQ(folder.files(), 1);
}

TEST(DrawSections, RefusesAFigureWhoseSizesDiffer) {
    SectionFigure figure = small_figure();
    figure.rows[0].maps[0].pop_back();
    EXPECT_THROW(draw_sections(figure, "unused.png"), InvalidInput);
    figure = small_figure();
    figure.active.pop_back();
    EXPECT_THROW(draw_sections(figure, "unused.png"), InvalidInput);
    figure = small_figure();
    figure.log_radius = true;
    figure.r_max = 0.5 * figure.r_edges[1] * figure.r_edges[1] / figure.r_edges[2];  // left of where the axis begins
    EXPECT_THROW(draw_sections(figure, "unused.png"), InvalidInput);
}

TEST(MapDifference, SubtractsCellByCell) {
    EXPECT_EQ(map_difference({3, 1}, {1, 2}), (std::vector<float>{2, -1}));
    EXPECT_THROW(map_difference({3, 1}, {1}), InvalidInput);
}

TEST(ColourScales, HoldActiveValuesAndRoundOutwards) {
    const std::vector<std::vector<float>> maps{{0.0F, 0.31F, 50.0F}, {-0.07F, 0.1F, 0.0F}};
    const std::vector<float> active{1.0F, 1.0F, 0.0F};
    const ColourScale sequential = sequential_scale(maps, active, "x");
    EXPECT_NEAR(sequential.low, -0.08, 1e-9);
    EXPECT_NEAR(sequential.high, 0.4, 1e-9);
    const ColourScale symmetric = symmetric_scale(maps, active, "x");
    EXPECT_NEAR(symmetric.low, -0.4, 1e-9);
    EXPECT_NEAR(symmetric.high, 0.4, 1e-9);
    EXPECT_LT(sequential_scale({{0.0F}}, {1.0F}, "").low, sequential_scale({{0.0F}}, {1.0F}, "").high);
}

TEST(ColourScales, HoldPositiveValuesBetweenRoundEndsWhereLogarithmic) {
    const std::vector<float> active{1.0F, 1.0F, 0.0F};
    const ColourScale scale = logarithmic_scale({{0.3F, 0.0F, 5e6F}, {170.0F, 2.0F, 0.0F}}, active, "x");
    EXPECT_TRUE(scale.logarithmic);
    EXPECT_NEAR(scale.low, 0.2, 1e-9);
    EXPECT_NEAR(scale.high, 200.0, 1e-6);
    EXPECT_NEAR(scale.fraction(std::sqrt(0.2 * 200.0)), 0.5, 1e-9);
    const ColourScale even = logarithmic_scale({{100.0F}}, {1.0F}, "x");
    EXPECT_LT(even.low, even.high);
    EXPECT_FALSE(logarithmic_scale({{0.0F}}, {1.0F}, "x").logarithmic);
    const ColourScale ratio = ratio_scale({map_ratio({1.0F, 8.0F}, {4.0F, 2.0F})}, active, "x");
    EXPECT_NEAR(ratio.low, 0.2, 1e-9);
    EXPECT_NEAR(ratio.high, 5.0, 1e-9);
    EXPECT_NEAR(ratio.fraction(1.0), 0.5, 1e-9);
    EXPECT_THROW(map_ratio({1.0F}, {}), InvalidInput);
}

TEST(PictureRadius, LeavesAQuarterBesideThePlumeInsideTheGrid) {
    const std::vector<double> edges{0.0, 1000.0, 100000.0};
    EXPECT_NEAR(picture_radius(1769.66, edges), 2300.0, 1e-9);
    EXPECT_NEAR(picture_radius(90000.0, edges), 100000.0, 1e-9);
    EXPECT_NEAR(picture_radius(0.0, edges), 100000.0, 1e-9);
}

}  // namespace
}  // namespace plumecast
