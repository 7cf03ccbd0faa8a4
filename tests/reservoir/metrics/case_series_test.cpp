#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/well_pressure.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"

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

TEST(CaseSeries, FollowsTheRatesOfASchedule) {
    CaseFields fields = cylinder();
    fields.is_scheduled = true;
    fields.schedule = {{100.0, 730.5, 1461.0}, {2.0, 0.0, 1.0}};
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    EXPECT_EQ(find_series(all, "injection_rate")->values, (std::vector<double>{2.0, 0.0}));
    EXPECT_NEAR(find_series(all, "mass_injected")->values[0], 200.0 / 365.25, 1e-12);
    EXPECT_NEAR(find_series(all, "mass_injected")->values[1], 200.0 / 365.25 + 2.0, 1e-12);
    EXPECT_NEAR(find_series(all, "free_share")->values[1],
                values("mass_free")[1] / find_series(all, "mass_injected")->values[1], 1e-12);
    EXPECT_EQ(find_series(all, "years_since_stop")->values, (std::vector<double>{0.0, 6.0}));
    EXPECT_EQ(injection_rates(fields, times).back(), 0.0);
    EXPECT_NEAR(injection_rates(fields, times).front(), 2e9 / 365.25, 1e-3);
    fields.schedule = {};  // a constant case among others
    const std::vector<NamedSeries> constant = case_series(fields, times, {});
    EXPECT_EQ(find_series(constant, "injection_rate")->values, (std::vector<double>{2.0, 2.0}));
    EXPECT_EQ(find_series(constant, "years_since_stop")->values, (std::vector<double>{0.0, 0.0}));
    EXPECT_TRUE(values("injection_rate").empty());
}

