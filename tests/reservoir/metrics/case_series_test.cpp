#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/case_series.hpp>
#include <plumecast/reservoir/physics/brine.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast {
namespace {

using std::numbers::pi;

constexpr std::size_t rows = 4;
constexpr std::size_t rings = 5;

/// A cylinder of gas of saturation 0.5 within 30 m in the second and third of four layers of 10 m at the second of two
/// times; the build-up is 8, 4, 2, 1 and 0.5 bar from ring to ring. The lowest layer is inactive.
CaseFields cylinder() {
    CaseFields fields;
    const std::vector<double> r_edges{0.0, 10.0, 30.0, 100.0, 300.0, 1000.0};
    const std::vector<double> z_edges{0.0, 10.0, 20.0, 30.0, 40.0};
    fields.geometry = radial_geometry(r_edges, z_edges);
    fields.injection_rate = 2.0;
    fields.temperature = 60.0;
    fields.top_depth = 1500.0;
    fields.gas_saturation.resize(2 * rows * rings, 0.0F);
    fields.pressure_buildup.resize(2 * rows * rings, 0.0F);
    for (std::size_t cell = 0; cell < rows * rings; ++cell) {
        const std::size_t row = cell / rings;
        const std::size_t ring = cell % rings;
        const bool is_active = row < 3;
        fields.active.push_back(is_active ? 1.0F : 0.0F);
        fields.porosity.push_back(0.2F);
        fields.pore_volumes.push_back(is_active ? 0.2 * fields.geometry.volumes[cell] : 0.0);
        fields.initial_pressures.push_back(150.0);
        if (ring < 2 && (row == 1 || row == 2)) {
            fields.gas_saturation[rows * rings + cell] = 0.5F;
        }
        fields.pressure_buildup[rows * rings + cell] = row == 2 ? static_cast<float>(8 >> ring) : 0.25F;
    }
    // Values in inactive cells must not count.
    fields.gas_saturation.back() = 0.9F;
    fields.pressure_buildup.back() = 100.0F;
    return fields;
}

const std::vector<double> times{100.0, 3652.5};

std::vector<double> values(const std::string& name, const SeriesOptions& options = {}) {
    const std::vector<NamedSeries> all = case_series(cylinder(), times, options);
    const NamedSeries* series = find_series(all, name);
    return series == nullptr ? std::vector<double>() : series->values;
}

TEST(CaseSeries, ComparesWithWhatASimulatorCountedAsInjected) {
    CaseFields fields = cylinder();
    fields.injected_mass = {0.5, 0.75};
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    EXPECT_EQ(find_series(all, "mass_injected")->values, (std::vector<double>{0.5, 0.75}));
    EXPECT_NEAR(find_series(all, "free_share")->values[1], values("mass_free")[1] / 0.75, 1e-12);
}

TEST(CaseSeries, MeasuresACylinderOfGasExactly) {
    EXPECT_EQ(values("plume_radius_0.01"), (std::vector<double>{0.0, 30.0}));
    EXPECT_NEAR(values("plume_area_0.01")[1], pi * 900.0, 1e-9);
    EXPECT_EQ(values("plume_thickness_0.01"), (std::vector<double>{0.0, 20.0}));
    EXPECT_EQ(values("plume_footprint_0.01"), (std::vector<double>{0.0, 0.0}));
}

TEST(CaseSeries, SumsTheMassOfTheCylinder) {
    // The whole gas of a layer at its pressure: 150.25 bar above; 158 and 154 bar in the rings below.
    const auto ring = [](double inner, double outer, double pressure) {
        return 0.2 * 0.5 * pi * (outer * outer - inner * inner) * 10.0 * co2_density(pressure, 60.0) / 1e9;
    };
    const double expected = ring(0, 30, 150.25) + ring(0, 10, 158.0) + ring(10, 30, 154.0);
    EXPECT_NEAR(values("mass_free")[1] / expected, 1.0, 1e-6);
    EXPECT_NEAR(values("mass_injected")[1], 20.0, 1e-12);
    EXPECT_NEAR(values("free_share")[1], expected / 20.0, 1e-9);
    EXPECT_EQ(values("mass_free")[0], 0.0);
}

TEST(CaseSeries, AddsDissolvedToFreeMassWhereTheFileHasIt) {
    EXPECT_TRUE(values("mass_dissolved").empty());
    EXPECT_TRUE(values("mass_balance").empty());
    CaseFields fields = cylinder();
    fields.dissolved_co2.resize(2 * rows * rings, 0.0F);
    fields.dissolved_co2[rows * rings + 1] = 30.0F;  // the second ring of the top layer
    fields.dissolved_co2.back() = 1e6F;              // inactive
    const std::vector<NamedSeries> series = case_series(fields, times, {});
    const double expected = 30.0 * 0.2 * pi * (900.0 - 100.0) * 10.0 / 1e9;
    EXPECT_EQ(find_series(series, "mass_dissolved")->values[0], 0.0);
    EXPECT_NEAR(find_series(series, "mass_dissolved")->values[1] / expected, 1.0, 1e-9);
    const double free = find_series(series, "mass_free")->values[1];
    EXPECT_NEAR(find_series(series, "mass_balance")->values[1], (free + expected) / 20.0, 1e-12);
    fields.gas_saturation.clear();
    EXPECT_EQ(find_series(case_series(fields, times, {}), "mass_balance"), nullptr);
}

TEST(CaseSeries, FindsTheLargestBuildUpAndTheFront) {
    EXPECT_EQ(values("max_buildup")[1], 8.0);
    EXPECT_EQ(values("max_buildup_distance")[1], 5.0);
    EXPECT_EQ(values("max_buildup_depth")[1], 25.0);
    SeriesOptions options;
    options.pressure_front = 1.5;
    EXPECT_EQ(values("front_radius", options), (std::vector<double>{0.0, 100.0}));
    EXPECT_NEAR(values("front_area", options)[1], pi * 1e4, 1e-9);
}

TEST(CaseSeries, TakesTheLargerOfPlumeAndFrontAsAreaOfReview) {
    SeriesOptions options;
    options.pressure_front = 5.0;
    EXPECT_EQ(values("front_radius", options)[1], 10.0);
    EXPECT_EQ(values("review_radius", options)[1], 30.0);
    options.pressure_front = 1.5;
    EXPECT_EQ(values("review_radius", options)[1], 100.0);
    EXPECT_NEAR(values("review_area", options)[1], pi * 1e4, 1e-9);
}

TEST(CaseSeries, MeasuresTheMarginToTheFractureLimit) {
    SeriesOptions options;
    EXPECT_TRUE(values("fracture_margin", options).empty());
    options.fracture.pressure = 200.0;
    EXPECT_NEAR(values("fracture_margin", options)[1], 180.0 - 158.0, 1e-9);
    options.fracture.pressure.reset();
    options.fracture.gradient = 0.12;
    // At rest the top layer is nearest to its limit, with the build-up the third one.
    EXPECT_NEAR(values("fracture_margin", options)[0], 0.9 * 0.12 * 1505.0 - 150.0, 1e-9);
    EXPECT_NEAR(values("fracture_margin", options)[1], 0.9 * 0.12 * 1525.0 - 158.0, 1e-9);
    options.fracture.gradient.reset();
    options.fracture.pressures = {250.0};
    EXPECT_NEAR(values("fracture_margin", options)[1], 225.0 - 158.0, 1e-9);
}

TEST(CaseSeries, LeavesOutWhatAFileWithoutBuildUpCannotTell) {
    CaseFields fields = cylinder();
    fields.pressure_buildup.clear();
    const std::vector<NamedSeries> series = case_series(fields, times, {});
    EXPECT_EQ(find_series(series, "max_buildup"), nullptr);
    EXPECT_EQ(find_series(series, "review_radius"), nullptr);
    EXPECT_NE(find_series(series, "plume_radius_0.2"), nullptr);
    EXPECT_GT(find_series(series, "mass_free")->values[1], 0.0);
}

TEST(CaseSeries, RefusesThresholdsAndLimitsThatDoNotFit) {
    SeriesOptions options;
    options.thresholds = {1.5};
    EXPECT_THROW(values("plume_radius_1.5", options), InvalidInput);
    options = {};
    options.fracture.pressures = {200.0};
    CaseFields fields = cylinder();
    fields.number = 3;
    EXPECT_THROW(case_series(fields, times, options), InvalidInput);
}

TEST(BoxGeometry, CountsDistancesFromTheNearestWell) {
    const std::vector<double> x{0.0, 100.0, 200.0, 300.0};
    const std::vector<double> y{0.0, 50.0};
    const std::vector<double> z{0.0, 10.0};
    const std::vector<std::size_t> wells{0, 2};
    const CellGeometry geometry = box_geometry(x, y, z, wells);
    EXPECT_EQ(geometry.centres, (std::vector<double>{0.0, 100.0, 0.0}));
    EXPECT_NEAR(geometry.reaches[1], std::hypot(150.0, 25.0), 1e-12);
    EXPECT_EQ(geometry.areas, (std::vector<double>(3, 5000.0)));
    EXPECT_EQ(geometry.volumes, (std::vector<double>(3, 50000.0)));
}

}  // namespace
}  // namespace plumecast