TEST(CaseSeries, MeasuresACylinderOfGasExactly) {
    EXPECT_EQ(values("plume_radius_0.01"), (std::vector<double>{0.0, 30.0}));
    const std::vector<NamedSeries> all = case_series(cylinder(), times, {});
    EXPECT_EQ(find_series(all, "plume_radius_0.01")->resolution, (std::vector<double>{0.0, 20.0}));
    EXPECT_NEAR(find_series(all, "plume_area_0.01")->resolution[1], pi * 800.0, 1e-9);
    EXPECT_TRUE(find_series(all, "max_buildup")->resolution.empty());
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

TEST(CaseSeries, KnowNoShareOfWhatIsInjectedBeforeAnythingIs) {
    CaseFields fields = cylinder();
    fields.dissolved_co2.resize(fields.gas_saturation.size(), 3.0F);
    fields.is_scheduled = true;
    fields.schedule = {{200.0, 3652.5}, {0.0, 2.0}};  // from day 200 on
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    for (const char* name : {"free_share", "mass_balance"}) {
        const std::vector<double>& shares = find_series(all, name)->values;
        EXPECT_TRUE(std::isnan(shares[0])) << name;
        EXPECT_GT(shares[1], 0.0) << name;
    }
    EXPECT_EQ(carbon_balance(fields, times).found[0], 0.0);  // verdicts rest on numbers
}

TEST(CarbonBalance, HasTheBitsOfTheSeries) {
    CaseFields fields = cylinder();
    EXPECT_EQ(carbon_balance(fields, times).injected, values("mass_injected"));
    EXPECT_EQ(carbon_balance(fields, times).found, values("free_share"));
    fields.dissolved_co2.resize(fields.gas_saturation.size(), 3.0F);
    EXPECT_EQ(carbon_balance(fields, times).found, find_series(case_series(fields, times, {}), "mass_balance")->values);
}

TEST(CaseSeries, HasNoMassOfGasWhoseDensityIsNotKnown) {
    CaseFields fields = cylinder();
    fields.pressure_buildup[rows * rings + 4] = 2000.0F;  // without gas
    const auto last = [&](const char* name) { return find_series(case_series(fields, times, {}), name)->values[1]; };
    EXPECT_NEAR(last("mass_free"), values("mass_free")[1], 1e-3 * values("mass_free")[1]);
    fields.pressure_buildup[rows * rings + rings] = 2000.0F;
    EXPECT_TRUE(std::isnan(last("mass_free")));
    EXPECT_TRUE(std::isnan(last("mass_mobile")));
    EXPECT_EQ(last("max_buildup"), 2000.0);
    EXPECT_EQ(last("plume_radius_0.01"), values("plume_radius_0.01")[1]);
    EXPECT_THROW(free_co2_mass(fields, times), InvalidInput);
}

TEST(CaseSeries, SplitsFreeCo2IntoMobileAndTrapped) {
    CaseFields fields = cylinder();
    const auto share = [&] {
        const std::vector<NamedSeries> all = case_series(fields, times, {});
        const double free = find_series(all, "mass_free")->values[1],
                     trapped = find_series(all, "mass_trapped")->values[1];
        EXPECT_NEAR(find_series(all, "mass_mobile")->values[1], free - trapped, 1e-15);
        return trapped / free;
    };
    EXPECT_EQ(share(), 0.0);
    fields.trapping = LandTrapping(0.05, 0.0, 0.8);  // what drainage leaves of the saturation of 0.5
    EXPECT_NEAR(share(), 0.1, 1e-6);
    fields.trapping = LandTrapping(0.05, 0.3, 0.8);
    EXPECT_NEAR(share(), fields.trapping.trapped(0.5) / 0.5, 1e-6);
    // Once there was more gas, as much stays as it left.
    std::fill_n(fields.gas_saturation.begin(), rows * rings, 0.7F);
    EXPECT_NEAR(share(), fields.trapping.trapped(static_cast<double>(0.7F)) / 0.5, 1e-6);
    fields.trapped_gas_saturation.assign(2 * rows * rings, 0.125F);  // the file knows better
    for (std::size_t i = 0; i < fields.gas_saturation.size(); ++i) {
        fields.trapped_gas_saturation[i] *= fields.gas_saturation[i] > 0.0F ? 1.0F : 0.0F;
    }
    EXPECT_NEAR(share(), 0.25, 1e-6);
}

TEST(CaseSeries, ClosesTheLedger) {
    CaseFields fields = cylinder();
    fields.dissolved_co2.assign(2 * rows * rings, 1.0F);
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    const auto value = [&](const char* name) { return find_series(all, name)->values[1]; };
    EXPECT_NEAR(value("mass_mobile") + value("mass_trapped") + value("mass_dissolved") + value("closing_error"),
                value("mass_injected"), 1e-12);
    EXPECT_TRUE(values("closing_error").empty());
}

/// The year from which a plume of such radii, a ring or two, is stable when injection ends on day 100.
double stable_from(const std::vector<std::size_t>& rings_with_gas) {
    CaseFields fields = cylinder();
    fields.is_scheduled = true;
    fields.schedule = {{100.0}, {2.0}};
    std::vector<double> days;
    fields.gas_saturation.assign(rings_with_gas.size() * rows * rings, 0.0F);
    fields.pressure_buildup.assign(rings_with_gas.size() * rows * rings, 0.0F);
    for (std::size_t time = 0; time < rings_with_gas.size(); ++time) {
        days.push_back(50.0 + 50.0 * static_cast<double>(time));
        std::fill_n(fields.gas_saturation.begin() + static_cast<std::ptrdiff_t>(time * rows * rings),
                    rings_with_gas[time], 0.5F);
    }
    return find_series(case_series(fields, days, {}), "plume_stabilisation")->values.front() * 365.25;
}

TEST(CaseSeries, FindsFromWhenOnThePlumeIsStable) {
    EXPECT_NEAR(stable_from({1, 2, 2, 3, 3, 3}), 200.0, 1e-9);
    EXPECT_NEAR(stable_from({3, 3, 3, 3}), 100.0, 1e-9);  // not before the injection ends
    EXPECT_TRUE(std::isnan(stable_from({1, 2, 2, 3})));   // the last time alone
    EXPECT_TRUE(std::isnan(stable_from({0, 0, 0, 0})));
    EXPECT_TRUE(std::isnan(stable_from({1, 1})));
    EXPECT_TRUE(values("plume_stabilisation").empty());
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
    // The build-up falls from 2 to 1 bar between the centres at 65 and 200 m, with the logarithm of the radius.
    SeriesOptions options;
    options.pressure_front = 1.5;
    EXPECT_EQ(values("front_radius", options)[0], 0.0);
    EXPECT_NEAR(values("front_radius", options)[1], std::sqrt(65.0 * 200.0), 1e-9);
    EXPECT_NEAR(values("front_area", options)[1], pi * 65.0 * 200.0, 1e-6);
    // Within the ring of the last cell above: at 1.9 bar nearer to the centre than to its outer edge.
    options.pressure_front = 1.9;
    EXPECT_NEAR(values("front_radius", options)[1], 65.0 * std::pow(200.0 / 65.0, 0.1), 1e-9);
}

TEST(CaseSeries, TakesTheLargerOfPlumeAndFrontAsAreaOfReview) {
    SeriesOptions options;
    options.pressure_front = 5.0;
    EXPECT_NEAR(values("front_radius", options)[1], 5.0 * std::pow(20.0 / 5.0, 0.75), 1e-9);
    EXPECT_EQ(values("review_radius", options)[1], 30.0);
    options.pressure_front = 1.5;
    EXPECT_NEAR(values("review_radius", options)[1], std::sqrt(65.0 * 200.0), 1e-9);
    EXPECT_NEAR(values("review_area", options)[1], pi * 65.0 * 200.0, 1e-6);
}

TEST(CaseSeries, HasNoAreaOfReviewOfAFrontThatNobodyAskedFor) {
    EXPECT_TRUE(values("review_radius").empty());
    EXPECT_TRUE(values("review_area").empty());
    EXPECT_EQ(values("front_radius").size(), 2U);
}

TEST(CaseSeries, ComputesTheCriticalBuildUpFromDepthsAndDensities) {
    SeriesOptions options;
    options.drinking_water = DrinkingWater{300.0, std::nullopt, 1080.0};
    EXPECT_THROW(values("review_radius", options), InvalidInput);  // the depth was computed from the pressure itself
    CaseFields fields = cylinder();
    fields.depth_source = DepthSource::data_set;
    fields.initial_pressure = 150.0;
    const auto series = [&](const char* name) {
        return find_series(case_series(fields, times, options), name)->values[1];
    };
    const double expected = 1.01325 + 1000.0 * 9.80665 * 300.0 / 1e5 + 1080.0 * 9.80665 * 1200.0 / 1e5 - 150.0;
    EXPECT_NEAR(series("critical_buildup"), expected, 1e-9);
    EXPECT_NEAR(expected, 7.5, 0.1);
    EXPECT_GT(series("review_radius"), 0.0);
    options.drinking_water->pressure = 20.0;  // brine stands higher than such water
    EXPECT_THROW(options.drinking_water->critical_buildup(fields), InvalidInput);
    for (const char* name : {"critical_buildup", "front_radius", "front_area", "review_radius", "review_area"}) {
        EXPECT_TRUE(std::isnan(series(name))) << name;
    }
    EXPECT_EQ(series("plume_radius_0.01"), 30.0);
    options.drinking_water = DrinkingWater{1600.0, std::nullopt, 1080.0};
    EXPECT_THROW(series("critical_buildup"), InvalidInput);
}

TEST(CaseSeries, ComputesTheCriticalBuildUpOfABoreholeWhoseDensityRisesWithDepth) {
    SeriesOptions options;
    options.drinking_water = DrinkingWater{300.0, std::nullopt, 1080.0, 1000.0};
    CaseFields fields = cylinder();
    fields.depth_source = DepthSource::data_set;
    // Nicot et al. (2009): half of g times the gradient of density times the square of the height.
    const double gradient = (1080.0 - 1000.0) / 1200.0;
    EXPECT_NEAR(options.drinking_water->critical_buildup(fields), 0.5 * 9.80665 * gradient * 1200.0 * 1200.0 / 1e5,
                1e-9);
    fields.initial_pressure += 2.0;  // which method 2 does not take
    EXPECT_NEAR(options.front_of(fields), 4.7072, 1e-3);
    fields.initial_pressure = 250.0;  // brine rises by itself
    EXPECT_THROW(options.drinking_water->critical_buildup(fields), InvalidInput);
    fields.initial_pressure = 150.0;
    options.drinking_water->water_density = 1080.0;
    EXPECT_THROW(options.drinking_water->critical_buildup(fields), InvalidInput);
}

/// The cylinder with a well through its second and third layer, in rings that begin at 0.1 m.
CaseFields cylinder_with_well() {
    CaseFields fields = cylinder();
    fields.well_fluids = {60.0, 0.2, 0.5, 0.05};
    for (const std::size_t row : {1U, 2U}) {
        fields.wells.resize(1);
        fields.wells[0].connections.push_back(
            {row * rings, row == 1 ? 40.0 : 80.0, 10.0 * static_cast<double>(row) + 5});
    }
    return fields;
}

TEST(CaseSeries, FindsTheBottomHolePressureThatInjectsTheRate) {
    const CaseFields fields = cylinder_with_well();
    const std::vector<WellPressure> wells = WellPressures(fields, times).at(1, injection_rates(fields, times)[1]);
    ASSERT_EQ(wells.size(), 1U);
    // What flows through both connections, each with the mobility of gas and brine at a saturation of 0.5.
    double mass = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const double cell = 150.0 + (i == 0 ? 0.25 : 8.0);
        const double effective = (1.0 - 0.5 - 0.2) / (1.0 - 0.2);
        const double corey = (1.0 - 0.5 - 0.2) / (1.0 - 0.2 - 0.05);
        const double water = std::sqrt(effective) * std::pow(1.0 - std::sqrt(1.0 - effective * effective), 2.0);
        const double gas = (1.0 - corey) * (1.0 - corey) * (1.0 - corey * corey);
        const double density = co2_density(cell, 60.0);
        const double mobility = gas / co2_viscosity(density, 60.0) + water / brine_viscosity(60.0, 0.0);
        mass += fields.wells[0].connections[i].factor * mobility * density *
                (wells[0].bottom_hole + wells[0].heads[i] - cell);
    }
    EXPECT_NEAR(mass / (2.0 * 1e9 / 365.25), 1.0, 1e-3);  // the table of relative permeabilities is interpolated
    EXPECT_EQ(wells[0].heads[0], 0.0);
    EXPECT_NEAR(wells[0].heads[1], co2_density(wells[0].bottom_hole, 60.0) * 9.80665 * 10.0 / 1e5, 1e-6);
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    EXPECT_EQ(find_series(all, "bottom_hole_pressure")->values[1], wells[0].bottom_hole);
    EXPECT_EQ(find_series(all, "bottom_hole_buildup")->values[1], wells[0].bottom_hole - 150.0);
    EXPECT_GT(wells[0].bottom_hole, 158.0);  // more than in any cell
}

TEST(CaseSeries, ShutsConnectionsThatWouldGiveBrineToAWellThatInjects) {
    CaseFields fields = cylinder_with_well();
    fields.injection_rate = 1e-6;  // next to nothing, which the upper connection takes
    EXPECT_NEAR(WellPressures(fields, times).at(1, injection_rates(fields, times)[1])[0].bottom_hole, 150.25, 0.01);
    const double rest = WellPressures(fields, times).at(1, 0.0)[0].bottom_hole;
    EXPECT_GT(rest, 151.0);  // between the two
}

TEST(CaseSeries, DrivesTheGasBesideTheWell) {
    CaseFields fields = cylinder_with_well();
    const auto pressure = [&](double rate) { return WellPressures(fields, times).at(1, rate)[0].bottom_hole; };
    const double rate = injection_rates(fields, times)[1], free = pressure(rate), rest = pressure(0.0);
    for (WellConnection& connection : fields.wells[0].connections) {
        connection.capillary = 1.0;
    }
    const double effective = (1.0 - 0.5 - 0.15) / (1.0 - 0.15);  // van Genuchten with the exponent 0.5
    EXPECT_NEAR(pressure(rate) - free, 0.1961 * std::sqrt(1.0 / (effective * effective) - 1.0), 2e-3);
    EXPECT_EQ(pressure(0.0), rest);
}

TEST(CaseSeries, HoldsTheBottomHolePressureAtItsLimit) {
    CaseFields fields = cylinder_with_well();
    const auto pressure = [&] {
        return WellPressures(fields, times).at(1, injection_rates(fields, times)[1])[0].bottom_hole;
    };
    const double free = pressure();
    fields.bottom_hole_pressure_limit = free + 1.0;
    EXPECT_EQ(pressure(), free);
    fields.bottom_hole_pressure_limit = free - 1.0;
    EXPECT_EQ(pressure(), free - 1.0);
    fields.injected_mass = {0.1, 0.15};
    EXPECT_EQ(pressure(), free - 1.0);
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    EXPECT_EQ(find_series(all, "mass_injected")->values[1], 0.15);
    EXPECT_NEAR(find_series(all, "mass_asked")->values[1], fields.injected(times[1]), 1e-12);
}

TEST(CaseSeries, FillsAWellWithBrineUntilItInjects) {
    CaseFields fields = cylinder_with_well();
    fields.injection_rate = 0.0;
    std::ranges::fill(fields.gas_saturation, 0.0F);
    std::ranges::fill(fields.pressure_buildup, 0.0F);
    fields.initial_pressures[2 * rings] = hydrostatic_pressure(150.0, 60.0, 0.0, 10.0);
    const auto buildup = [&](std::size_t time) {
        return find_series(case_series(fields, times, {}), "bottom_hole_buildup")->values[time];
    };
    EXPECT_EQ(buildup(1), 0.0);
    CaseWell& well = fields.wells[0];
    well.rates = well.injected = {0.0, 0.0};
    EXPECT_EQ(buildup(1), 0.0);
    well.injected = {0.0, 1.0};  // between the times, and full of CO2 since then
    EXPECT_NEAR(buildup(0), 0.0, 1e-3);
    EXPECT_GT(buildup(1), 0.1);
    well.rates.clear();
    well.injected.clear();
    well.share = 0.0;  // beside wells that inject
    fields.injection_rate = 2.0;
    EXPECT_NEAR(buildup(1), 0.0, 1e-3);
    well.share = 1.0;
    fields.schedule = {{100.0, 730.5}, {0.0, 1.0}};  // after the first time
    EXPECT_NEAR(buildup(0), 0.0, 1e-3);
    EXPECT_GT(buildup(1), 0.1);
}

TEST(CaseSeries, MeasuresTheMarginAtTheWellToo) {
    SeriesOptions options;
    options.fracture.pressure = 250.0;
    const CaseFields fields = cylinder_with_well();
    const std::vector<NamedSeries> all = case_series(fields, times, options);
    const double deepest = WellPressures(fields, times).at(1, injection_rates(fields, times)[1])[0].heads[1];
    const double pressure = find_series(all, "bottom_hole_pressure")->values[1] + deepest;
    EXPECT_NEAR(find_series(all, "well_fracture_margin")->values[1], 225.0 - pressure, 1e-9);
    EXPECT_NEAR(find_series(all, "cell_fracture_margin")->values[1], 225.0 - 158.0, 1e-9);
    EXPECT_EQ(find_series(all, "fracture_margin")->values[1], find_series(all, "well_fracture_margin")->values[1]);
}

TEST(CaseSeries, TakesTheRateThatASimulatorCountedForTheWell) {
    CaseFields fields = cylinder_with_well();
    const std::vector<double> constant = injection_rates(fields, times);
    EXPECT_NEAR(constant[1], 2e9 / 365.25, 1e-3);
    fields.injected_mass = {0.5, 0.5};  // stopped after the first time
    EXPECT_NEAR(injection_rates(fields, times)[0], 0.5e9 / 100.0, 1e-6);
    EXPECT_EQ(injection_rates(fields, times)[1], 0.0);
    const std::vector<NamedSeries> all = case_series(fields, times, {});
    EXPECT_LT(find_series(all, "bottom_hole_pressure")->values[1], 158.0);
}

TEST(CaseSeries, KnowsTheRateThatALimitLetIn) {
    CaseFields fields = cylinder_with_well();
    const double asked = injection_rates(fields, times)[0];
    fields.bottom_hole_pressure_limit = 170.0;
    fields.injected_mass = {fields.injected(times[0]), fields.injected(times[1])};
    EXPECT_EQ(injected_rates(fields, times)[1], asked);
    fields.injected_mass = {0.1, 0.15};
    EXPECT_NEAR(injected_rates(fields, times)[0], 0.1e9 / times[0], 1e-6);
    EXPECT_NEAR(injected_rates(fields, times)[1], 0.05e9 / (times[1] - times[0]), 1e-6);
    EXPECT_EQ(injection_rates(fields, times)[1], asked);
}

TEST(CaseSeries, HasNoBottomHolePressureWithoutAWell) {
    EXPECT_TRUE(std::isnan(values("bottom_hole_pressure")[1]));
    CaseFields fields = cylinder_with_well();
    fields.pressure_buildup[rows * rings + rings] = 2000.0F;  // CO2 has no known density there
    EXPECT_TRUE(std::isnan(find_series(case_series(fields, times, {}), "bottom_hole_pressure")->values[1]));
}

TEST(CaseSeries, HasNoMarginWhereThatOfAWellIsNotKnown) {
    SeriesOptions options;
    options.fracture.pressure = 4000.0;
    CaseFields fields = cylinder_with_well();
    fields.pressure_buildup[rows * rings + rings] = 2000.0F;  // CO2 has no known density there
    fields.gas_saturation.clear();
    const auto margin = [&](const char* name) {
        return find_series(case_series(fields, times, options), name)->values[1];
    };
    EXPECT_TRUE(std::isnan(margin("well_fracture_margin")));
    EXPECT_NEAR(margin("cell_fracture_margin"), 3600.0 - 2150.0, 1e-9);
    EXPECT_TRUE(std::isnan(margin("fracture_margin")));
    options.fracture.pressure = 2000.0;  // exceeded in the cells, whatever the well has
    EXPECT_NEAR(margin("fracture_margin"), 1800.0 - 2150.0, 1e-9);
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
    EXPECT_NEAR(geometry.nears[1], 50.0, 1e-12);
    EXPECT_EQ(geometry.inner, (std::vector<std::size_t>{0, 0, 2}));
    EXPECT_EQ(geometry.areas, (std::vector<double>(3, 5000.0)));
    EXPECT_EQ(geometry.volumes, (std::vector<double>(3, 50000.0)));
}

}  // namespace
}  // namespace plumecast
